# SPDX-License-Identifier: Apache-2.0
# What can be chosen, and the flags every file of ours is compiled with. Inside another project
# (add_subdirectory) nothing but the library is built, and no build type is chosen.

option(HEDDLE_WERROR "Treat warnings as errors" OFF)
option(HEDDLE_HARDEN "Stack protectors, checked copies, read-only relocations and the like (cmake/harden.cmake)"
       ${PROJECT_IS_TOP_LEVEL})
option(HEDDLE_PROGRAM "Build the program heddle" ${PROJECT_IS_TOP_LEVEL})
option(HEDDLE_MPI "Build libheddle-mpi, where an MPI is found" ${PROJECT_IS_TOP_LEVEL})
option(HEDDLE_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(HEDDLE_INSTALL "Make install rules" ${PROJECT_IS_TOP_LEVEL})
option(HEDDLE_DOCS "Build and install HTML pages of the public headers (doxygen)" OFF)
option(HEDDLE_PEERS "Build the libraries heddle bench compares with, as far as they are found"
       ${PROJECT_IS_TOP_LEVEL})
option(HEDDLE_FUZZ "Build the fuzzers with libFuzzer (clang); else they replay their corpora" OFF)
option(HEDDLE_COVERAGE "Count executed lines (gcov)" OFF)
option(HEDDLE_TREE_TESTS "Test the tree too: format, docs, exported symbols, installed consumers" ON)
option(HEDDLE_TEST_SMALL "Run the tests on reduced sizes" OFF)
# AddressSanitizer's search for leaks begins by a walk over 2^28 bytes on aarch64: 4 s a process.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set(heddle_leaks_default "family|model|program")
else()
    set(heddle_leaks_default ".*")
endif()
set(HEDDLE_TEST_LEAKS "${heddle_leaks_default}" CACHE STRING
    "With AddressSanitizer: the library's tests that also look for leaks, a regular expression")
set(HEDDLE_TEST_PREFIX "" CACHE STRING "Put before the tests' names, so that builds can be told apart")
set(HEDDLE_TEST_KERNELS "${PROJECT_BINARY_DIR}/kernels" CACHE PATH
    "Where the tests keep compiled kernels; builds may share it")
set(HEDDLE_COMMIT "" CACHE STRING
    "The commit that results of heddle bench name; empty: that of the git checkout, if it is one")
set(HEDDLE_FUZZ_SECONDS 60 CACHE STRING "How long each fuzzer runs as a test")
set(HEDDLE_SANITIZE "" CACHE STRING "Sanitizers for everything built, such as address,undefined")
set(HEDDLE_SANITIZED_ISAS "all" CACHE STRING
    "With sanitizers: instruction sets whose micro-kernels are checked, such as neon;avx2; all")
set(HEDDLE_ISAS "all" CACHE STRING "Instruction sets to build, such as baseline;avx2; all; native: the best of this machine")
if(DEFINED BUILD_SHARED_LIBS)
    set(heddle_shared_default ${BUILD_SHARED_LIBS})
else()
    set(heddle_shared_default ON)
endif()
option(HEDDLE_SHARED "heddle::heddle is the shared library; the static one is built in any case"
       ${heddle_shared_default})

# Kernels of common calls in the library: PTX takes some 20 s of one core to make, once, and 1 MB;
# machine code 40 s and 2 MB an architecture.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CROSSCOMPILING AND NOT HEDDLE_SANITIZE AND NOT HEDDLE_COVERAGE
   AND NOT HEDDLE_FUZZ AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(heddle_precompiled_default ON)
else()
    set(heddle_precompiled_default OFF)
endif()
option(HEDDLE_PRECOMPILED_KERNELS "Compile common GPU kernels into the library, where NVRTC or clang is found"
       ${heddle_precompiled_default})
set(HEDDLE_PRECOMPILED_ARCHS "90" CACHE STRING
    "Architectures of GPUs for which they are compiled to the end, by NVRTC: 80;90;100 ...")
option(HEDDLE_PRECOMPILED_SUMS "Compile to the end sums of i32, f32 and f64 in their largest and smallest tiles alone, for a build that is only tested" OFF)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
if(PROJECT_IS_TOP_LEVEL)
    if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
        set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
    endif()
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

# OpenMP by its flags and libraries, not by its imported target, which a parent project or the
# user of the installed package would have to find again.
find_package(OpenMP REQUIRED COMPONENTS C)
separate_arguments(HEDDLE_OPENMP_FLAGS NATIVE_COMMAND "${OpenMP_C_FLAGS}")
set(HEDDLE_OPENMP_LIBRARIES ${OpenMP_C_LIBRARIES})

# Contraction would change float results (numerics.md), and so would flags that a project around
# this one may have set: they are taken back. At link time gcc inlines across files whatever their
# -ffp-contract, so that a caller's flags would reach into the library: it is made of ordinary
# objects.
set(HEDDLE_FLAGS -Wall -Wextra -Wpedantic -ffp-contract=off -fno-math-errno -fno-trapping-math
                 -fvisibility=hidden)
get_directory_property(heddle_inherited COMPILE_OPTIONS)
string(TOUPPER "CMAKE_C_FLAGS_${CMAKE_BUILD_TYPE}" heddle_flags_of_type)
string(PREPEND heddle_inherited "${CMAKE_C_FLAGS};${${heddle_flags_of_type}};")
if(heddle_inherited MATCHES "-Ofast|-ffp-model|-math|-fno-signed-zeros|-fno-honor")
    list(PREPEND HEDDLE_FLAGS -fno-fast-math)
endif()
if(heddle_inherited MATCHES "-flto")
    list(APPEND HEDDLE_FLAGS -fno-lto)
endif()
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)
set(HEDDLE_LINK_FLAGS "")
if(HEDDLE_WERROR)
    list(APPEND HEDDLE_FLAGS -Werror)
