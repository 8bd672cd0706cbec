#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# In a file compiled with -ffast-math, or with a part of it that changes results and that the
# compiler has a macro for, operators, functions, comparisons and <heddle/math.h> are refused with a
# message that says why; calls are not, nor is the same file with -O3. (The other parts: flags.sh.)
# With gcc a pragma after the header is refused as well.
. "$SOURCE/tests/consumers/_ways.sh"

# accepts COMPILER... FILE, and refuses COMPILER... FILE: whether it compiles; why not.
accepts() { "$@" -I"$SOURCE/include" -c -o /dev/null 2>message || { echo "$*"; cat message; exit 1; }; }
refuses() {
    if "$@" -I"$SOURCE/include" -c -o /dev/null 2>message; then
        echo "$*: accepted"
        exit 1
    fi
    grep -q "$expected" message || { echo "$*"; cat message; exit 1; }
}
write() { printf '#include <heddle.h>\n%s\n' "$2" >"$1.c"; }
write operator 'HD_OPERATOR(twice, float, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a + b; })'
write monoid 'HD_MONOID(twice, float, HD_NO_SOURCE, HD_ASSOCIATIVE, 0, { return a + b; })'
write function 'HD_FUNCTION(half, float, HD_NO_SOURCE, (float, x), { return x / 2; })'
write comparison 'HD_COMPARISON(below, float, HD_NO_SOURCE, { return a < b; })'
write math 'double e(void); double e(void) { return hd_exp(1); }'
write call 'hd_status sum(hd_context *ctx, const float *x, int64_t n, float *s);
hd_status sum(hd_context *ctx, const float *x, int64_t n, float *s)
{
    return hd_reduce(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(s, 1), NULL);
}'

for compiler in "$CC" gcc clang; do
    command -v "$compiler" >/dev/null || continue
    for file in operator monoid function comparison math call; do accepts "$compiler" -O3 -Wall $file.c; done
    for flags in "-O3 -ffast-math" "-Ofast" "-O2 -ffinite-math-only"; do
        accepts "$compiler" $flags -Wall -Werror call.c
        expected='may not be compiled with'
        for file in operator monoid function comparison; do refuses "$compiler" $flags $file.c; done
        expected='hd_exp'
        refuses "$compiler" $flags -Werror math.c
    done
done

command -v gcc >/dev/null || exit 0
gcc -dM -E -x c -fno-signed-zeros /dev/null | grep -q __NO_SIGNED_ZEROS__ || exit 0 # an older gcc
expected='may not be compiled with'
for flags in -fno-signed-zeros -freciprocal-math -funsafe-math-optimizations \
    "-fassociative-math -fno-signed-zeros -fno-trapping-math"; do
    accepts gcc -O2 $flags call.c
    refuses gcc -O2 $flags function.c
done
for kind in fast-math Ofast no-signed-zeros reciprocal-math finite-math-only; do
    {
        printf '#include <heddle.h>\n#pragma GCC optimize("%s")\n' $kind
        echo 'HD_FUNCTION(half, float, HD_NO_SOURCE, (float, x), { return x / 2; })'
    } >pragma.c
    expected='nor after a pragma to that effect'
    refuses gcc pragma.c
done
