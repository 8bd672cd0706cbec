# SPDX-License-Identifier: Apache-2.0
# libheddle, shared and static from the same objects. heddle::heddle is the shared one unless
# HEDDLE_SHARED is off; heddle::static is the other. libheddle_model, the model machine, likewise:
# heddle::model and heddle::model_static.

heddle_glob(heddle_sources src/*.c src/core/*.c src/core/*/*.c src/patterns/*.c src/patterns/*/*.c src/serial/*.c src/serial/*/*.c
            src/cpu/*/*.c src/gpu/*.c src/gpu/*/*.c src/model/*.c src/model/*/*.c src/algorithms/*/*.c)
list(FILTER heddle_sources EXCLUDE REGEX "/src/(cpu|algorithms)/simd/") # cmake/isa.cmake
set(heddle_model_sources ${heddle_sources})
list(FILTER heddle_model_sources INCLUDE REGEX "/src/(gpu/)?model/")
list(FILTER heddle_sources EXCLUDE REGEX "/src/(gpu/)?model/")

# The headers that kernels of the model machine see, and the texts of the GPU backend's kernels, are
# part of the library.
include(cmake/embed.cmake)
heddle_glob(heddle_device_headers src/model/source/device/*.cuh src/model/source/device/*/*.cuh)
set(HEDDLE_EMBED_ROOT ${PROJECT_SOURCE_DIR}/src/model/source/device)
# Kernels get the mathematics of include/heddle/math.h as one text, heddle_math.cuh.
set(heddle_math "")
foreach(part parts exp angle float)
    set(heddle_math_part ${PROJECT_SOURCE_DIR}/include/heddle/math/${part}.h)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${heddle_math_part})
    file(READ ${heddle_math_part} heddle_math_text)
    string(APPEND heddle_math "${heddle_math_text}")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/embedded/heddle_math.cuh @ONLY CONTENT "${heddle_math}")
heddle_embed(heddle_math_table hd__gpu_math_texts ${PROJECT_BINARY_DIR}/embedded/heddle_math.cuh)
list(APPEND heddle_device_headers ${PROJECT_BINARY_DIR}/embedded/heddle_math.cuh)
heddle_embed(heddle_embedded hd__model_cuda_headers ${heddle_device_headers})
include(cmake/kernels.cmake)

# The file of precompiled kernels, and where a release has it.
set(HEDDLE_KERNELS_NAME heddle-kernels-${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}.bin)
file(RELATIVE_PATH heddle_kernels_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/heddle)
set_source_files_properties(
    src/gpu/runtime/kernels_file.c PROPERTIES
    COMPILE_DEFINITIONS
    "HEDDLE_KERNELS_NAME=\"${HEDDLE_KERNELS_NAME}\";HEDDLE_KERNELS_FROM_BIN=\"${heddle_kernels_from_bin}\";HEDDLE_KERNELS_INSTALLED=\"${CMAKE_INSTALL_FULL_LIBDIR}/heddle\"")
add_library(heddle_objects OBJECT ${heddle_sources} ${heddle_math_table} ${HEDDLE_KERNELS_FILE}
                                  ${HEDDLE_EMPTY_FILE})
add_library(heddle_model_objects OBJECT ${heddle_model_sources} ${heddle_embedded})
foreach(objects heddle_objects heddle_model_objects)
    set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    heddle_compile(${objects})
endforeach()
# A new operator rule, border or method must be a case of every switch there, also beside a default.
set(heddle_strict_sources ${heddle_sources})
list(FILTER heddle_strict_sources INCLUDE REGEX "/src/(core|patterns|serial)/")
set_source_files_properties(${heddle_strict_sources} PROPERTIES COMPILE_OPTIONS -Wswitch-enum)
# Jobs and views are cleared and copied by plain stores: gcc's rep stos and rep movs take 10 ns to
# start, which a call on a few elements feels (sort 162 to 152 ns, compact 211 to 193, n = 16).
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(heddle_call_sources ${heddle_sources})
    list(FILTER heddle_call_sources INCLUDE REGEX "/src/(core|patterns|cpu)/")
    foreach(what memset memcpy)
        set_property(SOURCE ${heddle_call_sources} APPEND PROPERTY COMPILE_OPTIONS
                     -m${what}-strategy=unrolled_loop:1024:noalign,libcall:-1:noalign)
    endforeach()
endif()
# Most of a sanitized build is compiled fast; what its tests spend their time in is made fast.
if(HEDDLE_SANITIZE)
    set(heddle_hot_sources ${heddle_sources} ${heddle_model_sources})
    list(FILTER heddle_hot_sources INCLUDE REGEX
         "/src/(core|serial|cpu)/|/src/model/(counters|decode|detect|exec|instructions|ptx)/")
    set_property(SOURCE ${heddle_hot_sources} APPEND PROPERTY COMPILE_OPTIONS -O1)
endif()
heddle_add_micro_kernels(heddle_objects)

