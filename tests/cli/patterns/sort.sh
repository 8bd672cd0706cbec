# SPDX-License-Identifier: Apache-2.0
# heddle sort: directions, axes, segments, values, tables, indices, and what is refused.
. "$(dirname "$0")/../_lib.sh"

io=$SOURCE/tests/data
sort_() { "$HEDDLE" sort "$@" 2>&1 | tr '\n' ' '; }

bytes 3 1 200 2 1 0 >x.raw
equal up "0 1 1 2 3 200 " "$(sort_ x.raw --dtype u8)"
equal pipe "0 1 1 2 3 200 " "$(sort_ - --dtype u8 <x.raw)"
equal down "200 3 2 1 1 0 " "$(sort_ x.raw --dtype u8 --descending)"
equal signed "-56 0 1 1 2 3 " "$(sort_ x.raw --dtype i8)"
equal indices "5 1 4 3 0 2 " "$(sort_ x.raw --dtype u8 --argsort)"
equal "indices down" "2 0 3 1 4 5 " "$(sort_ x.raw --dtype u8 --argsort -r)"
equal rows "1 3 200 0 1 2 " "$(sort_ x.raw --dtype u8 --shape 2,3 --axis 1)"
equal columns "2 1 0 3 1 200 " "$(sort_ x.raw --dtype u8 --shape 2,3 --axis 0)"
equal serial "0 1 1 2 3 200 " "$(sort_ x.raw --dtype u8 --backend serial)"

# -0 before +0, NaN last, both ways.
printf '\0\176\0\0\0\200\0\074\0\374' >half.raw # NaN 0 -0 1 -infinity
equal floats "-inf -0.0 0.0 1.0 nan " "$(sort_ half.raw --dtype f16)"
equal "floats down" "1.0 0.0 -0.0 -inf nan " "$(sort_ half.raw --dtype f16 -r)"

npy_u8 1 3 6 >offsets.npy
equal segments "3 1 200 0 1 2 " "$(sort_ x.raw --dtype u8 --segments offsets.npy)"

# Values follow their keys; equal keys keep their order.
npy_u8 10 11 12 13 14 15 >a.npy
npy_u8 20 21 22 23 24 25 >b.npy
exits 0 "" "$HEDDLE" sort x.raw --dtype u8 -o keys.npy --values a.npy,b.npy --values-out c.npy,d.npy
equal "keys moved" "0 1 1 2 3 200 " "$(sort_ keys.npy)"
equal "first value" "15 11 14 13 10 12 " "$(od -An -tu1 -j128 c.npy | tr -s ' \n' ' ' | sed 's/^ //')"
equal "second value" "25 21 24 23 20 22 " "$(od -An -tu1 -j128 d.npy | tr -s ' \n' ' ' | sed 's/^ //')"

# Rows of a table by a column.
bytes 1 9 5 2 7 5 3 8 4 >table.raw
equal table "3 8 4 1 9 5 2 7 5 " "$(sort_ table.raw --dtype u8 --shape 3,3 --key 3)"
equal "table down" "1 9 5 2 7 5 3 8 4 " "$(sort_ table.raw --dtype u8 --shape 3,3 -k3 -r)"
equal "table indices" "1 2 0 " "$(sort_ table.raw --dtype u8 --shape 3,3 --key 2 --argsort)"

