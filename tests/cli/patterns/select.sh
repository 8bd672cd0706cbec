# SPDX-License-Identifier: Apache-2.0
# heddle compact, partition, unique, runs, expand: what they print and write, and what they refuse.
. "$(dirname "$0")/../_lib.sh"

io=$SOURCE/tests/data
line() { "$HEDDLE" "$@" 2>&1 | tr '\n' ' '; }

bytes 3 1 7 0 4 1 6 3 >x.raw
x="x.raw --dtype u8"
equal nonzero "3 1 7 4 1 6 3 " "$(line compact $x)"
equal zero "0 " "$(line compact $x --invert)"
equal greater "7 4 6 " "$(line compact $x --greater 3)"
equal at-least "3 7 4 6 3 " "$(line compact $x --at-least 3)"
equal between "3 4 3 " "$(line compact $x --greater 1 --less 6)"
equal at-most "1 0 1 " "$(line compact $x --at-most 1)"
equal equal "1 1 " "$(line compact $x --equal 1)"
equal "not equal" "3 7 0 4 6 3 " "$(line compact $x --equal 1 -v)"
equal indices "2 7 6 6 " "$(line compact $x --greater 5 -i)"
npy_u8 1 0 0 2 0 0 0 255 >flags.npy
equal flags "3 0 3 " "$(line compact $x --flags flags.npy)"
equal rows "3 4 5 " "$(line compact "$io/le_i4.npy" --greater 2)"
equal columns "3.0 4.0 5.0 " "$(line compact "$io/fortran.npy" --greater 2)"
equal half "2.0 " "$(line compact "$io/le_f2.npy" --equal 2)"
exits 0 "" "$HEDDLE" compact $x --greater 3 -o kept.npy --indices-out where.npy
equal written "7 4 6 " "$(line compact kept.npy)"
equal where "2 4 6 " "$(line compact where.npy)"
equal serial "7 4 6 " "$(line compact $x --greater 3 --backend serial)"
"$HEDDLE" compact $x --greater 3 --json | grep -q '"elements": 3' || fail "json"
exits 0 "" "$HEDDLE" compact "$io/empty.npy"
exits 2 "expected a number of type u8, got '300'" "$HEDDLE" compact $x --less 300
exits 2 "--flags: goes without --less" "$HEDDLE" compact $x --less 3 --flags flags.npy
exits 2 "standard input can be read only once" "$HEDDLE" compact - --dtype u8 --flags -
npy_u8 1 0 >few.npy
exits 2 "flags has shape" "$HEDDLE" compact $x --flags few.npy
exits 2 "flags are f32" "$HEDDLE" compact "$io/le_f4.npy" --flags "$io/le_f4.npy"

equal partition "3 1 0 1 3 7 4 6 " "$(line partition $x --less 4)"
equal "two ways" "3 1 7 4 1 6 3 0 " "$(line partition $x)"
npy_u8 2 0 1 0 2 1 0 2 >buckets.npy
equal buckets "1 0 6 7 1 3 4 3 " "$(line partition $x --buckets buckets.npy --ways 3 --counts-out counts.npy --indices-out from.npy)"
equal counts "3 2 3 " "$(line compact counts.npy)"
equal from "1 3 6 2 5 4 7 " "$(line compact from.npy)"
exits 7 "element 0 is of bucket 2; expected 0 to 1" "$HEDDLE" partition $x --buckets buckets.npy --ways 2
exits 2 "--buckets and --ways go together" "$HEDDLE" partition $x --ways 2
exits 2 "buckets go without flags" "$HEDDLE" partition $x --buckets buckets.npy --ways 3 --less 4

bytes 1 1 1 4 4 1 >r.raw
equal unique "1 4 1 " "$(line unique r.raw --dtype u8)"
equal runs "1 3 4 2 1 1 " "$(line runs r.raw --dtype u8)"
exits 0 "" "$HEDDLE" runs r.raw --dtype u8 -o v.npy --lengths-out l.npy --indices-out i.npy
equal lengths "3 2 1 " "$(line compact l.npy)"
equal begins "3 5 " "$(line compact i.npy)"
equal expand "1 1 1 4 4 1 " "$(line expand v.npy l.npy)"
exits 0 "" "$HEDDLE" expand v.npy l.npy -o back.raw
cmp -s back.raw r.raw || fail "what runs took apart, expand did not put together"
bytes 255 1 2 | "$HEDDLE" scan - --dtype i8 --op xor --out-type i8 -o signed.npy || fail "scan"
exits 7 "length 0 is -1; expected 0 or more" "$HEDDLE" expand v.npy signed.npy
npy_u8 1 2 >two.npy
exits 2 "lengths has shape" "$HEDDLE" expand v.npy two.npy
exits 2 "lengths are f32" "$HEDDLE" expand "$io/le_f4.npy" "$io/le_f4.npy"

# A long array, apart and together again, on one thread and on several.
yes 'aaabbbbbbbccdd' | head -c 300000 >long.raw
for t in 1 2 5; do
    exits 0 "" "$HEDDLE" runs long.raw --dtype u8 -t $t -o v.npy --lengths-out l.npy
    exits 0 "" "$HEDDLE" expand v.npy l.npy -t $t -o back.raw
    cmp -s back.raw long.raw || fail "$t threads"
done
finish
