# SPDX-License-Identifier: Apache-2.0
# The tests. A file tests/test_NAME.c is one program and one test; exit 0 passes, 77 skips. A line
# "// compile: FLAGS" in its head adds compiler flags. A file tests/cli/NAME.sh is one test, run by
# bash in a fresh folder with HEDDLE naming the program. A file tests/fuzz/fuzz_NAME.c is a fuzzer.
# HEDDLE_TEST_SMALL=1 and HEDDLE_TEST_HUGE=1 in the environment shrink and stretch the sizes.

set(heddle_in_folder ${PROJECT_SOURCE_DIR}/tests/in_fresh_folder.sh)

# Files of tests/ that are no tests themselves are linked to each of them.
heddle_glob(heddle_test_files tests/*.c)
set(heddle_test_helpers ${heddle_test_files})
list(FILTER heddle_test_files INCLUDE REGEX "/test_[^/]*$")
list(FILTER heddle_test_helpers EXCLUDE REGEX "/test_[^/]*$")

function(heddle_test_program name)
    add_executable(${name} ${ARGN})
    heddle_compile(${name})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_compile_definitions(${name} PRIVATE HEDDLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    target_link_libraries(${name} PRIVATE heddle_io m)
endfunction()

foreach(file IN LISTS heddle_test_files)
    get_filename_component(name ${file} NAME_WE)
    heddle_test_program(${name} ${file} ${heddle_test_helpers})
    file(STRINGS ${file} flags REGEX "^// compile: " LIMIT_COUNT 1)
    if(flags)
        string(REPLACE "// compile: " "" flags "${flags}")
        separate_arguments(flags UNIX_COMMAND "${flags}")
        target_compile_options(${name} PRIVATE ${flags})
    endif()
    string(REPLACE "test_" "" short ${name})
    add_test(NAME library.${short} COMMAND ${name})
    set_tests_properties(library.${short} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600 LABELS library)
endforeach()

# heddle_script_test(name script label arguments...): a bash script in a fresh folder.
function(heddle_script_test name script label)
    add_test(NAME ${name} COMMAND bash ${heddle_in_folder} ${script} ${ARGN})
    set_tests_properties(
        ${name}
        PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600 LABELS ${label}
                   ENVIRONMENT "HEDDLE=${PROJECT_BINARY_DIR}/heddle;SOURCE=${PROJECT_SOURCE_DIR};BUILD=${PROJECT_BINARY_DIR};CC=${CMAKE_C_COMPILER};CXX=${CMAKE_CXX_COMPILER}")
endfunction()

# Scripts whose name starts with "_" or is lib.sh are for the others to source.
heddle_glob(heddle_cli_tests tests/cli/*.sh)
list(FILTER heddle_cli_tests EXCLUDE REGEX "/(_[^/]*|lib|common)[.]sh$")
foreach(file IN LISTS heddle_cli_tests)
    get_filename_component(name ${file} NAME_WE)
    heddle_script_test(cli.${name} ${file} cli)
endforeach()

# Fuzzers: with HEDDLE_FUZZ libFuzzer drives them; else tests/fuzz/replay.c does, over the corpus.
heddle_glob(heddle_fuzzers tests/fuzz/fuzz_*.c)
set(heddle_replay ${PROJECT_SOURCE_DIR}/tests/fuzz/replay.c)
foreach(file IN LISTS heddle_fuzzers)
    get_filename_component(name ${file} NAME_WE)
    string(REPLACE "fuzz_" "" short ${name})
    set(corpus ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${short})
    if(HEDDLE_FUZZ)
        heddle_test_program(${name} ${file})
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        add_test(NAME fuzz.${short} COMMAND ${name} -runs=0 ${corpus})
    elseif(EXISTS ${heddle_replay})
        heddle_test_program(${name} ${file} ${heddle_replay})
        add_test(NAME fuzz.${short} COMMAND ${name} ${corpus})
    else()
        continue()
    endif()
    target_link_libraries(${name} PRIVATE heddle_cli)
    set_tests_properties(fuzz.${short} PROPERTIES LABELS fuzz TIMEOUT 600)
endforeach()
