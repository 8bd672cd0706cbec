#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each piece of the probe finds its kind of flag, also where heddle.h refuses operators in such a
# file before a probe is asked: gcc's. flags.sh has what the library makes of it.
. "$SOURCE/tests/consumers/_ways.sh"

# finds NUMBER COMPILER FLAGS...: of HD__FOUND_... in heddle_exact.h; 0: nothing.
finds() {
    local number=$1
    shift
    command -v "$1" >/dev/null || return 0
    "$@" -w -I"$SOURCE/include" "$consumers/flags_probe.c" -o probe
    ./probe "$number" || { echo "$*"; exit 1; }
}
for compiler in gcc clang; do
    for flags in -O0 -O2 "-O3 -march=native"; do finds 0 $compiler $flags; done
done
fma=$("$CC" -march=native -dM -E -x c /dev/null | grep -cE '__FMA__|__ARM_FEATURE_FMA ' || true)
[ "$fma" = 0 ] || finds 1 clang -O2 -march=native -ffp-contract=fast
[ "$(uname -m)" != x86_64 ] || finds 2 gcc -O2 -mfpmath=387
finds 4 gcc -O2 -fassociative-math -fno-signed-zeros -fno-trapping-math
finds 8 gcc -O2 -freciprocal-math
finds 16 gcc -O2 -fno-signed-zeros
finds 16 clang -O2 -fno-signed-zeros
finds 32 gcc -O2 -ffinite-math-only
finds 128 gcc -O2 -fsingle-precision-constant
# Subnormal numbers: flushed by what -ffast-math links to a program.
command -v gcc >/dev/null || exit 0
gcc -O2 -w -I"$SOURCE/include" -c "$consumers/flags_probe.c" -o probe.o
gcc -ffast-math probe.o -o probe
./probe 64 || { echo "gcc -ffast-math, linked"; exit 1; }
