# SPDX-License-Identifier: Apache-2.0
# The tests. A file tests/FOLDER/test_NAME.c is one program and one test; exit 0 passes, 77 skips. A
# line "// compile: FLAGS" in it adds compiler flags, "// link: TARGETS" what is linked. A file
# tests/cli/FOLDER/NAME.sh is one test, run by bash in a fresh folder with HEDDLE naming the
# program. A file tests/fuzz/fuzz_NAME.c is a fuzzer. HEDDLE_TEST_SMALL=1 and HEDDLE_TEST_HUGE=1 in
# the environment shrink and stretch the sizes.

set(heddle_in_folder ${PROJECT_SOURCE_DIR}/tests/support/in_fresh_folder.sh)

set(HEDDLE_TESTED_KERNELS none)
if(HEDDLE_PRECOMPILED_KERNELS)
    set(HEDDLE_TESTED_KERNELS ${PROJECT_BINARY_DIR}/${HEDDLE_KERNELS_NAME})
endif()

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
        # Programs of tests are in a folder of their own, below the kernels of their build.
        HEDDLE_KERNELS=${HEDDLE_TESTED_KERNELS}
        # Several tests share the cores: a thread that waits gives its core away.
        OMP_WAIT_POLICY=passive)
    # Sanitizers: a request for too much memory fails as it would without them; libomp, which is not
    # instrumented, tells ThreadSanitizer what it does. Looking for leaks takes seconds a process on
    # some machines: the library's tests do it as chosen, tests/core/test_program.c for some runs of
    # the program.
    set(asan allocator_may_return_null=1:handle_sigill=1:intercept_tls_get_addr=0)
    if(NOT label STREQUAL "library" OR NOT name MATCHES "${HEDDLE_TEST_LEAKS}")
        string(APPEND asan :detect_leaks=0)
    endif()
    list(APPEND environment ASAN_OPTIONS=${asan}
         "LSAN_OPTIONS=print_suppressions=0:suppressions=\"${PROJECT_SOURCE_DIR}/tests/family/leaks.txt\""
         TSAN_OPTIONS=allocator_may_return_null=1:ignore_noninstrumented_modules=1)
    # Long ones first, so that none is left alone at the end. Later runs use measured times.
    if(name MATCHES "^(cli.(ladder|bits)|library.(bits_archive|gpu_mutation|variance_offset|reduce|cpu_tuning|family_model)|tree.peers)$")
        set_tests_properties(${full} PROPERTIES COST 200)
    elseif(name MATCHES "^(cli.(large|bench|grade)|library.(reduce|scan|scatter|gather|sort|bits|gpu|family|model_run|sum_scans|histogram|cancel|lex|tridiagonal|layout|hull|monotone)|consumer.(add_subdirectory|flags)|tree.(math|folders|format|header)|docs.snippets)")
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
heddle_glob(heddle_test_helpers tests/support/*.c tests/support/*/*.c tests/hostile/hostile*.c)
add_library(heddle_test_helpers STATIC ${heddle_test_helpers})
heddle_compile(heddle_test_helpers)
# The oracles and what fills and compares arrays are half of the time of some sanitized tests, and
# not what is looked at: no texts of users' operators are there, which are the headers' loops.
if(HEDDLE_SANITIZE MATCHES "address")
    heddle_glob(heddle_test_oracles tests/support/*.c)
    set_property(SOURCE ${heddle_test_oracles} APPEND PROPERTY COMPILE_OPTIONS -O1 -fno-sanitize=address,undefined)
endif()
target_link_libraries(heddle_test_helpers PUBLIC heddle_io)

# Tests are compiled fast rather than made fast; a file's own "// compile:" comes later. They are
# most of what is linked: by the fastest linker that is here.
include(CheckLinkerFlag)
set(heddle_fast_linker "")
foreach(linker lld gold)
    check_linker_flag(C -fuse-ld=${linker} HEDDLE_LINKS_WITH_${linker})
    if(HEDDLE_LINKS_WITH_${linker} AND NOT heddle_fast_linker)
        set(heddle_fast_linker -fuse-ld=${linker})
    endif()
endforeach()

function(heddle_test_program name)
    add_executable(${name} ${ARGN})
    heddle_compile(${name})
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    target_compile_definitions(${name} PRIVATE HEDDLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                               HEDDLE_FAKE_DIR="${PROJECT_BINARY_DIR}/fake")
    target_link_options(${name} PRIVATE ${heddle_fast_linker})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    target_link_libraries(${name} PRIVATE heddle_test_helpers)
endfunction()

# The fuzzers' own build has nothing else.
if(HEDDLE_FUZZ)
    set(heddle_test_files "")
endif()

# heddle_own_lines(file): what its lines "// compile:" and "// link:" ask for, as lists.
function(heddle_own_lines file)
    foreach(word compile link)
        file(STRINGS ${file} line REGEX "^// ${word}: " LIMIT_COUNT 1)
        string(REPLACE "// ${word}: " "" line "${line}")
        separate_arguments(line UNIX_COMMAND "${line}")
        set(own_${word} ${line} PARENT_SCOPE)
    endforeach()
endfunction()

# With AddressSanitizer the tests are one program, tests/family/family.c, where a test's main is
# called main_of_NAME: a link takes a second of core time there. A test stays a test of its own, but
# for those of heddle_families, which run in one process a folder: looking for leaks takes seconds a
# process on some machines. Programs of their own stay those that change what others compile with,
# fork, include files of the program, or start themselves with arguments.
set(heddle_families io model)
set(heddle_alone "^(model_(compilers|cached|memory)|fork|bench_.*)$")
set(heddle_together "")
if(HEDDLE_SANITIZE MATCHES "address" AND NOT HEDDLE_FUZZ)
    set(mains "")
    set(rows "")
    set(linked "")
    foreach(file IN LISTS heddle_test_files)
        get_filename_component(short ${file} NAME_WE)
        string(REPLACE "test_" "" short ${short})
        get_filename_component(folder ${file} DIRECTORY)
        get_filename_component(folder ${folder} NAME)
        file(STRINGS ${file} arguments REGEX "^int main\\(int" LIMIT_COUNT 1)
        if(arguments OR short MATCHES "${heddle_alone}")
            continue()
        endif()
        heddle_own_lines(${file})
        set_source_files_properties(${file} PROPERTIES COMPILE_DEFINITIONS main=main_of_${short}
                                                       COMPILE_OPTIONS "${own_compile}")
        list(APPEND linked ${own_link})
        list(APPEND heddle_together ${file})
        string(APPEND mains "int main_of_${short}(void);\n")
        string(APPEND rows "    {\"${folder}\", \"${short}\", main_of_${short}},\n")
        if(folder IN_LIST heddle_families)
            list(APPEND heddle_names_${folder} library.${short})
        else()
            heddle_test(library.${short} library test_family ${short})
        endif()
    endforeach()
    list(REMOVE_ITEM heddle_test_files ${heddle_together})
    set(table ${PROJECT_BINARY_DIR}/family_table.c)
    file(CONFIGURE OUTPUT ${table} @ONLY CONTENT
         "#include \"tests/family/family.h\"\n${mains}const family_test family[] = {\n${rows}    {0, 0, 0},\n};\n")
    heddle_test_program(test_family tests/family/family.c ${table} ${heddle_together})
    target_link_libraries(test_family PRIVATE ${linked})
    foreach(folder IN LISTS heddle_families)
        heddle_test(library.family_${folder} library test_family ${folder}/)
        if(HEDDLE_TEST_PREFIX STREQUAL "asan.") # whose kernels are those of the other build's tests
            set_tests_properties(asan.library.family_${folder} PROPERTIES DEPENDS "${heddle_names_${folder}}")
        endif()
    endforeach()
endif()

foreach(file IN LISTS heddle_test_files)
    get_filename_component(name ${file} NAME_WE)
    heddle_test_program(${name} ${file})
    heddle_own_lines(${file})
    target_compile_options(${name} PRIVATE ${own_compile})
    target_link_libraries(${name} PRIVATE ${own_link})
    string(REPLACE "test_" "" short ${name})
    heddle_test(library.${short} library ${name})
endforeach()

# Libraries that tests name in the place of CUDA's: fake/NAME.so.
function(heddle_fake name file)
    add_library(heddle_fake_${name} MODULE ${PROJECT_SOURCE_DIR}/tests/fake/${file})
    heddle_compile(heddle_fake_${name})
    target_link_libraries(heddle_fake_${name} PRIVATE heddle_model_static)
    target_link_options(heddle_fake_${name} PRIVATE -Wl,-Bsymbolic -Wl,--exclude-libs,ALL)
    set_target_properties(heddle_fake_${name} PROPERTIES PREFIX "" SUFFIX .so OUTPUT_NAME ${name}
                          LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fake)
    foreach(test IN ITEMS test_cuda_fake test_gpu_staging test_gpu_graph
            test_gpu_streams test_gpu_allocator test_gpu_views test_auto)
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

# Over MPI: a program for each MPI that is found, run by a script on several numbers of ranks. Not
# under sanitizers, which report what MPI itself does.
if(HEDDLE_MPI AND NOT HEDDLE_SANITIZE AND NOT HEDDLE_FUZZ AND NOT HEDDLE_COVERAGE)
    foreach(mpi openmpi mpich)
        find_program(HEDDLE_MPICC_${mpi} mpicc.${mpi})
        find_program(HEDDLE_MPIRUN_${mpi} mpirun.${mpi})
        mark_as_advanced(HEDDLE_MPICC_${mpi} HEDDLE_MPIRUN_${mpi})
        if(HEDDLE_MPICC_${mpi} AND HEDDLE_MPIRUN_${mpi})
            heddle_mpi_flags(${HEDDLE_MPICC_${mpi}} heddle_${mpi})
        endif()
        if(heddle_${mpi}_found)
            heddle_mpi_objects(heddle_mpi_objects_${mpi} heddle_${mpi})
            heddle_glob(heddle_mpi_tests tests/mpi/*.c)
            add_executable(test_mpi_${mpi} ${heddle_mpi_tests} $<TARGET_OBJECTS:heddle_mpi_objects_${mpi}>)
            heddle_compile(test_mpi_${mpi})
            target_include_directories(test_mpi_${mpi} SYSTEM PRIVATE ${heddle_${mpi}_includes})
            target_link_libraries(test_mpi_${mpi} PRIVATE heddle_test_helpers heddle_static
                                  ${heddle_${mpi}_links})
            set_target_properties(test_mpi_${mpi} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
            set(run ${PROJECT_SOURCE_DIR}/tests/mpi/ranks.sh ${HEDDLE_MPIRUN_${mpi}} $<TARGET_FILE:test_mpi_${mpi}>)
            heddle_script_test(mpi.${mpi} mpi ${run})
            heddle_script_test(mpi.delays.${mpi} mpi ${run} delays)
            heddle_script_test(mpi.devices.${mpi} mpi ${run} devices)
            heddle_script_test(mpi.killed.${mpi} mpi ${run} killed)
            foreach(test mpi.${mpi} mpi.delays.${mpi})
                # Of ./test --all they take many times as long.
                set_tests_properties(${HEDDLE_TEST_PREFIX}${test} PROPERTIES PROCESSORS 2 TIMEOUT 7200)
            endforeach()
            heddle_mpi_bars(${mpi})
            set_tests_properties(${HEDDLE_TEST_PREFIX}mpi.delays.${mpi} PROPERTIES
                                 ENVIRONMENT_MODIFICATION "HEDDLE_TEST_RANKS=set:3 7")
            set_tests_properties(${HEDDLE_TEST_PREFIX}mpi.devices.${mpi} PROPERTIES
                                 ENVIRONMENT_MODIFICATION "HEDDLE_TEST_RANKS=set:1 3")
            # The program, too: each script of tests/mpi/program/ with each MPI.
            if(TARGET heddle_program)
                heddle_mpi_program(heddle_mpi_program_${mpi} heddle_mpi_objects_${mpi} heddle_${mpi})
                set_target_properties(heddle_mpi_program_${mpi} PROPERTIES
                                      RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/${mpi})
                heddle_glob(heddle_mpi_scripts tests/mpi/program/[a-z]*.sh)
                foreach(script IN LISTS heddle_mpi_scripts)
                    get_filename_component(name ${script} NAME_WE)
                    heddle_script_test(mpi.program.${name}.${mpi} mpi ${script} ${HEDDLE_MPIRUN_${mpi}}
                                       $<TARGET_FILE:heddle_mpi_program_${mpi}> ${mpi})
                    set_tests_properties(${HEDDLE_TEST_PREFIX}mpi.program.${name}.${mpi} PROPERTIES PROCESSORS 2)
                endforeach()
            endif()
        endif()
    endforeach()
endif()

# The same calls with ranks that are threads, over the few calls of MPI of tests/mpi/threads: no MPI
# is needed, and sanitizers see all of it. ThreadSanitizer sees the message layer over the library
# as users get it, whose own threads are the subject of the tests of the preset tsan.
if(NOT HEDDLE_SANITIZE MATCHES "thread" AND NOT HEDDLE_FUZZ AND NOT HEDDLE_COVERAGE)
    set(heddle_threads_includes ${PROJECT_SOURCE_DIR}/tests/mpi/threads)
    heddle_glob(files tests/mpi/*.c tests/mpi/threads/*.c)
    list(FILTER files EXCLUDE REGEX "/mpi/(main|messages|delays|profiling|direct|device_aware)[.]c$")
    function(heddle_mpi_threads name test)
        heddle_mpi_objects(heddle_mpi_objects_${name} heddle_threads)
        heddle_test_program(test_mpi_${name} ${files} $<TARGET_OBJECTS:heddle_mpi_objects_${name}>)
        target_include_directories(test_mpi_${name} SYSTEM PRIVATE ${heddle_threads_includes})
        heddle_test(${test} mpi test_mpi_${name})
    endfunction()
    heddle_mpi_threads(threads mpi.threads)
    include(CheckCSourceCompiles)
    set(CMAKE_REQUIRED_FLAGS -fsanitize=thread)
    check_c_source_compiles("int main(void) { return 0; }" HEDDLE_HAS_THREAD_SANITIZER)
    unset(CMAKE_REQUIRED_FLAGS)
    if(HEDDLE_HAS_THREAD_SANITIZER AND NOT HEDDLE_SANITIZE)
        heddle_mpi_threads(tsan mpi.threads_tsan)
        foreach(target heddle_mpi_objects_tsan test_mpi_tsan)
            target_compile_options(${target} PRIVATE -fsanitize=thread -g1 -O1)
        endforeach()
        target_link_options(test_mpi_tsan PRIVATE -fsanitize=thread)
    endif()
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

# Fuzzers: with HEDDLE_FUZZ libFuzzer drives them, from their corpus on, for a while; else one
# program, tests/fuzz/replay.c, runs each over its corpus.
heddle_glob(heddle_fuzzers tests/fuzz/fuzz_*.c)
set(targets "")
set(rows "")
foreach(file IN LISTS heddle_fuzzers)
    get_filename_component(name ${file} NAME_WE)
    string(REPLACE "fuzz_" "" short ${name})
    set(corpus ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${short})
    if(HEDDLE_FUZZ)
        heddle_test_program(${name} ${file})
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        target_link_libraries(${name} PRIVATE heddle_cli)
        set(found ${PROJECT_BINARY_DIR}/found/${short})
        file(MAKE_DIRECTORY ${found})
        heddle_test(fuzz.${short} fuzz ${name} -max_total_time=${HEDDLE_FUZZ_SECONDS} -timeout=10
                    -print_final_stats=1 -artifact_prefix=${found}/ ${found} ${corpus})
    else()
        set_source_files_properties(${file} PROPERTIES COMPILE_DEFINITIONS
            "LLVMFuzzerTestOneInput=target_${short};LLVMFuzzerCustomMutator=mutator_${short}")
        string(APPEND targets "replay_target target_${short};\n")
        string(APPEND rows "    {\"${short}\", target_${short}},\n")
        heddle_test(fuzz.${short} fuzz fuzz_replay ${short} ${corpus})
    endif()
endforeach()
if(NOT HEDDLE_FUZZ)
    set(table ${PROJECT_BINARY_DIR}/fuzz_table.c)
    file(CONFIGURE OUTPUT ${table} @ONLY CONTENT
         "#include \"tests/fuzz/replay.h\"\n${targets}const replay_row replay_rows[] = {\n${rows}    {0, 0},\n};\n")
    heddle_test_program(fuzz_replay tests/fuzz/replay.c ${table} ${heddle_fuzzers})
    target_link_libraries(fuzz_replay PRIVATE heddle_cli)
endif()

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
    # A user's program: the library's names alone.
    add_executable(example_${name} ${file})
    heddle_compile(example_${name})
    target_compile_options(example_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    target_link_libraries(example_${name} PRIVATE heddle::heddle m)
    target_link_options(example_${name} PRIVATE ${heddle_fast_linker})
    set_target_properties(example_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
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
