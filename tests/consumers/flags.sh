#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Users' files compiled with many sets of flags: each operator, function and comparison either has
# the promised bits on every backend, or is refused by the library with the name of the flag.
# flags.c says what is looked at. Two files at a time.
. "$SOURCE/tests/consumers/_ways.sh"
: >rows.inc
count=0

# row EXPECTED COMPILER FLAGS...: one more object with the texts, if there is such a compiler.
row() {
    local expected=$1 compiler=$2
    command -v "$compiler" >/dev/null || return 0
    shift 2
    count=$((count + 1))
    echo "ROW(\"$compiler ${*//\"/}\", \"$expected\", texts_$count)" >>rows.inc
    "$compiler" "$@" -w -DTEXTS=texts_$count -I"$installed/include" -c \
        "$consumers/flags_texts.c" -o texts_$count.o &
    [ $((count % 2)) = 1 ] || wait
}

# Whether -march=native has a fused multiply-add; whether clang knows float_control, which takes
# -freciprocal-math back.
fma=$("$CC" -march=native -dM -E -x c /dev/null | grep -cE '__FMA__|__ARM_FEATURE_FMA ' || true)
contracted=ok
[ "$fma" = 0 ] || contracted=-ffp-contract=fast

for level in -O0 -O1 -O2 -O3; do
    row ok gcc $level
    row ok gcc $level -march=native -ffp-contract=fast
    row ok clang $level -march=native
    row "$contracted" clang $level -march=native -ffp-contract=fast
done
row ok g++ -x c++ -O3 -march=native -DCOMPARED
row ok g++ -x c++ -O2 -march=native '-DAFTER="fast-math"'
row "$contracted" clang++ -x c++ -O2 -march=native -ffp-contract=fast -DCOMPARED
row -fsingle-precision-constant gcc -O0 -fsingle-precision-constant
row -fno-signed-zeros clang -O2 -fno-signed-zeros
row -fno-signed-zeros clang -O2 -fassociative-math -fno-signed-zeros -fno-trapping-math
row -fno-signed-zeros clang -O3 -march=native -funsafe-math-optimizations
row -ffinite-math-only clang -O1 -fno-honor-nans
case $(uname -m) in
x86_64)
    row -mfpmath=387 gcc -O2 -mfpmath=387
    row ok clang -O2 -freciprocal-math
    ;;
esac
wait
"$CC" -O1 "$consumers/flags.c" -I. -I"$installed/include" texts_*.o -L"$libdir" -lheddle -o flags
LD_LIBRARY_PATH=$libdir ./flags

# Whatever is done against fusing, texts of numbers, those of heddle/math.h too, are part of the
# loops.
if command -v gcc >/dev/null; then
    gcc -O2 -march=native -w -DTEXTS=these -I"$installed/include" -S "$consumers/flags_texts.c" \
        -o texts.s
    {
        printf '#include <heddle/math.h>\n'
        echo 'HD_FUNCTION(grown, float, HD_NO_SOURCE, (float, x), { return hd_expf(x); })'
        echo 'const hd_function *const these = grown;'
    } >grown.c
    gcc -O2 -march=native -w -I"$installed/include" -S grown.c -o grown.s
    if grep -E '(call|bl)[[:space:]]+(either__|grown__|hd_expf)' texts.s grown.s; then
        echo "gcc -O2 -march=native: a call for each element"
        exit 1
    fi
fi

# Optimised at link time.
echo 'ROW("-flto", "ok", texts_lto)' >rows.inc
for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || continue
    "$compiler" -flto -O3 -march=native -ffp-contract=on -w -DTEXTS=texts_lto \
        -I. -I"$installed/include" "$consumers/flags.c" "$consumers/flags_texts.c" -L"$libdir" \
        -lheddle -o lto 2>message || { echo "$compiler -flto: not here"; continue; }
    LD_LIBRARY_PATH=$libdir ./lto
done
