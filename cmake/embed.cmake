# SPDX-License-Identifier: Apache-2.0
# cmake -DFOLDER=... -DOUT=... -P embed.cmake: the headers of src/model/device as a table in C. A
# header X.cuh there is <X.h> to the kernels.
file(GLOB_RECURSE files RELATIVE ${FOLDER} ${FOLDER}/*.cuh)
list(SORT files)
set(texts "")
set(table "")
set(number 0)
foreach(file IN LISTS files)
    file(READ ${FOLDER}/${file} bytes HEX)
    string(REGEX REPLACE "(................................................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "[.]cuh$" ".h" name ${file})
    string(APPEND texts "static const unsigned char text_${number}[] = {\n${bytes}0x00};\n")
    string(APPEND table "    {\"${name}\", (const char *)text_${number}},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "// Made by cmake/embed.cmake.\n#include \"model/cuda_source.h\"\n\n#include <stddef.h>\n\n"
     "${texts}\nconst cuda_header hd__cuda_headers[] = {\n${table}    {NULL, NULL},\n};\n")
