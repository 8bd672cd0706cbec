# SPDX-License-Identifier: Apache-2.0
# heddle evaluate: the value of an arithmetic expression.
. "$(dirname "$0")/../_lib.sh"

value() { printf '%s' "$1" | "$HEDDLE" evaluate - "${@:2}" 2>&1; }
equal product "13.0" "$(value '2 * (3 + 4) - 1')"
equal bits "0.30000000000000004" "$(value '.1 + .2')"
equal hex "0x3fd3333333333334" "$(value '.1 + .2' --hex)"
equal left "6" "$(value '7 / 2 * 2' --type i64)"
equal serial "-8" "$(value '-(2 - -6)' --type i64 --backend serial)"
equal nest "100000" "$({ yes '(1+' | head -99999; echo 1; yes ')' | head -99999; } | tr -d '\n' |
    "$HEDDLE" evaluate - --type i64)"
printf '1/(2-2)' >zero.txt
equal infinity "inf" "$("$HEDDLE" evaluate zero.txt)"
exits 7 "byte 1 of the text: a division by zero" "$HEDDLE" evaluate zero.txt --type i64
printf '2*(3+4' >open.txt
exits 7 "byte 2 of the text: expected ) for this (" "$HEDDLE" evaluate open.txt
printf '2+x' >letter.txt
exits 7 "byte 2 of the text: expected a number" "$HEDDLE" evaluate letter.txt
exits 0 "" "$HEDDLE" evaluate zero.txt --json
grep -q '"value": "inf"' stdout.txt || fail "json: $(cat stdout.txt)"
exits 2 "--type" "$HEDDLE" evaluate zero.txt --type f32
exits 6 "absent" "$HEDDLE" evaluate absent
finish
