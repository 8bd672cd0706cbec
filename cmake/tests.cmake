# SPDX-License-Identifier: Apache-2.0
# The tests. A file tests/FOLDER/test_NAME.c is one program and one test; exit 0 passes, 77 skips. A
# line "// compile: FLAGS" in it adds compiler flags, "// link: TARGETS" what is linked. A file
# tests/cli/FOLDER/NAME.sh is one test, run by bash in a fresh folder with HEDDLE naming the
# program. A file tests/fuzz/fuzz_NAME.c is a fuzzer. HEDDLE_TEST_SMALL=1 and HEDDLE_TEST_HUGE=1 in
# the environment shrink and stretch the sizes.

set(heddle_in_folder ${PROJECT_SOURCE_DIR}/tests/support/in_fresh_folder.sh)

# heddle_test(name label command...): one test. Reduced sizes exclude huge ones. With coverage
# every test comes before the count of lines (below).
function(heddle_test name label)
    set(full ${HEDDLE_TEST_PREFIX}${name})
    add_test(NAME ${full} COMMAND ${ARGN})
    set_tests_properties(${full} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900 LABELS ${label})
    # Builds share compiled kernels: the sanitized test finds those of its namesake, which is not
    # built when ctest runs the one build alone.
    if(HEDDLE_TEST_PREFIX STREQUAL "asan." AND name MATCHES "^(library|cli)")
        set_tests_properties(${full} PROPERTIES DEPENDS ${name})
    endif()
    set(environment
        HEDDLE=${PROJECT_BINARY_DIR}/heddle SOURCE=${PROJECT_SOURCE_DIR} BUILD=${PROJECT_BINARY_DIR}
        CC=${CMAKE_C_COMPILER}
        # What one test has compiled for the model machine the next need not.
        HEDDLE_CACHE_DIR=${HEDDLE_TEST_KERNELS}
        # Several tests share the cores: a thread that waits gives its core away.
        OMP_WAIT_POLICY=passive)
    # Sanitizers: a request for too much memory fails as it would without them; libomp, which is not
    # instrumented, tells ThreadSanitizer what it does. Looking for leaks takes seconds a process on
    # some machines: the library's tests do it as chosen, tests/core/test_program.c for some runs of
    # the program.
    set(asan allocator_may_return_null=1)
    if(NOT label STREQUAL "library" OR NOT name MATCHES "${HEDDLE_TEST_LEAKS}")
        string(APPEND asan :detect_leaks=0)
    endif()
    list(APPEND environment ASAN_OPTIONS=${asan}
         TSAN_OPTIONS=allocator_may_return_null=1:ignore_noninstrumented_modules=1)
    # Long ones first, so that none is left alone at the end. Later runs use measured times.
    if(name MATCHES "^(cli.(large|ladder)|library.(reduce|scan|sort|bits|gpu|family|model_run)|consumer.add_subdirectory)")
        set_tests_properties(${full} PROPERTIES COST 100)
    endif()
    if(HEDDLE_TEST_SMALL)
        list(APPEND environment HEDDLE_TEST_SMALL=1)
        set_tests_properties(${full} PROPERTIES ENVIRONMENT_MODIFICATION HEDDLE_TEST_HUGE=unset:)
    endif()
    set_tests_properties(${full} PROPERTIES ENVIRONMENT "${environment}")
    if(HEDDLE_COVERAGE)
        set_tests_properties(${full} PROPERTIES FIXTURES_REQUIRED heddle_coverage)
    endif()
endfunction()

# heddle_script_test(name label script arguments...): a bash script in a fresh folder.
function(heddle_script_test name label)
    heddle_test(${name} ${label} bash ${heddle_in_folder} ${ARGN})
endfunction()

