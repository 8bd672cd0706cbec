# SPDX-License-Identifier: Apache-2.0
# heddle convolve: the lecture's example, masks, borders, channels, errors.
. "$(dirname "$0")/../_lib.sh"

convolve() { "$HEDDLE" convolve "$@" 2>&1 | tr '\n' ' ' | sed 's/  */ /g'; }

bytes 1 2 3 4 5 6 7 2 3 4 5 6 7 8 3 4 5 6 7 8 9 4 5 6 7 8 5 6 5 6 7 8 5 6 7 6 7 8 9 0 1 2 7 8 9 0 1 2 3 \
    >lecture.raw
mask="1 2 3 2 1; 2 3 4 3 2; 3 4 5 4 3; 2 3 4 3 2; 1 2 3 2 1"
for backend in serial cpu; do
    got=$("$HEDDLE" convolve lecture.raw --dtype u8 --shape 7,7 --mask "$mask" --out-type i32 \
        --backend $backend | awk 'NR == 3 {print $3}')
    equal "the lecture's element (2, 2) on $backend" 321 "$got"
done

bytes 1 2 3 4 >x.raw
equal sums "3 6 9 7 " "$(convolve x.raw --dtype u8 --mask '1 1 1')"
equal clamped "100 200 255 255 " "$(convolve x.raw --dtype u8 --mask 100)"
equal replicate "4 6 9 11 " "$(convolve x.raw --dtype u8 --mask '1 1 1' --border replicate)"
equal reflect "5 6 9 10 " "$(convolve x.raw --dtype u8 --mask '1,1,1' --border reflect)"
equal symmetric "4 6 9 11 " "$(convolve x.raw --dtype u8 --mask '1 1 1;' --border symmetric)"
equal wrap "7 6 9 8 " "$(convolve x.raw --dtype u8 --mask '1 1 1' --border wrap)"
equal constant "13 6 9 17 " \
    "$(convolve x.raw --dtype u8 --mask '1 1 1' --border constant --constant 10)"
equal divided "1 2 3 2 " "$(convolve x.raw --dtype u8 --mask '1 1 1' --divide 3)"
equal order "2 3 4 0 " "$(convolve x.raw --dtype u8 --mask '0 0 1')"
equal flipped "0 1 2 3 " "$(convolve x.raw --dtype u8 --mask '0 0 1' --flip)"
equal anchor "1 2 3 4 " "$(convolve x.raw --dtype u8 --mask '1 0 0' --anchor 0)"
equal floats "0.5 1.5 2.5 3.5 " \
    "$(convolve x.raw --dtype u8 --mask '0.5 0.5' --out-type f32)"

bytes 1 10 2 20 3 30 4 40 >pixels.raw
equal channels "10 100 10 100 10 100 10 100 " \
    "$(convolve pixels.raw --dtype u8 --shape 2,2,2 --mask '1 1; 1 1' --border wrap)"
equal batches "33 33 33 33 77 77 77 77 " \
    "$(convolve pixels.raw --dtype u8 --shape 2,2,2 --mask '1 1; 1 1' --border wrap --batches)"
npy_u8 1 1 1 >mask.npy
equal file "3 6 9 7 " "$(convolve x.raw --dtype u8 --mask-file mask.npy)"
exits 0 "" "$HEDDLE" convolve x.raw --dtype u8 --mask "1 1" -o out.npy
equal written "1 3 5 7 " "$(convolve out.npy --mask 1)"
exits 0 "separable" "$HEDDLE" convolve lecture.raw --dtype u8 --shape 7,7 --mask "1 2; 2 4" --trace

exits 2 "--mask or --mask-file" "$HEDDLE" convolve x.raw --dtype u8
exits 2 "expected numbers" "$HEDDLE" convolve x.raw --dtype u8 --mask "1 a"
exits 2 "expected numbers" "$HEDDLE" convolve x.raw --dtype u8 --mask "1 2; 3"
exits 2 "expected numbers" "$HEDDLE" convolve x.raw --dtype u8 --mask ""
exits 2 "border" "$HEDDLE" convolve x.raw --dtype u8 --mask 1 --border nowhere
exits 2 "--constant" "$HEDDLE" convolve x.raw --dtype u8 --mask 1 --constant 3
exits 2 "--divide" "$HEDDLE" convolve x.raw --dtype u8 --mask 1 --divide 0
exits 2 "--anchor" "$HEDDLE" convolve x.raw --dtype u8 --mask 1 --anchor x
exits 2 "anchor" "$HEDDLE" convolve x.raw --dtype u8 --mask 1 --anchor 1
exits 2 "axes" "$HEDDLE" convolve x.raw --dtype u8 --mask "1;1"
exits 2 "up to 32 bits" "$HEDDLE" convolve "$SOURCE/tests/data/le_i4.npy" --mask 1 --out-type i64
finish
