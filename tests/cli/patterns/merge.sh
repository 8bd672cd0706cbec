# SPDX-License-Identifier: Apache-2.0
# heddle merge: two sorted arrays to one.
. "$(dirname "$0")/../_lib.sh"

merge() { "$HEDDLE" merge "$@" 2>&1 | tr '\n' ' '; }
bytes 1 4 6 >a.raw
bytes 2 4 5 >b.raw
equal ascending "1 2 4 4 5 6 " "$(merge a.raw b.raw --dtype u8)"
equal serial "1 2 4 4 5 6 " "$(merge a.raw b.raw --dtype u8 --backend serial)"
bytes 6 4 1 >down.raw
bytes 5 4 2 >down2.raw
equal descending "6 5 4 4 2 1 " "$(merge down.raw down2.raw --dtype u8 -d)"
equal pipe "1 2 4 4 5 6 " "$(merge - b.raw --dtype u8 <a.raw)"
equal hex "0x01 0x02 0x04 0x04 0x05 0x06 " "$(merge a.raw b.raw --dtype u8 --hex)"
: >none.raw
equal "one empty" "1 4 6 " "$(merge a.raw none.raw --dtype u8)"

exits 0 "" "$HEDDLE" merge a.raw b.raw --dtype u8 -o out.npy
equal file 6 "$(elements out.npy)"
exits 0 "" "$HEDDLE" merge a.raw b.raw --dtype u8 --json
grep -q '"elements": 6' stdout.txt || fail "json: $(cat stdout.txt)"

exits 7 "a is not sorted: element 1 comes before element 0" \
    "$HEDDLE" merge down.raw b.raw --dtype u8
exits 0 "" "$HEDDLE" merge down.raw b.raw --dtype u8 --unchecked
npy_u8 1 2 >a.npy
exits 2 "of one type" "$HEDDLE" merge a.npy "$SOURCE/tests/data/le_f4.npy"
exits 2 "expected A B" "$HEDDLE" merge a.raw
exits 2 "standard input" "$HEDDLE" merge - - --dtype u8
exits 6 "nothing.raw" "$HEDDLE" merge a.raw nothing.raw --dtype u8
finish
