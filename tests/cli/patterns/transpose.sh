# SPDX-License-Identifier: Apache-2.0
# heddle transpose: matrices, axes, columns apart and together.
. "$(dirname "$0")/../_lib.sh"

turn() { "$HEDDLE" transpose "$@" 2>&1 | tr '\n' '|'; }

bytes 1 2 3 4 5 6 >x.raw
for backend in serial cpu; do
    on="--backend $backend"
    equal matrix "1 4|2 5|3 6|" "$(turn x.raw --dtype u8 --shape 2,3 $on)"
    equal "one row" "1|2|3|4|5|6|" "$(turn x.raw --dtype u8 $on)"
    equal batch "1|2||3|4||5|6|" "$(turn x.raw --dtype u8 --shape 3,1,2 $on)"
    equal axes "1 3 5|2 4 6|" "$(turn x.raw --dtype u8 --shape 3,2 --axes 1,0 $on)"
    equal negative "1 3 5|2 4 6|" "$(turn x.raw --dtype u8 --shape 3,2 --axes -1,0 $on)"
done
equal fortran "0.0 3.0|1.0 4.0|2.0 5.0|" "$(turn "$SOURCE/tests/data/fortran.npy")"
equal there "1 2 3|4 5 6|" "$("$HEDDLE" transpose x.raw --dtype u8 --shape 2,3 -o - | turn -)"

# Columns to files and back.
exits 0 "" "$HEDDLE" transpose x.raw --dtype u8 --shape 2,3 --split -o part.npy
equal "column 0" "1|4|" "$("$HEDDLE" scan part_0.npy --op max | tr '\n' '|')"
equal "column 2" "3|6|" "$("$HEDDLE" scan part_2.npy --op max | tr '\n' '|')"
equal together "1 2 3|4 5 6|" "$(turn part_0.npy part_1.npy part_2.npy)"
equal json 6 "$("$HEDDLE" transpose x.raw --dtype u8 --shape 2,3 --json | sed -n 's/.*"elements": \([0-9]*\).*/\1/p')"

exits 2 "--axes" "$HEDDLE" transpose x.raw --dtype u8 --shape 2,3 --axes 0
exits 2 "axes[1] is 5" "$HEDDLE" transpose x.raw --dtype u8 --shape 2,3 --axes 0,5
exits 2 "already" "$HEDDLE" transpose x.raw --dtype u8 --shape 2,3 --axes 1,1
exits 2 "needs -o" "$HEDDLE" transpose x.raw --dtype u8 --shape 2,3 --split
exits 2 "two dimensions" "$HEDDLE" transpose x.raw --dtype u8 --split -o p.npy
exits 2 "expected one row" "$HEDDLE" transpose part_0.npy "$SOURCE/tests/data/le_i4.npy"
exits 6 "" "$HEDDLE" transpose missing.npy
finish
