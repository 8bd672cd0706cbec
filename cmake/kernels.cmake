# SPDX-License-Identifier: Apache-2.0
# The kernels of src/gpu, embedded: one C file with an array of bytes each (ISO C promises no
# string literals of that length) and a table of their names. Run as a script by the build:
#   cmake -DOUT=FILE.c -P kernels.cmake FILES...
if(CMAKE_SCRIPT_MODE_FILE)
    set(code "// Made by cmake/kernels.cmake.\n#include \"gpu/gpu.h\"\n\n#include <string.h>\n\n")
    set(rows "")
    math(EXPR last "${CMAKE_ARGC} - 1")
    set(number 0)
    foreach(k RANGE 0 ${last})
        set(file "${CMAKE_ARGV${k}}")
        if(NOT file MATCHES "\\.(cu|cuh)$|/sum_outputs\\.h$")
            continue()
        endif()
        get_filename_component(name ${file} NAME)
        file(READ ${file} hex HEX)
        string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
        string(APPEND code "static const char text_${number}[] = {${bytes}0};\n")
        string(APPEND rows "    {\"${name}\", text_${number}},\n")
        math(EXPR number "${number} + 1")
    endforeach()
    string(APPEND code "\nstatic const struct {\n    const char *name, *text;\n} table[] = {\n${rows}};\n\n"
           "const char *hd__kernel_text(const char *file)\n{\n"
           "    for (size_t k = 0; k < sizeof table / sizeof *table; k++)\n"
           "        if (strcmp(table[k].name, file) == 0) return table[k].text;\n    return NULL;\n}\n")
    file(WRITE ${OUT} "${code}")
    return()
endif()

heddle_glob(heddle_kernel_files src/gpu/*/*.cu src/gpu/*/*.cuh src/core/operators/sum_outputs.h)
set(HEDDLE_KERNELS_FILE ${PROJECT_BINARY_DIR}/kernel_texts.c)
add_custom_command(
    OUTPUT ${HEDDLE_KERNELS_FILE}
    COMMAND ${CMAKE_COMMAND} -DOUT=${HEDDLE_KERNELS_FILE} -P
            ${PROJECT_SOURCE_DIR}/cmake/kernels.cmake ${heddle_kernel_files}
    DEPENDS ${heddle_kernel_files} ${PROJECT_SOURCE_DIR}/cmake/kernels.cmake
    COMMENT "Embedding the texts of kernels"
    VERBATIM)