# Lines of a text by a column of numbers: words, quotes and the header stay as they are.
printf 'name,age,town\nann,31,Rome\nbob,4,"Paris, France"\ncyd,25.5,Rome\ndan,4,Oslo\n' >people.csv
by_age='name,age,town
bob,4,"Paris, France"
dan,4,Oslo
cyd,25.5,Rome
ann,31,Rome'
equal "lines by a column" "$by_age" "$("$HEDDLE" sort --key 2 people.csv)"
equal "by its title" "$by_age" "$("$HEDDLE" sort --key age people.csv)"
equal "from a pipe" "$by_age" "$("$HEDDLE" sort --key 2 - --format csv <people.csv)"
exits 0 "" "$HEDDLE" sort -k 2 people.csv -o by_age.csv
equal "into a file" "$by_age" "$(cat by_age.csv)"
equal "the oldest first" "ann,31,Rome" "$("$HEDDLE" sort -r -k age people.csv | sed -n 2p)"
equal "their indices" "1 3 2 0 " "$(sort_ --key 2 people.csv --argsort)"
exits 0 "" "$HEDDLE" sort --key age people.csv --json
equal "lines in a document" '"bob,4,\"Paris, France\"" "dan,4,Oslo" "cyd,25.5,Rome" "ann,31,Rome" ' \
    "$(sed -n '/"lines"/,/]/p' stdout.txt | sed '1d;$d;s/^ *//;s/,$//' | tr '\n' ' ')"
grep -q '"header": "name,age,town"' stdout.txt && grep -q '"rows": 4,' stdout.txt ||
    fail "header and rows in the document: $(cat stdout.txt)"
if command -v python3 >/dev/null; then
    python3 -c 'import json; assert len(json.load(open("stdout.txt"))["lines"]) == 4' ||
        fail "it is JSON"
fi
exits 0 "" "$HEDDLE" sort --key age people.csv --json -o told.csv
grep -q '"output": "told.csv"' stdout.txt || fail "the file in the document: $(cat stdout.txt)"
equal "the file beside it" "$by_age" "$(cat told.csv)"
exits 2 "-o -" "$HEDDLE" sort --key age people.csv --json -o -
exits 0 "" "$HEDDLE" sort --key age people.csv --json --argsort
grep -q '"values": \[1, 3, 2, 0\]' stdout.txt || fail "indices in the document: $(cat stdout.txt)"
printf '3 c\n1 a\n2 b\n' >words.txt
equal "without a header" "1 a 2 b 3 c " "$(sort_ -k1 words.txt)"
printf '3,30\n1,10\n2,\n' >gap.csv
equal "an empty field is last" "1,10 3,30 2, " "$(sort_ -k2 gap.csv)"
equal "numbers to numbers" "1.0 10.0 3.0 30.0 2.0 nan " "$("$HEDDLE" sort -k2 gap.csv -o gap.npy && "$HEDDLE" convert gap.npy -o gap.txt && tr -s ' \n' ' ' <gap.txt)"
exits 2 "3 columns" "$HEDDLE" sort --key 4 people.csv
exits 2 "--key height" "$HEDDLE" sort --key height people.csv
exits 2 "--key 0" "$HEDDLE" sort --key 0 people.csv
exits 7 "line 2, column 1" "$HEDDLE" sort --key name people.csv
printf 'a,1\nb\n' >ragged.csv
exits 7 "line 2" "$HEDDLE" sort --key 2 ragged.csv
exits 2 "got 'age'" "$HEDDLE" sort table.raw --dtype u8 --shape 3,3 --key age

exits 0 "" "$HEDDLE" sort "$io/empty.npy"
exits 2 "--key" "$HEDDLE" sort x.raw --dtype u8 --key 1
exits 2 "3 columns" "$HEDDLE" sort table.raw --dtype u8 --shape 3,3 --key 4
exits 2 "one of them" "$HEDDLE" sort x.raw --dtype u8 --axis 0 --segments offsets.npy
exits 2 "--values-out" "$HEDDLE" sort x.raw --dtype u8 --values a.npy
exits 2 "--values" "$HEDDLE" sort x.raw --dtype u8 --argsort --values a.npy --values-out c.npy
npy_u8 1 2 >short.npy
exits 2 "expected (6), that of the keys" "$HEDDLE" sort x.raw --dtype u8 --values short.npy --values-out c.npy
npy_u8 5 2 >falling.npy
exits 7 "less than the one before" "$HEDDLE" sort x.raw --dtype u8 --segments falling.npy
head -c 100001 /dev/zero >long.raw
exits 2 "100001 elements" "$HEDDLE" sort long.raw --dtype u8
finish
