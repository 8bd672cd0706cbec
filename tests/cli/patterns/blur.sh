# SPDX-License-Identifier: Apache-2.0
# heddle blur: images stay what they are where nothing changes, and spread where something does.
. "$(dirname "$0")/../_lib.sh"

blur() { "$HEDDLE" blur "$@" 2>&1 | tr '\n' ' ' | sed 's/  */ /g'; }

bytes 7 7 7 7 7 7 >flat.raw
for options in "--sigma 1" "--sigma 8 --border wrap" "--sigma 3 --boxes" "--radius 2"; do
    equal "flat $options" "7 7 7 7 7 7 " "$(blur flat.raw --dtype u8 --shape 2,3 $options)"
done
bytes 0 0 0 0 255 0 0 0 0 >point.raw
for backend in serial cpu; do
    equal "a point on $backend" "15 25 15 25 41 25 15 25 15 " \
        "$(blur point.raw --dtype u8 --shape 3,3 --sigma 1 --border zero --backend $backend)"
done
equal "three channels" "9 8 7 9 8 7 " \
    "$(bytes 9 8 7 9 8 7 | blur - --dtype u8 --shape 1,2,3 --sigma 1)"
exits 0 "" "$HEDDLE" blur point.raw --dtype u8 --shape 3,3 --sigma 1 -o out.npy
equal "written and read" 9 "$(elements out.npy)"
exits 0 "" "$HEDDLE" blur "$SOURCE/tests/data/le_f4.npy" --sigma 0.5

exits 2 "sigma" "$HEDDLE" blur point.raw --dtype u8 --shape 3,3 --sigma 0
exits 2 "sigma" "$HEDDLE" blur point.raw --dtype u8 --shape 3,3 --sigma nan
exits 2 "--sigma two" "$HEDDLE" blur point.raw --dtype u8 --shape 3,3 --sigma two
exits 2 "axes" "$HEDDLE" blur point.raw --dtype u8 --sigma 1
exits 2 "expected u8" "$HEDDLE" blur point.raw --dtype i8 --shape 3,3
exits 2 "boxes" "$HEDDLE" blur "$SOURCE/tests/data/le_f4.npy" --boxes

# How far boxes are off: said for a small sigma, in the document for any. Boxes of 1, 1 and 3 have a
# variance of 8 / 12, and a middle weight of 1 / 3 where the Gaussian of 0.8 has 0.4987.
npy_u8 0 0 0 0 9 0 0 0 0 >row.npy
"$HEDDLE" convert row.npy --out-shape 3,3 -o dot.npy
off="boxes of 1, 1 and 3 pixels have a sigma of 0.816 in the place of 0.8; a weight is off by up to 0.165"
exits 0 "$off, 33 %" "$HEDDLE" blur dot.npy --sigma 0.8 --boxes
exits 0 "" "$HEDDLE" blur dot.npy --sigma 3 --boxes
exits 0 "" "$HEDDLE" blur dot.npy --sigma 0.8
exits 0 "" "$HEDDLE" blur dot.npy --sigma 4 --boxes --json
grep -q '"boxes": \[7, 7, 9\]' stdout.txt && grep -q '"effective_sigma": 3\.82' stdout.txt &&
    grep -q '"largest_deviation": 0\.002' stdout.txt ||
    fail "boxes in the document: $(cat stdout.txt)"
exits 0 "" "$HEDDLE" blur dot.npy --sigma 4 --json
grep -q effective stdout.txt && fail "boxes that nobody asked for: $(cat stdout.txt)"
exits 2 "sigma of at least 0.58" "$HEDDLE" blur dot.npy --sigma 0.5 --boxes
exits 0 "0.816" "$HEDDLE" blur dot.npy --sigma 0.58 --boxes
finish
