# SPDX-License-Identifier: Apache-2.0
# The program heddle: src/io (files), src/bits (the archive of bits),
# src/chart (pages), bench and cli. Everything but cli/main.c goes into an
# archive, so that fuzzers can link it. The program holds the library itself: it runs from anywhere.

heddle_glob(heddle_io_sources src/io/*.c src/io/*/*.c)
add_library(heddle_io STATIC ${heddle_io_sources} ${HEDDLE_EMPTY_FILE})
heddle_compile(heddle_io)
set_target_properties(heddle_io PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(heddle_io PUBLIC ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(heddle_io PUBLIC heddle_model_static m)

# PNG and .npz are for the program alone; without these packages it says which one is missing.
find_package(ZLIB)
find_package(PNG)
if(ZLIB_FOUND)
    target_compile_definitions(heddle_io PRIVATE HEDDLE_HAVE_ZLIB)
    target_link_libraries(heddle_io PRIVATE ZLIB::ZLIB)
endif()
if(PNG_FOUND)
    target_compile_definitions(heddle_io PRIVATE HEDDLE_HAVE_PNG)
    target_link_libraries(heddle_io PRIVATE PNG::PNG)
endif()

# The archive of bits, and the cases that it has the results of; the tests link it, too.
include(cmake/embed.cmake)
set(HEDDLE_EMBED_ROOT ${PROJECT_SOURCE_DIR}/src/bits)
heddle_embed(heddle_bits_table bits_texts ${PROJECT_SOURCE_DIR}/src/bits/archive.txt)
heddle_glob(heddle_bits_sources src/bits/*.c)
add_library(heddle_bits STATIC ${heddle_bits_sources} ${heddle_bits_table} ${HEDDLE_EMPTY_FILE})
heddle_compile(heddle_bits)
set_target_properties(heddle_bits PROPERTIES POSITION_INDEPENDENT_CODE ON)
if(HEDDLE_SANITIZE) # as what else its tests spend their time in
    target_compile_options(heddle_bits PRIVATE -O1)
endif()
target_include_directories(heddle_bits PUBLIC ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(heddle_bits PUBLIC heddle_model_static)

# The ladders: their kernels are part of the program as text.
heddle_glob(heddle_ladder_texts ladder/*/*.cu)
set(HEDDLE_EMBED_ROOT ${PROJECT_SOURCE_DIR}/ladder)
heddle_embed(heddle_ladder_table ladder_texts ${heddle_ladder_texts})

heddle_glob(heddle_cli_sources cli/*.c cli/*/*.c bench/accuracy/*.c bench/algorithms/*.c bench/choice/*.c bench/compositions/*.c bench/harness/*.c bench/support/*.c
            bench/latency/*.c bench/machine/*.c bench/patterns/*.c bench/peer/*.c bench/scaling/*.c src/chart/*.c ladder/*.c ladder/*/*.c)
list(APPEND heddle_cli_sources ${heddle_ladder_table})
list(REMOVE_ITEM heddle_cli_sources ${PROJECT_SOURCE_DIR}/cli/main.c)
list(FILTER heddle_cli_sources EXCLUDE REGEX "/cli/mpi/") # heddle-mpi's, below
add_library(heddle_cli STATIC ${heddle_cli_sources} ${HEDDLE_EMPTY_FILE})
heddle_compile(heddle_cli)
set_target_properties(heddle_cli PROPERTIES POSITION_INDEPENDENT_CODE ON)
# Where the peers are, seen from the program: an installed tree may move.
file(RELATIVE_PATH heddle_peers_from_program ${CMAKE_INSTALL_FULL_BINDIR}
     ${CMAKE_INSTALL_FULL_LIBDIR}/heddle/peers)
target_compile_definitions(heddle_cli
                           PRIVATE HEDDLE_PEERS_FROM_PROGRAM="${heddle_peers_from_program}")
target_link_libraries(heddle_cli PUBLIC heddle_io heddle_bits ${CMAKE_DL_LIBS})

# The commit of the build, which heddle bench --json notes.
include(cmake/commit.cmake)
set_source_files_properties(bench/harness/results_json.c PROPERTIES
                            COMPILE_DEFINITIONS "HEDDLE_COMMIT=\"${heddle_commit}\"")

if(EXISTS ${PROJECT_SOURCE_DIR}/cli/main.c)
    add_executable(heddle_program cli/main.c)
    heddle_compile(heddle_program)
    set_target_properties(heddle_program PROPERTIES OUTPUT_NAME heddle
                                                    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
                                                    POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(heddle_program PRIVATE heddle_cli)
endif()

# heddle_mpi_program(target objects variable): heddle-mpi for the MPI of heddle_mpi_flags, whose
# library's objects are these. heddle becomes it under mpirun (cli/support/launcher.h).
heddle_glob(heddle_mpi_program_sources cli/mpi/*.c)
function(heddle_mpi_program target objects variable)
    add_executable(${target} ${heddle_mpi_program_sources} $<TARGET_OBJECTS:${objects}>)
    heddle_compile(${target})
    target_include_directories(${target} SYSTEM PRIVATE ${${variable}_includes})
    target_link_libraries(${target} PRIVATE heddle_cli ${${variable}_links})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME heddle-mpi POSITION_INDEPENDENT_CODE ON)
endfunction()
if(heddle_mpi_found)
    heddle_mpi_program(heddle_mpi_program heddle_mpi_objects heddle_mpi)
    set_target_properties(heddle_mpi_program PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endif()

# How fast the model machine is; built when it is asked for: ninja model_speed.
if(EXISTS ${PROJECT_SOURCE_DIR}/bench/model/speed.c)
    add_executable(model_speed EXCLUDE_FROM_ALL bench/model/speed.c)
    heddle_compile(model_speed)
    target_compile_definitions(model_speed PRIVATE HEDDLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_link_libraries(model_speed PRIVATE heddle_model_static)
endif()

# The peers of heddle bench are C++ modules, opened at run time.
if(HEDDLE_PEERS AND NOT HEDDLE_SANITIZE AND EXISTS ${PROJECT_SOURCE_DIR}/bench/peers/CMakeLists.txt)
    include(CheckLanguage)
    check_language(CXX)
    if(CMAKE_CXX_COMPILER)
        enable_language(CXX)
        set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/peers)
        add_subdirectory(bench/peers)
        unset(CMAKE_LIBRARY_OUTPUT_DIRECTORY)
    else()
        message(STATUS "No C++ compiler: the peers of heddle bench are not built")
    endif()
endif()
