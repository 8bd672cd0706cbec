# SPDX-License-Identifier: Apache-2.0
# heddle sort: directions, axes, segments, values, tables, indices, and what is refused.
. "$(dirname "$0")/_lib.sh"

io=$SOURCE/tests/io
sort_() { "$HEDDLE" sort "$@" 2>&1 | tr '\n' ' '; }

bytes 3 1 200 2 1 0 >x.raw
equal up "0 1 1 2 3 200 " "$(sort_ x.raw --dtype u8)"
equal pipe "0 1 1 2 3 200 " "$(sort_ - --dtype u8 <x.raw)"
equal down "200 3 2 1 1 0 " "$(sort_ x.raw --dtype u8 --descending)"
equal signed "-56 0 1 1 2 3 " "$(sort_ x.raw --dtype i8)"
equal indices "5 1 4 3 0 2 " "$(sort_ x.raw --dtype u8 --argsort)"
equal "indices down" "2 0 3 1 4 5 " "$(sort_ x.raw --dtype u8 --argsort -r)"
equal rows "1 3 200 0 1 2 " "$(sort_ x.raw --dtype u8 --shape 2,3 --axis 1)"
equal columns "2 1 0 3 1 200 " "$(sort_ x.raw --dtype u8 --shape 2,3 --axis 0)"
equal serial "0 1 1 2 3 200 " "$(sort_ x.raw --dtype u8 --backend serial)"

# -0 before +0, NaN last, both ways.
printf '\0\176\0\0\0\200\0\074\0\374' >half.raw # NaN 0 -0 1 -infinity
equal floats "-inf -0.0 0.0 1.0 nan " "$(sort_ half.raw --dtype f16)"
equal "floats down" "1.0 0.0 -0.0 -inf nan " "$(sort_ half.raw --dtype f16 -r)"

npy_u8 1 3 6 >offsets.npy
equal segments "3 1 200 0 1 2 " "$(sort_ x.raw --dtype u8 --segments offsets.npy)"

# Values follow their keys; equal keys keep their order.
npy_u8 10 11 12 13 14 15 >a.npy
npy_u8 20 21 22 23 24 25 >b.npy
exits 0 "" "$HEDDLE" sort x.raw --dtype u8 -o keys.npy --values a.npy,b.npy --values-out c.npy,d.npy
equal "keys moved" "0 1 1 2 3 200 " "$(sort_ keys.npy)"
equal "first value" "15 11 14 13 10 12 " "$(od -An -tu1 -j128 c.npy | tr -s ' \n' ' ' | sed 's/^ //')"
equal "second value" "25 21 24 23 20 22 " "$(od -An -tu1 -j128 d.npy | tr -s ' \n' ' ' | sed 's/^ //')"

# Rows of a table by a column.
bytes 1 9 5 2 7 5 3 8 4 >table.raw
equal table "3 8 4 1 9 5 2 7 5 " "$(sort_ table.raw --dtype u8 --shape 3,3 --key 3)"
equal "table down" "1 9 5 2 7 5 3 8 4 " "$(sort_ table.raw --dtype u8 --shape 3,3 -k3 -r)"
equal "table indices" "1 2 0 " "$(sort_ table.raw --dtype u8 --shape 3,3 --key 2 --argsort)"

exits 0 "" "$HEDDLE" sort "$io/empty.npy"
exits 2 "--key" "$HEDDLE" sort x.raw --dtype u8 --key 1
exits 2 "3 columns" "$HEDDLE" sort table.raw --dtype u8 --shape 3,3 --key 4
exits 2 "one of them" "$HEDDLE" sort x.raw --dtype u8 --axis 0 --segments offsets.npy
exits 2 "--values-out" "$HEDDLE" sort x.raw --dtype u8 --values a.npy
exits 2 "--values" "$HEDDLE" sort x.raw --dtype u8 --argsort --values a.npy --values-out c.npy
npy_u8 1 2 >short.npy
exits 2 "shape of the keys" "$HEDDLE" sort x.raw --dtype u8 --values short.npy --values-out c.npy
npy_u8 5 2 >falling.npy
exits 6 "less than the one before" "$HEDDLE" sort x.raw --dtype u8 --segments falling.npy
head -c 100001 /dev/zero >long.raw
exits 2 "100001 elements" "$HEDDLE" sort long.raw --dtype u8
finish
