#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# pkg-config heddle, shared and static, for C and C++; pkg-config heddle_model.
. "$SOURCE/tests/consumers/_ways.sh"
command -v pkg-config >/dev/null || { echo "no pkg-config"; exit 77; }
export PKG_CONFIG_PATH=$libdir/pkgconfig
pkg-config --print-errors --exists 'heddle >= 0.1'
# What it prints is quoted for a shell: the installed tree may lie in a folder with a space.
eval "cflags=($(pkg-config --cflags heddle))"
eval "shared=($(pkg-config --libs heddle))"
eval "static=($(pkg-config --static --libs heddle | sed 's/-lheddle/-l:libheddle.a/'))"
"$CC" "${cflags[@]}" "$consumers/consumer.c" -o c_shared "${shared[@]}"
"$CC" "${cflags[@]}" "$consumers/consumer.c" -o c_static "${static[@]}"
"$CXX" "${cflags[@]}" "$consumers/consumer.cpp" -o cpp_shared "${shared[@]}"
"$CXX" "${cflags[@]}" "$consumers/consumer.cpp" -o cpp_static "${static[@]}"
eval "model=($(pkg-config --cflags --libs heddle_model))"
eval "archives=($(pkg-config --static --libs heddle_model | sed 's/-lheddle_model/-l:libheddle_model.a/; s/-lheddle\b/-l:libheddle.a/'))"
"$CC" "$consumers/model/model.c" -DDIRECT "${model[@]}" -o model_shared
"$CC" "${cflags[@]}" "$consumers/model/model.c" -DDIRECT "${archives[@]}" -o model_static
for language in c cpp model; do
    check ./${language}_shared shared
    check ./${language}_static static
done
