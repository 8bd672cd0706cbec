# SPDX-License-Identifier: Apache-2.0
# heddle spans: the bread of the lectures, every policy, several pools, and what is refused.
. "$(dirname "$0")/../_lib.sh"

spans() { "$HEDDLE" spans "$@" 2>&1 | tr '\n' ';'; }

echo 3 5 2 7 28 4 3 0 8 1 >wants.txt
for backend in serial cpu; do
    how="--dtype i64 --backend $backend"
    equal "cuts, $backend" "3 3;8 5;10 2;17 7;45 28;49 4;52 3;52 0;60 8;61 1;" \
        "$(spans wants.txt $how --pool 100 --ends)"
    equal "counts, $backend" "39 left, 0 of 10 get less than they want" \
        "$("$HEDDLE" spans wants.txt $how --pool 100 --counts 2>&1 >/dev/null)"
done
npy_u8 4 9 3 12 2 3 >street.npy
equal partial "0 4;4 9;13 3;16 4;20 0;20 0;" "$(spans street.npy --pool 20)"
equal in-order "0 4;4 9;13 3;16 0;16 0;16 0;" "$(spans street.npy --pool 20 --policy in-order)"
equal skip "0 4;4 9;13 3;16 0;16 2;18 0;" "$(spans street.npy --pool 20 --policy skip)"
equal all "0 0;0 0;0 0;0 0;0 0;0 0;" "$(spans street.npy --pool 32 --policy all)"

npy_u8 10 14 >pools.npy
npy_u8 0 3 6 >offsets.npy
spans street.npy --pools pools.npy --segments offsets.npy --unmet-out unmet.npy -o begins.npy \
    --granted-out granted.npy
equal pools "0;4;10;0;12;14;" "$("$HEDDLE" transpose begins.npy | tr '\n' ';')"
equal lengths "4;6;0;12;2;0;" "$("$HEDDLE" transpose granted.npy | tr '\n' ';')"
equal unmet "1;2;5;" "$("$HEDDLE" transpose unmet.npy | tr '\n' ';')"
equal json 3 "$("$HEDDLE" spans street.npy --pools pools.npy --segments offsets.npy --json |
    sed -n 's/.*"unmet": \([0-9]*\).*/\1/p')"

exits 2 "expected --pool N" "$HEDDLE" spans street.npy
exits 2 "one needs the other" "$HEDDLE" spans street.npy --pools pools.npy
exits 2 "partial" "$HEDDLE" spans street.npy --pool 3 --policy fair
echo 3 -5 >bad.txt
exits 7 "wants[1] is -5" "$HEDDLE" spans bad.txt --dtype i64 --pool 3
finish