endif()
if(HEDDLE_SANITIZE)
    list(APPEND HEDDLE_FLAGS -fsanitize=${HEDDLE_SANITIZE} -fno-sanitize-recover=all
                             -fno-omit-frame-pointer -g1)
    list(APPEND HEDDLE_LINK_FLAGS -fsanitize=${HEDDLE_SANITIZE})
    # Programs at a fixed address: the sanitizers' tables have 850,000 pointers, which the loader
    # would relocate at every start (37 ms of core time a process, 20 without).
    if(HEDDLE_SANITIZE MATCHES "address")
        list(APPEND HEDDLE_LINK_FLAGS $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
        if(CMAKE_C_COMPILER_ID MATCHES "Clang") # which gcc defines
            list(APPEND HEDDLE_FLAGS -D__SANITIZE_ADDRESS__=1)
        endif()
    endif()
endif()
if(HEDDLE_FUZZ)
    list(APPEND HEDDLE_FLAGS -fsanitize=fuzzer-no-link)
endif()
if(HEDDLE_COVERAGE)
    list(APPEND HEDDLE_FLAGS --coverage -fprofile-update=atomic)
    list(APPEND HEDDLE_LINK_FLAGS --coverage)
endif()
# Sanitizers look at more, in their own way.
if(HEDDLE_HARDEN AND NOT HEDDLE_SANITIZE AND NOT HEDDLE_FUZZ)
    include(cmake/harden.cmake)
endif()
include(cmake/reproducible.cmake)

# heddle_compile(target): our flags, OpenMP and the sources' include folders.
function(heddle_compile target)
    target_compile_options(${target} PRIVATE ${HEDDLE_FLAGS} ${HEDDLE_OPENMP_FLAGS})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include
                                                 ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
    target_link_options(${target} PRIVATE ${HEDDLE_LINK_FLAGS})
endfunction()

# heddle_glob(variable patterns...): the files of a folder that may not be there yet. An archive or
# object library needs at least one file: where there is none, an empty one stands in.
function(heddle_glob variable)
    list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE patterns)
    file(GLOB files CONFIGURE_DEPENDS ${patterns})
    set(${variable} ${files} PARENT_SCOPE)
endfunction()

set(HEDDLE_EMPTY_FILE ${PROJECT_BINARY_DIR}/empty.c)
file(CONFIGURE OUTPUT ${HEDDLE_EMPTY_FILE} CONTENT "typedef int heddle_nothing_here;\n")