# What tests share (tests/support/ and the drivers of tests/hostile/) is linked to each of them.
heddle_glob(heddle_test_files tests/*/test_*.c)
heddle_glob(heddle_test_helpers tests/support/*.c tests/hostile/hostile*.c)
add_library(heddle_test_helpers STATIC ${heddle_test_helpers})
heddle_compile(heddle_test_helpers)
target_link_libraries(heddle_test_helpers PUBLIC heddle_io)

# Tests are compiled fast rather than made fast; a file's own "// compile:" comes later.
function(heddle_test_program name)
    add_executable(${name} ${ARGN})
    heddle_compile(${name})
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    target_compile_definitions(${name} PRIVATE HEDDLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                               HEDDLE_FAKE_DIR="${PROJECT_BINARY_DIR}/fake")
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    target_link_libraries(${name} PRIVATE heddle_test_helpers)
endfunction()

# The fuzzers' own build has nothing else.
if(HEDDLE_FUZZ)
    set(heddle_test_files "")
endif()

# With AddressSanitizer the tests of a folder are one program, tests/family/family.c, where a test's
# main is called main_of_NAME: linking is a fifth of that build. A test stays a test of its own, but
# for those of heddle_families, which run in one process: looking for leaks takes seconds a process
# on some machines. Files with flags or libraries of their own stay programs.
set(heddle_folders "")
if(HEDDLE_SANITIZE MATCHES "address" AND NOT HEDDLE_FUZZ)
    set(heddle_folders reduce scan move select sort stencil histogram list numerics core gpu io model)
endif()
set(heddle_families io model)
# These change what others compile with, fork, or have libraries of their own.
set(heddle_alone "^(model_(compilers|cached|memory)|cuda_fake|gpu_staging|gpu_graph|fork)$")

foreach(folder IN LISTS heddle_folders)
    set(mains "")
    set(rows "")
    set(files "")
    set(names "")
    foreach(file IN LISTS heddle_test_files)
        get_filename_component(short ${file} NAME_WE)
        string(REPLACE "test_" "" short ${short})
        file(STRINGS ${file} own REGEX "^// (compile|link): " LIMIT_COUNT 1)
        if(NOT file MATCHES "/tests/${folder}/" OR short MATCHES "${heddle_alone}" OR own)
            continue()
        endif()
        set_source_files_properties(${file} PROPERTIES COMPILE_DEFINITIONS main=main_of_${short})
        string(APPEND mains "int main_of_${short}(void);\n")
        string(APPEND rows "    {\"${short}\", main_of_${short}},\n")
        list(APPEND files ${file})
        list(APPEND names ${short})
    endforeach()
    list(REMOVE_ITEM heddle_test_files ${files})
    set(table ${PROJECT_BINARY_DIR}/family_${folder}.c)
    file(CONFIGURE OUTPUT ${table} @ONLY CONTENT
         "#include \"tests/family/family.h\"\n${mains}const family_test family[] = {\n${rows}    {0, 0},\n};\n")
    heddle_test_program(test_family_${folder} tests/family/family.c ${table} ${files})
    if(folder IN_LIST heddle_families)
        heddle_test(library.family_${folder} library test_family_${folder})
    else()
        foreach(short IN LISTS names)
            heddle_test(library.${short} library test_family_${folder} ${short})
        endforeach()
    endif()
endforeach()

foreach(file IN LISTS heddle_test_files)
    get_filename_component(name ${file} NAME_WE)
    heddle_test_program(${name} ${file})
    file(STRINGS ${file} flags REGEX "^// compile: " LIMIT_COUNT 1)
    if(flags)
        string(REPLACE "// compile: " "" flags "${flags}")
        separate_arguments(flags UNIX_COMMAND "${flags}")
        target_compile_options(${name} PRIVATE ${flags})
    endif()
    file(STRINGS ${file} linked REGEX "^// link: " LIMIT_COUNT 1)
    if(linked)
        string(REPLACE "// link: " "" linked "${linked}")
        separate_arguments(linked UNIX_COMMAND "${linked}")
        target_link_libraries(${name} PRIVATE ${linked})
    endif()
    string(REPLACE "test_" "" short ${name})
    heddle_test(library.${short} library ${name})
endforeach()

# Libraries that tests name in the place of CUDA's: fake/NAME.so.
function(heddle_fake name file)
    add_library(heddle_fake_${name} MODULE ${PROJECT_SOURCE_DIR}/tests/fake/${file})
    heddle_compile(heddle_fake_${name})
    target_link_libraries(heddle_fake_${name} PRIVATE heddle_static)
    target_link_options(heddle_fake_${name} PRIVATE -Wl,-Bsymbolic -Wl,--exclude-libs,ALL)
    set_target_properties(heddle_fake_${name} PROPERTIES PREFIX "" SUFFIX .so OUTPUT_NAME ${name}
                          LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fake)
    foreach(test IN ITEMS test_cuda_fake test_gpu_staging test_gpu_graph)
        add_dependencies(${test} heddle_fake_${name})
    endforeach()
endfunction()
if(TARGET test_cuda_fake)
    heddle_fake(driver driver.c)
    heddle_fake(old_driver driver.c)
    target_compile_definitions(heddle_fake_old_driver PRIVATE OLD)
    heddle_fake(old_nvrtc nvrtc.c)
    heddle_fake(plain_nvrtc nvrtc.c)
    target_compile_definitions(heddle_fake_plain_nvrtc PRIVATE PLAIN)
endif()

# Scripts whose name starts with "_" or is lib.sh are for the others to source.
heddle_glob(heddle_cli_tests tests/cli/*.sh tests/cli/*/*.sh)
list(FILTER heddle_cli_tests EXCLUDE REGEX "/(_[^/]*|lib|common|helpers?)[.]sh$")
if(HEDDLE_FUZZ)
    set(heddle_cli_tests "")
