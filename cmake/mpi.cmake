# SPDX-License-Identifier: Apache-2.0
# libheddle-mpi, where an MPI is found: heddle::mpi, shared and static, by the compiler wrapper
# mpicc or the one that HEDDLE_MPICC names. Tests are built with every MPI that has a wrapper of its
# own name beside it (Debian's mpicc.openmpi and mpicc.mpich).

# heddle_mpi_flags(wrapper variable): what the wrapper adds to the compiler's command, as
# variable_includes and variable_links; variable_found: whether it works.
function(heddle_mpi_flags wrapper variable)
    set(${variable}_found FALSE PARENT_SCOPE)
    execute_process(COMMAND ${wrapper} -show OUTPUT_VARIABLE shown ERROR_QUIET RESULT_VARIABLE failed
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(failed)
        return()
    endif()
    separate_arguments(words UNIX_COMMAND "${shown}")
    list(FILTER words INCLUDE REGEX "^-")
    set(includes ${words})
    list(FILTER includes INCLUDE REGEX "^-[ID]")
    list(FILTER words EXCLUDE REGEX "^-[ID]")
    list(TRANSFORM includes REPLACE "^-I" "")
    list(FILTER includes EXCLUDE REGEX "^-D")
    set(CMAKE_REQUIRED_INCLUDES ${includes})
    set(CMAKE_REQUIRED_LIBRARIES ${words})
    include(CheckCSourceCompiles)
    string(MAKE_C_IDENTIFIER "HEDDLE_HAS_${wrapper}" has)
    check_c_source_compiles("#include <mpi.h>\nint main(void) { return MPI_Init(0, 0); }" ${has})
    if(${has})
        set(${variable}_found TRUE PARENT_SCOPE)
        set(${variable}_includes "${includes}" PARENT_SCOPE)
        set(${variable}_links "${words}" PARENT_SCOPE)
    endif()
endfunction()

heddle_glob(heddle_mpi_sources src/mpi/*.c src/mpi/*/*.c)

# heddle_mpi_objects(target variable): the library's objects for the MPI of heddle_mpi_flags; those
# of the library itself where they would be the same.
function(heddle_mpi_objects target variable)
    if(TARGET heddle_mpi_objects AND "${${variable}_includes}" STREQUAL "${heddle_mpi_includes}")
        add_library(${target} ALIAS heddle_mpi_objects)
        return()
    endif()
    add_library(${target} OBJECT ${heddle_mpi_sources})
    heddle_compile(${target})
    target_include_directories(${target} SYSTEM PRIVATE ${${variable}_includes})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

find_program(HEDDLE_MPICC NAMES mpicc DOC "The compiler wrapper of the MPI that libheddle-mpi is for")
mark_as_advanced(HEDDLE_MPICC)
set(heddle_mpi_found FALSE)
if(HEDDLE_MPI AND HEDDLE_MPICC)
    heddle_mpi_flags(${HEDDLE_MPICC} heddle_mpi)
endif()
if(HEDDLE_MPI AND NOT heddle_mpi_found)
    message(STATUS "No MPI was found: libheddle-mpi is left out")
endif()
if(heddle_mpi_found)
    heddle_mpi_objects(heddle_mpi_objects heddle_mpi)
    set(heddle_mpi_libraries heddle_mpi_static)
    add_library(heddle_mpi_static STATIC $<TARGET_OBJECTS:heddle_mpi_objects>)
    target_link_libraries(heddle_mpi_static PUBLIC heddle_static ${heddle_mpi_links})
    if(HEDDLE_SHARED)
        list(APPEND heddle_mpi_libraries heddle_mpi_shared)
        add_library(heddle_mpi_shared SHARED $<TARGET_OBJECTS:heddle_mpi_objects>)
        target_link_libraries(heddle_mpi_shared PUBLIC heddle_shared ${heddle_mpi_links})
        target_link_options(heddle_mpi_shared PRIVATE ${HEDDLE_LINK_FLAGS}
                            -Wl,--version-script=${PROJECT_BINARY_DIR}/heddle.map)
        set_target_properties(heddle_mpi_shared PROPERTIES VERSION ${PROJECT_VERSION}
                                                           SOVERSION ${heddle_interface})
        add_library(heddle::mpi ALIAS heddle_mpi_shared)
    else()
        add_library(heddle::mpi ALIAS heddle_mpi_static)
    endif()
    foreach(library IN LISTS heddle_mpi_libraries)
        target_include_directories(${library} SYSTEM INTERFACE ${heddle_mpi_includes})
        set_target_properties(${library} PROPERTIES OUTPUT_NAME heddle-mpi LINKER_LANGUAGE C)
    endforeach()
endif()

# What a rank's reduction and sort cost beside their alternatives (bench/mpi/bars.sh), built when it
# is asked for: ninja mpi_bars_openmpi. Of mpi_work_openmpi waits sleep, so that its core time is
# that of the work, on a busy machine too. heddle_mpi_bars(mpi): after its heddle_mpi_objects.
function(heddle_mpi_bars mpi)
    heddle_glob(bars bench/mpi/*.c)
    foreach(name mpi_bars mpi_work)
        add_executable(${name}_${mpi} EXCLUDE_FROM_ALL ${bars} bench/support/statistics.c
                       $<TARGET_OBJECTS:heddle_mpi_objects_${mpi}>)
        heddle_compile(${name}_${mpi})
        target_include_directories(${name}_${mpi} SYSTEM PRIVATE ${heddle_${mpi}_includes})
        target_link_libraries(${name}_${mpi} PRIVATE heddle_static ${heddle_${mpi}_links})
    endforeach()
    target_sources(mpi_work_${mpi} PRIVATE tests/mpi/profiling.c)
    target_link_libraries(mpi_work_${mpi} PRIVATE heddle_test_helpers heddle_static ${heddle_${mpi}_links})
endfunction()
