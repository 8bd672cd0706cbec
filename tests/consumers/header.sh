#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The public headers, with their macros in use, compile without a warning in every standard from C11
# to C23 and C++11 to C++20, with every compiler here, nvcc among them. The first standard of each
# is compiled to the end, since some warnings need that; the others are read.
. "$SOURCE/tests/consumers/_ways.sh"
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wcast-align
    -Wundef -Wdouble-promotion -Wfloat-equal -Werror"
compile() { # compiler standard file
    echo "$1 -std=$2"
    case $2 in c11 | c++11) more=-O2 ;; *) more=-fsyntax-only ;; esac
    case $2 in *++*) more+=" -Wold-style-cast" ;; esac
    "$1" -std="$2" $warnings $more -I"$SOURCE/include" -c "$consumers/$3" -o /dev/null
}
c_compilers=$(different "$CC" gcc clang)
cpp_compilers=$(different "$CXX" g++ clang++)
for standard in c11 c17 c2x gnu11; do
    for compiler in $c_compilers; do compile "$compiler" $standard header.c; done
done
for standard in c++11 c++14 c++17 c++20; do
    for compiler in $cpp_compilers; do compile "$compiler" $standard header.cpp; done
done
# Attributes, built-ins and pragmas of gcc are guarded: clang, as a compiler that has none of them.
if command -v clang >/dev/null; then
    clang -U__GNUC__ -std=c11 -Wall -Wno-unused-function -Werror -I"$SOURCE/include" \
        -c "$consumers/header.c" -o /dev/null
fi
if command -v nvcc >/dev/null; then
    for standard in c++11 c++14 c++17 c++20; do # CUDA's own headers have old-style casts
        echo "nvcc -std=$standard"
        nvcc -x cu -std=$standard --Werror all-warnings \
            -Xcompiler -Wall,-Wextra,-Wshadow,-Wcast-qual,-Wconversion \
            -I"$SOURCE/include" -c "$consumers/header.cpp" -o nvcc.o
    done
fi
