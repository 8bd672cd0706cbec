#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A file compiled with -ffast-math, or with a part of it that changes results and that the compiler
# has a macro for, is refused with a message that says why; the same file with -O3 is not. (The
# other parts: flags.sh.) With gcc a pragma after the header is refused as well.
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

command -v gcc >/dev/null || exit 0
gcc -dM -E -x c -fno-signed-zeros /dev/null | grep -q __NO_SIGNED_ZEROS__ || exit 0 # an older gcc
for flags in -fno-signed-zeros -freciprocal-math -funsafe-math-optimizations \
    "-fassociative-math -fno-signed-zeros -fno-trapping-math"; do
    ! try gcc -O2 $flags || { echo "gcc $flags: accepted"; exit 1; }
    grep -q 'heddle.h: compile without -ffast-math' message || { cat message; exit 1; }
done
for kind in fast-math Ofast no-signed-zeros reciprocal-math finite-math-only; do
    {
        printf '#include <heddle.h>\n#pragma GCC optimize("%s")\n' $kind
        echo 'HD_FUNCTION(half, float, HD_NO_SOURCE, (float, x), { return x / 2; })'
    } >pragma.c
    if gcc -I"$SOURCE/include" -c pragma.c -o /dev/null 2>message; then
        echo "a pragma for $kind: accepted"
        exit 1
    fi
    grep -q 'nor after a pragma to that effect' message || { cat message; exit 1; }
done
