# SPDX-License-Identifier: Apache-2.0
# heddle top: the greatest few, and where they stand.
. "$(dirname "$0")/../_lib.sh"

top() { "$HEDDLE" top "$@" 2>&1 | tr '\n' ' ' | sed 's/  */ /g'; }
bytes 3 1 7 0 4 1 6 3 >x.raw
equal greatest "2 7 6 6 4 4 " "$(top x.raw --dtype u8 -k 3)"
equal smallest "3 0 1 1 5 1 " "$(top x.raw --dtype u8 -k 3 --smallest)"
equal serial "3 0 1 1 5 1 " "$(top x.raw --dtype u8 -k 3 -s --backend serial)"
equal all "2 7 6 6 4 4 0 3 7 3 1 1 5 1 3 0 " "$(top x.raw --dtype u8)"
equal none "" "$(top x.raw --dtype u8 -k 0)"
equal pipe "2 7 " "$(top - --dtype u8 -k 1 <x.raw)"

exits 0 "" "$HEDDLE" top x.raw --dtype u8 -k 3 -o indices.npy --values-out values.npy
equal "values in the file" "17" "$("$HEDDLE" reduce values.npy)"
equal "indices in the file" "12" "$("$HEDDLE" reduce indices.npy)"
exits 0 "" "$HEDDLE" top x.raw --dtype u8 -k 2 --json
grep -q '"elements": 2' stdout.txt || fail "json: $(cat stdout.txt)"

exits 2 "-k 9: x.raw has 8 elements" "$HEDDLE" top x.raw --dtype u8 -k 9
exits 2 "--values-out: needs -o" "$HEDDLE" top x.raw --dtype u8 --values-out v.npy
exits 2 "count" "$HEDDLE" top x.raw --dtype u8 -k -1
finish
