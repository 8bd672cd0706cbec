# SPDX-License-Identifier: Apache-2.0
# heddle maximum: every method finds the same; the table counts as the lectures do.
. "$(dirname "$0")/../_lib.sh"

bytes 3 1 7 0 4 1 6 3 >x.raw
for method in cascade sequential square tree double-log; do
    equal $method "2 7" "$("$HEDDLE" maximum x.raw --dtype u8 --method $method)"
    equal "$method serial" "2 7" "$("$HEDDLE" maximum x.raw --dtype u8 --method $method --backend serial)"
done
"$HEDDLE" maximum x.raw --dtype u8 --method all >table.txt
row() { sed -n "s/^$1  *\([0-9]*\)  *\([0-9]*\)  *\([0-9]*\) .*/\1 \2 \3/p" table.txt; }
equal sequential "7 7 1" "$(row sequential)"
equal square "3 80 64" "$(row square)"
equal tree "3 7 4" "$(row tree)"
equal double-log "5 14 4" "$(row double-log)"
equal methods 5 "$("$HEDDLE" maximum x.raw --dtype u8 --method all --json | grep -c '"method":')"

head -c 70000 /dev/zero >long.raw
exits 2 "at most 65536" "$HEDDLE" maximum long.raw --dtype u8 --method square
"$HEDDLE" maximum long.raw --dtype u8 --method all | grep -q "^square  *more than 65536" || fail "left out"
exits 0 "" "$HEDDLE" maximum "$SOURCE/tests/data/empty.npy"
exits 2 "--method" "$HEDDLE" maximum x.raw --dtype u8 --method guess
finish
