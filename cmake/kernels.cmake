# SPDX-License-Identifier: Apache-2.0
# The kernels of src/gpu, embedded. Their #includes are resolved here: each .cu becomes the list of
# its files in the order of inclusion, every file once, so that the library only puts them one
# behind another. A file is an array of bytes (ISO C promises no string literals of that length).
# Run as a script by the build:
#   cmake -DOUT=FILE.c -DROOT=src/gpu -P kernels.cmake FILES...
# Includes stand at the head of a file and name paths from ROOT, or generated headers (kernel_*.h),
# which have no text here: codegen/emit_kernel.c writes theirs for each call.
if(CMAKE_SCRIPT_MODE_FILE)
    cmake_policy(VERSION 3.25)
    set(code "// Made by cmake/kernels.cmake.\n#include \"gpu/codegen/kernel_sources.h\"\n\n#include <string.h>\n\n")

    # Embeds a file, without its lines of inclusion; their ends stay, so that numbers of lines are
    # the file's.
    function(embed file name)
        file(READ ${file} text)
        string(REGEX REPLACE "(^|\n)#(include|pragma once)[^\n]*" "\\1" text "${text}")
        string(HEX "${text}" hex)
        string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
        string(MAKE_C_IDENTIFIER ${name} id)
        set(code "${code}static const char text_${id}[] = {${bytes}0};\n" PARENT_SCOPE)
    endfunction()

    # Appends a file and what it includes to the global list, each once, what is included first.
    function(resolve name)
        get_property(seen GLOBAL PROPERTY kernel_seen)
        if("${name}" IN_LIST seen)
            return()
        endif()
        set_property(GLOBAL APPEND PROPERTY kernel_seen ${name})
        if(NOT name MATCHES "^kernel_[a-z]+\\.h$")
            if(NOT EXISTS ${ROOT}/${name})
                message(FATAL_ERROR "a kernel includes ${name}, which is not in ${ROOT}")
            endif()
            file(STRINGS ${ROOT}/${name} lines REGEX "^#include \"")
            foreach(line IN LISTS lines)
                string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" included "${line}")
                resolve(${included})
            endforeach()
        endif()
        set_property(GLOBAL APPEND PROPERTY kernel_files ${name})
    endfunction()

    set(lists "")
    set(rows "")
    math(EXPR last "${CMAKE_ARGC} - 1")
    foreach(k RANGE 0 ${last})
        set(file "${CMAKE_ARGV${k}}")
        if(NOT file MATCHES "\\.(cu|cuh)$|/sum_outputs\\.h$")
            continue()
        endif()
        get_filename_component(base ${file} NAME_WE)
        if(file MATCHES "\\.h$")
            set(name ${base}.h)
        else()
            file(RELATIVE_PATH name ${ROOT} ${file})
        endif()
        embed(${file} ${name})
        if(file MATCHES "\\.cuh$")
            continue()
        endif()
        set_property(GLOBAL PROPERTY kernel_seen "")
        set_property(GLOBAL PROPERTY kernel_files "")
        if(file MATCHES "\\.h$")
            set_property(GLOBAL APPEND PROPERTY kernel_files ${name})
        else()
            resolve(${name})
        endif()
        get_property(files GLOBAL PROPERTY kernel_files)
        string(APPEND lists "static const hd__gpu_source files_${base}[] = {\n")
        foreach(one IN LISTS files)
            string(MAKE_C_IDENTIFIER ${one} id)
            if(one MATCHES "^kernel_[a-z]+\\.h$")
                string(APPEND lists "    {\"${one}\", NULL},\n")
            else()
                string(APPEND lists "    {\"${one}\", text_${id}},\n")
            endif()
        endforeach()
        string(APPEND lists "    {NULL, NULL}};\n")
        string(APPEND rows "    {\"${base}\", files_${base}},\n")
    endforeach()
    string(APPEND code "\n${lists}\nstatic const struct {\n    const char *name;\n"
           "    const hd__gpu_source *files;\n} table[] = {\n${rows}};\n\n"
           "const hd__gpu_source *hd__gpu_kernel_sources(const char *kernel)\n{\n"
           "    for (size_t k = 0; k < sizeof table / sizeof *table; k++)\n"
           "        if (strcmp(table[k].name, kernel) == 0) return table[k].files;\n    return NULL;\n}\n")
    file(WRITE ${OUT} "${code}")
    return()
endif()

heddle_glob(heddle_kernel_files src/gpu/*/*.cu src/gpu/*/*.cuh src/core/operators/sum_outputs.h)
set(HEDDLE_KERNELS_FILE ${PROJECT_BINARY_DIR}/kernel_texts.c)
add_custom_command(
    OUTPUT ${HEDDLE_KERNELS_FILE}
    COMMAND ${CMAKE_COMMAND} -DOUT=${HEDDLE_KERNELS_FILE} -DROOT=${PROJECT_SOURCE_DIR}/src/gpu -P
            ${PROJECT_SOURCE_DIR}/cmake/kernels.cmake ${heddle_kernel_files}
    DEPENDS ${heddle_kernel_files} ${PROJECT_SOURCE_DIR}/cmake/kernels.cmake
    COMMENT "Embedding the kernels"
    VERBATIM)
