# SPDX-License-Identifier: Apache-2.0
# heddle integral, boxes, threshold, label: small images by hand, PNG files, and what is refused.
. "$(dirname "$0")/../_lib.sh"

run() { "$HEDDLE" "$@" 2>&1 | tr '\n' ';'; }

bytes 1 2 3 4 5 6 >x.raw
shape="--dtype u8 --shape 2,3"
for backend in serial cpu; do
    how="$shape --backend $backend"
    equal "integral, $backend" "1 3 6;5 12 21;" "$(run integral x.raw $how)"
    equal "border, $backend" "0 0 0 0;0 1 3 6;0 5 12 21;" "$(run integral x.raw $how --border)"
    equal "sums, $backend" "12 21 16;12 21 16;" "$(run boxes x.raw $how --width 3 --what sum)"
    equal "means, $backend" "3.0 3.5 4.0;3.0 3.5 4.0;" "$(run boxes x.raw $how --height 3)"
    equal "counts, $backend" "1 2 2;1 2 2;" "$(run boxes x.raw $how -H 1 -W 2 --what count)"
    equal "variances, $backend" "0.0 0.25 0.25;0.0 0.25 0.25;" \
        "$(run boxes x.raw $how -H 1 -W 2 --what variance)"
done
equal type "1.0 3.0 6.0;5.0 12.0 21.0;" "$(run integral x.raw $shape --out-type f32)"

# Light falls off to the right; ink is half as bright as the paper around it.
bytes 200 100 180 80 160 60 140 120 50 110 >page.raw
equal threshold "255 0 255 0 255 0 255 255 0 255;" \
    "$(run threshold page.raw --dtype u8 --shape 1,10 --width 5)"
equal ink "0 255 0 255 0 255 0 0 255 0;" \
    "$(run threshold page.raw --dtype u8 --shape 1,10 --width 5 --invert)"

bytes 1 0 1 1 0 0 0 1 0 1 0 1 >dots.raw # by 4: a diagonal is not enough
equal label "1 0 2 2;0 0 0 2;0 3 0 2;" "$(run label dots.raw --dtype u8 --shape 3,4)"
bytes 1 0 1 0 1 0 1 0 0 >vee.raw
equal four "1 0 2;0 3 0;4 0 0;" "$(run label vee.raw --dtype u8 --shape 3,3)"
equal eight "1 0 1;0 1 0;1 0 0;" "$(run label vee.raw --dtype u8 --shape 3,3 --diagonal)"
equal counts "4 components, 0 rounds" \
    "$("$HEDDLE" label vee.raw --dtype u8 --shape 3,3 --counts 2>&1 >/dev/null)"
equal json 4 "$("$HEDDLE" label vee.raw --dtype u8 --shape 3,3 --json |
    sed -n 's/.*"components": \([0-9]*\).*/\1/p')"

# Through PNG files, colours too: gray is 0.299 r + 0.587 g + 0.114 b.
bytes 255 0 0 0 255 0 0 0 255 255 255 255 >colours.raw
"$HEDDLE" convert colours.raw -o colours.png --dtype u8 --shape 2,2,3 || fail "no PNG"
equal gray "76 150;29 255;" "$(run boxes colours.png --width 1 --what sum)"
"$HEDDLE" label colours.png --out-type u16 -o labels.png || fail "labels.png"
equal "labels of a PNG" "1 1;1 1;" "$(run transpose labels.png)"

exits 2 "expected --height, --width or both" "$HEDDLE" boxes x.raw $shape
exits 2 "two axes" "$HEDDLE" integral x.raw --dtype u8
exits 2 "ratio 3" "$HEDDLE" threshold x.raw $shape --ratio 3
exits 2 "cannot hold" "$HEDDLE" label <(for i in $(seq 300); do bytes 1 0; done) --dtype u8 \
    --shape 1,600 --out-type u8 --format raw
finish
