# SPDX-License-Identifier: Apache-2.0
# heddle strings: lines sorted, searched, compared.
. "$(dirname "$0")/../_lib.sh"

printf 'pear\napple\n\nfig\npear\napp\n\377\n' >fruit.txt
LC_ALL=C sort fruit.txt >want.txt
"$HEDDLE" strings fruit.txt >got.txt || fail "sort"
cmp -s want.txt got.txt || fail "sort: $(cat got.txt)"
"$HEDDLE" strings fruit.txt --backend serial | cmp -s - want.txt || fail "sort, serial"
equal indices "2 5 1 3 0 4 6" "$("$HEDDLE" strings -i fruit.txt | paste -sd' ')"
equal find "1 pear;2 apple;1 pear;2 app" "$("$HEDDLE" strings --find p fruit.txt | paste -sd';')"
equal longer "1 apple;1 app" "$("$HEDDLE" strings --find app fruit.txt | paste -sd';')"
equal nothing "" "$("$HEDDLE" strings --find 'pearapple' fruit.txt)"
printf 'pear\nappla\nx\nfig\npea\napple\n\377' >other.txt
equal compare "0 1 -1 0 1 -1 0" "$("$HEDDLE" strings fruit.txt --compare other.txt | paste -sd' ')"
: >empty.txt
equal empty "" "$("$HEDDLE" strings empty.txt)"
printf '\n\n' >ends.txt
equal "lines of no bytes" 2 "$("$HEDDLE" strings ends.txt | grep -c '^$')"

exits 0 "" "$HEDDLE" strings fruit.txt -o order.npy
equal file 7 "$(elements order.npy)"
exits 0 "" "$HEDDLE" strings fruit.txt --find p --json
grep -q '"values": \[1, 2, 0, 0, 1, 2, 0\]' stdout.txt || fail "json: $(cat stdout.txt)"
exits 2 "not both" "$HEDDLE" strings fruit.txt --find p --compare other.txt
exits 2 "a has 7 strings, b 0" "$HEDDLE" strings fruit.txt --compare empty.txt
exits 7 "pattern is empty" "$HEDDLE" strings fruit.txt --find ''
exits 6 "absent" "$HEDDLE" strings absent
finish
