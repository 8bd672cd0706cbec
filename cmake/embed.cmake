# SPDX-License-Identifier: Apache-2.0
# heddle_embed(variable table files...): a C file that holds texts and a table of them,
#     const hd__embedded TABLE[] = {{"reduce/modulo.cu", text, bytes}, ..., {0, 0, 0}};
# Names are relative to the folder HEDDLE_EMBED_ROOT; of files elsewhere the last part counts. The
# file is written anew when a text changes; its path is left in the variable.
# src/core/system/embedded.h has the type.
function(heddle_embed variable table)
    set(rows "")
    set(arrays "")
    set(number 0)
    foreach(file IN LISTS ARGN)
        set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
        file(RELATIVE_PATH name ${HEDDLE_EMBED_ROOT} ${file})
        if(name MATCHES "^\\.\\./")
            get_filename_component(name ${file} NAME)
        endif()
        file(READ ${file} bytes HEX)
        string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
        string(REGEX REPLACE "((0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],))"
               "\\1\n" bytes "${bytes}")
        string(APPEND arrays "static const unsigned char text${number}[] = {\n${bytes}0};\n")
        string(APPEND rows "    {\"${name}\", (const char *)text${number}, sizeof text${number} - 1},\n")
        math(EXPR number "${number} + 1")
    endforeach()
    set(path ${PROJECT_BINARY_DIR}/embedded/${table}.c)
    file(CONFIGURE OUTPUT ${path} @ONLY CONTENT
         "// Made by cmake/embed.cmake.\n#include \"core/system/embedded.h\"\n\nextern const hd__embedded ${table}[];\n\n${arrays}\nconst hd__embedded ${table}[] = {\n${rows}    {0, 0, 0},\n};\n")
    set(${variable} ${path} PARENT_SCOPE)
endfunction()
