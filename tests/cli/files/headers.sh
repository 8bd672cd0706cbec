# SPDX-License-Identifier: Apache-2.0
# The first line of a CSV file, and values that are missing: nothing is dropped in silence.
. "$(dirname "$0")/../_lib.sh"

printf '1,NA\n2,3\n' >first.csv
equal "the first row counts" "4" "$(elements first.csv)"
"$HEDDLE" convert first.csv -o first.txt
equal "its values" "1.0 nan 2.0 3.0" "$(xargs <first.txt)"
equal "said to be a header" 5 "$("$HEDDLE" reduce first.csv --header yes)"
exits 7 "line 1, column 2: expected a number of type i64, got a missing value ('NA')" \
    "$HEDDLE" reduce first.csv --dtype i64
printf 'id,2024\n7,1\n' >years.csv
exits 7 "got 'id' (a header has no number in it, unless --header yes" "$HEDDLE" reduce years.csv
equal "with a year" 8 "$("$HEDDLE" reduce years.csv --header yes)"
printf 'x,y\n1,2\n' >titles.csv
equal "titles" 3 "$("$HEDDLE" reduce titles.csv)"
exits 7 "line 1, column 1: expected a number, got 'x'" "$HEDDLE" reduce titles.csv --header no
exits 2 "--header is for CSV files, but this is an .npy file" \
    "$HEDDLE" reduce "$SOURCE/tests/data/le_f4.npy" --header no
exits 2 "--header: expected one of auto|yes|no" "$HEDDLE" reduce titles.csv --header maybe

# Tables: a missing value is no title.
printf 'b,NA\na,2\nc,1\n' >words.csv
"$HEDDLE" sort words.csv --key 2 >sorted.csv
equal "a first line that is data" "c,1 a,2 b,NA" "$(xargs <sorted.csv)"
"$HEDDLE" sort words.csv --key 2 --header yes >sorted.csv
equal "said to be titles" "b,NA c,1 a,2" "$(xargs <sorted.csv)"

# A line of very many columns is cut once for each look, not once a column.
(seq -s, 1 200000 && seq -s, 2 200001 && seq -s, 3 200002 | sed 's/,9,/,x,/') >wide.csv
exits 0 "" timeout 120 "$HEDDLE" show wide.csv
finish
