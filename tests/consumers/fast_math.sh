#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A file compiled with -ffast-math, or with a part of it that changes results, is refused with a
# message that says why; the same file with -O3 is not.
. "$SOURCE/tests/consumers/_ways.sh"
try() { "$@" -I"$SOURCE/include" -c -x c "$consumers/consumer.c" -o /dev/null 2>message; }
for compiler in "$CC" gcc clang; do
    command -v "$compiler" >/dev/null || continue
    try "$compiler" -O3 || { cat message; exit 1; }
    for flags in "-O3 -ffast-math" "-Ofast" "-O2 -ffinite-math-only"; do
        if try "$compiler" $flags; then
            echo "$compiler $flags: accepted"
            exit 1
        fi
        grep -q 'heddle.h: compile without -ffast-math' message || { cat message; exit 1; }
    done
done
