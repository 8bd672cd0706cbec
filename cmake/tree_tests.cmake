# SPDX-License-Identifier: Apache-2.0
# Tests of the tree rather than of the code: how it is formatted, what it exports, what its docs
# say, and whether users can build against it once installed.

set(heddle_tests ${PROJECT_SOURCE_DIR}/tests)

heddle_script_test(tree.format tree ${heddle_tests}/tree/format.sh)
foreach(name layout includes names columns references)
    heddle_script_test(tree.${name} tree ${heddle_tests}/tree/${name}.sh)
endforeach()
heddle_script_test(tree.float_state tree ${heddle_tests}/tree/float_state.sh)
heddle_script_test(tree.exports tree ${heddle_tests}/tree/exports.sh)
heddle_script_test(tree.man tree ${heddle_tests}/tree/man.sh)
heddle_script_test(tree.peers tree ${heddle_tests}/tree/peers.sh)
heddle_script_test(tree.links tree ${heddle_tests}/tree/links.sh)
heddle_script_test(tree.calls tree ${heddle_tests}/tree/calls.sh)
heddle_script_test(tree.tables tree ${heddle_tests}/tree/tables.sh)
heddle_script_test(tree.reference tree ${heddle_tests}/tree/reference.sh)
heddle_script_test(tree.structures tree ${heddle_tests}/tree/structures.sh)
heddle_script_test(tree.operators tree ${heddle_tests}/tree/operators.sh)
heddle_script_test(tree.new_operator tree ${heddle_tests}/tree/new_operator.sh)
heddle_script_test(tree.kernels tree ${heddle_tests}/tree/kernels.sh)
heddle_script_test(tree.hardened tree ${heddle_tests}/tree/hardened.sh)
heddle_script_test(tree.folders tree ${heddle_tests}/tree/folders.sh)
heddle_script_test(tree.reproducible tree ${heddle_tests}/tree/reproducible.sh)
heddle_script_test(tree.two_builds tree ${heddle_tests}/tree/two_builds.sh)
heddle_script_test(tree.numeric_mutations tree ${heddle_tests}/mutation/numerics.sh)
set_tests_properties(${HEDDLE_TEST_PREFIX}tree.numeric_mutations PROPERTIES TIMEOUT 7200)
heddle_script_test(tree.abi tree ${heddle_tests}/tree/abi.sh)
heddle_script_test(tree.misuse tree ${heddle_tests}/consumers/misuse.sh)
heddle_script_test(tree.header tree ${heddle_tests}/consumers/header.sh)
heddle_script_test(tree.fast_math tree ${heddle_tests}/consumers/fast_math.sh)
heddle_script_test(tree.probe tree ${heddle_tests}/consumers/probe.sh)
heddle_script_test(tree.math tree ${heddle_tests}/consumers/math.sh)
heddle_script_test(tree.flags_aarch64 tree ${heddle_tests}/consumers/flags_aarch64.sh)

# Consumers share one installed tree, made first; its folder is moved once, since it may be.
heddle_script_test(consumer.install consumer ${heddle_tests}/consumers/install.sh)
set_tests_properties(${HEDDLE_TEST_PREFIX}consumer.install PROPERTIES FIXTURES_SETUP heddle_installed)
foreach(way find_package pkg_config add_subdirectory plain_cc flags languages
            inherited_flags static_size)
    heddle_script_test(consumer.${way} consumer ${heddle_tests}/consumers/${way}.sh)
endforeach()
heddle_script_test(docs.numerics docs ${heddle_tests}/docs/numerics.sh)
heddle_script_test(docs.snippets docs ${heddle_tests}/docs/snippets.sh)
foreach(name consumer.find_package consumer.pkg_config consumer.plain_cc consumer.flags consumer.languages
             consumer.static_size docs.snippets tree.reproducible)
    set_tests_properties(${HEDDLE_TEST_PREFIX}${name} PROPERTIES FIXTURES_REQUIRED heddle_installed)
endforeach()