endif()
foreach(file IN LISTS heddle_cli_tests)
    get_filename_component(name ${file} NAME_WE)
    heddle_script_test(cli.${name} cli ${file})
endforeach()

# Fuzzers: with HEDDLE_FUZZ libFuzzer drives them, from their corpus on, for a while; else
# tests/fuzz/replay.c runs them over the corpus.
heddle_glob(heddle_fuzzers tests/fuzz/fuzz_*.c)
set(heddle_replay ${PROJECT_SOURCE_DIR}/tests/fuzz/replay.c)
foreach(file IN LISTS heddle_fuzzers)
    get_filename_component(name ${file} NAME_WE)
    string(REPLACE "fuzz_" "" short ${name})
    set(corpus ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${short})
    if(HEDDLE_FUZZ)
        heddle_test_program(${name} ${file})
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        set(found ${PROJECT_BINARY_DIR}/found/${short})
        file(MAKE_DIRECTORY ${found})
        heddle_test(fuzz.${short} fuzz ${name} -max_total_time=${HEDDLE_FUZZ_SECONDS} -timeout=10
                    -print_final_stats=1 -artifact_prefix=${found}/ ${found} ${corpus})
    elseif(EXISTS ${heddle_replay})
        heddle_test_program(${name} ${file} ${heddle_replay})
        heddle_test(fuzz.${short} fuzz ${name} ${corpus})
    else()
        continue()
    endif()
    target_link_libraries(${name} PRIVATE heddle_cli)
endforeach()

# Examples: each is built, run, and its output compared with examples/NAME.expected.
heddle_glob(heddle_examples examples/*.c examples/*.cpp)
include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    set(CMAKE_CXX_STANDARD 11)
else()
    list(FILTER heddle_examples EXCLUDE REGEX "[.]cpp$")
endif()
if(HEDDLE_FUZZ)
    set(heddle_examples "")
endif()
foreach(file IN LISTS heddle_examples)
    get_filename_component(name ${file} NAME_WE)
    heddle_test_program(example_${name} ${file})
    heddle_script_test(example.${name} example ${PROJECT_SOURCE_DIR}/tests/support/example.sh
                       $<TARGET_FILE:example_${name}> ${PROJECT_SOURCE_DIR}/examples/${name}.expected)
endforeach()

if(HEDDLE_COVERAGE)
    add_test(NAME coverage.clear COMMAND find ${PROJECT_BINARY_DIR} -name *.gcda -delete)
    add_test(NAME coverage.lines COMMAND bash ${PROJECT_SOURCE_DIR}/scripts/coverage.sh
                                         ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
    set_tests_properties(coverage.clear PROPERTIES FIXTURES_SETUP heddle_coverage)
    set_tests_properties(coverage.lines PROPERTIES FIXTURES_CLEANUP heddle_coverage)
endif()

if(HEDDLE_TREE_TESTS)
    include(cmake/tree_tests.cmake)
endif()