# Objects of objects do not travel through TARGET_OBJECTS: name each group.
set(heddle_object_groups $<TARGET_OBJECTS:heddle_objects>)
foreach(isa IN LISTS heddle_isas_built)
    if(TARGET heddle_objects_${isa})
        list(APPEND heddle_object_groups $<TARGET_OBJECTS:heddle_objects_${isa}>)
    endif()
endforeach()

# Kernels of common calls, compiled by the build into a file beside the library: a program made of
# the same objects writes them down. Nothing is linked with it, so nothing waits for it.
if(HEDDLE_PRECOMPILED_KERNELS)
    add_executable(heddle_precompiled_kernels cmake/precompiled_kernels.c cmake/precompiled_table.c
                                              ${heddle_object_groups} $<TARGET_OBJECTS:heddle_model_objects>)
    heddle_compile(heddle_precompiled_kernels)
    target_link_libraries(heddle_precompiled_kernels PRIVATE ${HEDDLE_OPENMP_LIBRARIES} m
                                                           ${CMAKE_DL_LIBS})
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/precompiled)
    # After the link, not by a rule of its own: ninja takes rules in their order in its file, where
    # CMake writes those of custom commands last, and one core would wait for it at the end.
    add_custom_command(TARGET heddle_precompiled_kernels POST_BUILD BYPRODUCTS ${HEDDLE_KERNELS_NAME}
                       COMMAND heddle_precompiled_kernels ${HEDDLE_KERNELS_NAME} ${PROJECT_BINARY_DIR}/precompiled
                               ${HEDDLE_PRECOMPILED_ARCHS} $<$<BOOL:${HEDDLE_PRECOMPILED_SUMS}>:sums>
                       COMMAND_EXPAND_LISTS COMMENT "Compiling kernels of common calls" VERBATIM)
    add_custom_target(heddle_kernels ALL DEPENDS heddle_precompiled_kernels)
endif()

# heddle_public_properties(target output_name)
function(heddle_public_properties target name)
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE C)
endfunction()

# In an installed package OpenMP's runtime is linked by name for gcc (it is in the compiler's own
# folder, whose path changes with its version) and by path for others.
set(heddle_installed_openmp ${HEDDLE_OPENMP_LIBRARIES})
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set(heddle_installed_openmp gomp pthread)
endif()

add_library(heddle_static STATIC ${heddle_object_groups})
add_library(heddle::static ALIAS heddle_static)
heddle_public_properties(heddle_static heddle)
target_link_libraries(heddle_static PUBLIC "$<BUILD_INTERFACE:${HEDDLE_OPENMP_LIBRARIES};m;${CMAKE_DL_LIBS}>"
                                           "$<INSTALL_INTERFACE:${heddle_installed_openmp};m;${CMAKE_DL_LIBS}>")

# Before 1.0 a minor version may change the binary interface, and has a soname of its own.
set(heddle_interface ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(heddle_interface 0.${PROJECT_VERSION_MINOR})
endif()

# heddle_shared_library(target name objects...): with the names of cmake/NAME.map.in and no others.
function(heddle_shared_library target name)
    add_library(${target} SHARED ${ARGN})
    heddle_public_properties(${target} ${name})
    target_link_libraries(${target} PRIVATE ${HEDDLE_OPENMP_LIBRARIES} m ${CMAKE_DL_LIBS})
    set(names ${PROJECT_BINARY_DIR}/${name}.map)
    configure_file(cmake/${name}.map.in ${names} @ONLY)
    target_link_options(${target} PRIVATE ${HEDDLE_LINK_FLAGS} -Wl,--version-script=${names})
    set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${heddle_interface}
                                               LINK_DEPENDS ${names})
    if(NOT HEDDLE_SANITIZE AND NOT HEDDLE_FUZZ)
        target_link_options(${target} PRIVATE -Wl,--no-undefined)
    endif()
endfunction()

# A program that opens the model machine and holds the static library asks for it by name: a
# reference that may stay empty takes nothing out of an archive.
add_library(heddle_model_static STATIC $<TARGET_OBJECTS:heddle_model_objects>)
add_library(heddle::model_static ALIAS heddle_model_static)
heddle_public_properties(heddle_model_static heddle_model)
target_link_options(heddle_model_static INTERFACE LINKER:-u,hd__gpu_driver_model)
target_link_libraries(heddle_model_static PUBLIC heddle_static)

if(HEDDLE_SHARED)
    heddle_shared_library(heddle_shared heddle ${heddle_object_groups})
    add_library(heddle::heddle ALIAS heddle_shared)
    heddle_shared_library(heddle_model_shared heddle_model $<TARGET_OBJECTS:heddle_model_objects>)
    add_library(heddle::model ALIAS heddle_model_shared)
    target_link_libraries(heddle_model_shared PUBLIC heddle_shared)
    # It names no folder of the build: libheddle is there before it.
    set_target_properties(heddle_model_shared PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
else()
    add_library(heddle::heddle ALIAS heddle_static)
    add_library(heddle::model ALIAS heddle_model_static)
endif()
