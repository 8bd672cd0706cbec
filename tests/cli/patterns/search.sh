# SPDX-License-Identifier: Apache-2.0
# heddle search: where elements belong in a sorted array.
. "$(dirname "$0")/../_lib.sh"

search() { "$HEDDLE" search "$@" 2>&1 | tr '\n' ' '; }
bytes 1 4 4 6 >sorted.raw
bytes 4 7 0 >queries.raw
equal left "1 4 0 " "$(search sorted.raw queries.raw --dtype u8)"
equal right "3 4 0 " "$(search sorted.raw queries.raw --dtype u8 --right)"
equal serial "3 4 0 " "$(search sorted.raw queries.raw --dtype u8 -r --backend serial)"
bytes 6 4 4 1 >down.raw
equal descending "1 0 4 " "$(search down.raw queries.raw --dtype u8 -d)"
equal type "1 4 0 " "$(search sorted.raw queries.raw --dtype u8 --out-type u32)"

exits 0 "" "$HEDDLE" search sorted.raw queries.raw --dtype u8 -o out.npy
equal file 3 "$(elements out.npy)"
exits 0 "" "$HEDDLE" search sorted.raw queries.raw --dtype u8 --json
grep -q '"elements": 3' stdout.txt || fail "json: $(cat stdout.txt)"

exits 7 "sorted is not sorted: element 1" "$HEDDLE" search down.raw queries.raw --dtype u8
exits 0 "" "$HEDDLE" search down.raw queries.raw --dtype u8 --unchecked
exits 2 "--out-type" "$HEDDLE" search sorted.raw queries.raw --dtype u8 --out-type f32
npy_u8 1 2 >sorted.npy
exits 2 "queries are f32" "$HEDDLE" search sorted.npy "$SOURCE/tests/data/le_f4.npy"
finish
