# SPDX-License-Identifier: Apache-2.0
# A few runs that end well and badly, with the leak sanitizer looking on; fewer where sizes are small, for
# it takes seconds a run.
. "$(dirname "$0")/_lib.sh"
more() { [ -n "${HEDDLE_TEST_SMALL-}" ] || exits "$@"; }
grep -qa __asan_init "$HEDDLE" || exit 77
doctor=$("$HEDDLE" doctor)
export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=1"

io=$SOURCE/tests/io
npy_u8 0 2 >offsets.npy
more 0 "" "$HEDDLE" reduce "$io/fortran_be.npy" --op argmax --axis 0
exits 6 "cannot create" "$HEDDLE" scan "$io/dims8.npy" --op argmax -o y.npy --values-out no/v.npy
more 6 "too early" "$HEDDLE" scan - --dtype f32 --shape 4 -o y.npy
more 0 "" "$HEDDLE" tour scan --elements 100
exits 2 "segments" "$HEDDLE" scan "$io/le_f4.npy" --segments offsets.npy --verify
printf 'P5\n3 1\n255\nabc' >x.pgm
if grep -q "yes  libpng " <<<"$doctor"; then
    exits 0 "" "$HEDDLE" convert x.pgm -o x.png
    more 0 "" "$HEDDLE" show x.png
    head -c 50 x.png >cut.png
    exits 6 "damaged PNG" "$HEDDLE" reduce cut.png
    more 6 "No space left" "$HEDDLE" convert x.pgm -o /dev/full --to png
fi
if grep -q "yes  zlib " <<<"$doctor"; then
    more 0 "" "$HEDDLE" show "$io/two.npz"
    head -c 200 "$io/two.npz" >cut.npz
    exits 6 "no directory" "$HEDDLE" reduce cut.npz
fi
printf 'a,b\n1,2\n3,x\n' >x.csv
exits 6 "line 3, column 2" "$HEDDLE" scan x.csv
more 0 "" "$HEDDLE" show x.csv
more 2 "does not fit" "$HEDDLE" convert x.pgm -o y.npy --out-type i8 --scale 2
transpose="$SOURCE/tests/model/transpose.ptx transpose_tiled --grid 2,2 --block 32,32"
arguments="--arg f32:range:64x64 --arg f32:empty:64x64 --arg 64"
exits 0 "" "$HEDDLE" model $transpose $arguments --html page.html --json
more 2 "nothing was given for parameter 2" "$HEDDLE" model $transpose --arg f32:range:64x64 --arg f32:empty:64x64
exits 5 "" "$HEDDLE" model $transpose --arg f32:range:64 --arg f32:empty:64x64 --arg 64 --explore 2
finish
