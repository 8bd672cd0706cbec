#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The public header, with its macros in use, compiles without a warning in every standard from C11
# and C++11 on, with every compiler here.
. "$SOURCE/tests/consumers/_ways.sh"
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wfloat-equal -Werror"
compile() { # compiler standard file
    command -v "$1" >/dev/null || return 0
    echo "$1 -std=$2"
    "$1" -std="$2" $warnings -O2 -I"$SOURCE/include" -c "$consumers/$3" -o /dev/null
}
for standard in c11 c17 gnu11; do
    for compiler in "$CC" gcc clang; do compile "$compiler" $standard header.c; done
done
for standard in c++11 c++17; do
    for compiler in "$CXX" g++ clang++; do compile "$compiler" $standard header.cpp; done
done
