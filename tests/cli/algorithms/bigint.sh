# SPDX-License-Identifier: Apache-2.0
# heddle bigint: signs, zeros in front, both radices, files that hold no number.
. "$(dirname "$0")/../_lib.sh"

number() { printf '%s' "$2" >"$1.txt"; }
bigint() { "$HEDDLE" bigint "$@" 2>&1; }
# both WHAT A B WANT [OPTION]
both() {
    number a "$2"
    number b "$3"
    equal "$1 $2 $3" "$4" "$(bigint "$1" a.txt b.txt ${5-})"
}
both add 99999999999999999999 1 100000000000000000000
both subtract 1 99999999999999999999 -99999999999999999998
both add 999999999999999999999999999999999999 1 1000000000000000000000000000000000000
both add -5 3 -2
both add 5 -5 0
both add -0 -0 0
both subtract -5 -7 2
both subtract 00012 0002 10
both add "  +7
" 8 15
both compare 12 -13 1
both compare -12 -13 1
both compare 000 -0 0
both compare 3 30000000000000000000000 -1
both add ffffffffffffffff 1 10000000000000000 --hex
both subtract 10000000000000000 Fe ffffffffffffff02 --hex
both add f f 1e --hex

number a 12345678901234567890
exits 0 "" "$HEDDLE" bigint add a.txt a.txt -o sum.txt --json
equal file 24691357802469135780 "$(cat sum.txt)"
grep -q '"digits": 20' stdout.txt || fail "json: $(cat stdout.txt)"
exits 0 "" "$HEDDLE" bigint add a.txt a.txt --json
grep -q '"value": "24691357802469135780"' stdout.txt || fail "json: $(cat stdout.txt)"
equal pipe 12345678901234567891 "$(printf 1 | "$HEDDLE" bigint add a.txt -)"
number b 12x4
exits 7 "b.txt: byte 2 is 0x78; expected a decimal digit" "$HEDDLE" bigint add a.txt b.txt
number b "  -12x4"
exits 7 "b.txt: byte 5 is 0x78; expected a decimal digit" "$HEDDLE" bigint add a.txt b.txt
number b ""
exits 7 "expected digits" "$HEDDLE" bigint add a.txt b.txt
number b "- 5"
exits 7 "byte 1 is 0x20" "$HEDDLE" bigint add a.txt b.txt
exits 2 "expected add, subtract or compare" "$HEDDLE" bigint multiply a.txt b.txt
exits 6 "nothing.txt" "$HEDDLE" bigint add a.txt nothing.txt
# Against Python, where it is: half a million digits and a carry through all of them.
python=$(command -v python3) && {
    "$python" - <<'END'
import random, sys
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)
r = random.Random(5)
a = "".join(r.choice("0123456789") for _ in range(20000))
b = "".join(str(9 - int(c)) for c in a)
open("a.txt", "w").write(a)
open("b.txt", "w").write(b)
open("one.txt", "w").write("1")
open("want.txt", "w").write(str(int(a) - int(b)) + "\n")
END
    bigint subtract a.txt b.txt -o got.txt
    cmp got.txt want.txt || fail "20000 digits"
    bigint add a.txt b.txt -o nines.txt
    equal carries "1$(printf '0%.0s' $(seq 20000))" "$(bigint add nines.txt one.txt)"
}
finish
