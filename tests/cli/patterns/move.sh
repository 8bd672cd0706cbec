# SPDX-License-Identifier: Apache-2.0
# heddle map, gather, scatter, find, difference, shuffle: their options, their examples, what is
# wrong.
. "$(dirname "$0")/../_lib.sh"

io=$SOURCE/tests/data
x=$io/le_i4.npy # 0 1 2 / 3 4 5
h() { "$HEDDLE" "$@" 2>&1 | tr '\n' ' '; }

# map
equal "scale, offset" "7 3 15 " "$(bytes 3 1 7 | h map - --dtype u8 --scale 2 --offset 1)"
equal "integers wrap" "254 0 " "$(bytes 127 128 | h map - --dtype u8 --scale 2)"
equal negate "0 -1 -2 -3 -4 -5 " "$(h map "$x" --apply negate)"
equal square "0 1 4 9 16 25 " "$(h map "$x" --apply square)"
equal abs "2 1 0 1 2 3 " "$(h map "$x" --offset -2 -o t.npy; h map t.npy --apply abs)"
equal sqrt "0.0 1.0 2.0 3.0 " "$(bytes 0 1 4 9 | h map - --dtype u8 --convert f64 --apply sqrt)"
equal "to f16" "0.0 1.0 2.0 3.0 4.0 5.0 " "$(h map "$x" --convert f16)"
equal "to bool" "false true true true true true " "$(h map "$x" --convert bool)"
h map "$x" --convert f32 --scale -0.75 -o f.npy
equal "towards zero" "0 0 -1 -2 -3 -3 " "$(h map f.npy --convert i8)"
equal "within the type" "0 0 0 0 0 0 " "$(h map f.npy --convert u8)"
exits 2 "--apply sqrt: integers have none" "$HEDDLE" map "$x" --apply sqrt
exits 2 "--scale: expected a number of type i64, got 'two'" "$HEDDLE" map "$x" --scale two
exits 2 "--convert: expected i8" "$HEDDLE" map "$x" --convert int
exits 2 "--apply: expected one of abs" "$HEDDLE" map "$x" --apply log
"$HEDDLE" map "$x" --json | grep -q '"command": "map"' || fail "json"

# gather
npy_u8 5 0 3 >index.npy
equal gather "5 0 3 " "$(h gather "$x" index.npy)"
npy_u8 1 0 1 >rows.npy
equal "rows" "3 4 5 0 1 2 3 4 5 " "$(h gather "$x" rows.npy --axis 0)"
equal "columns" "1 0 1 4 3 4 " "$(h gather "$x" rows.npy --axis -1)"
npy_u8 5 6 0 >bad.npy
equal "out of range" "5 0 0 " "$(h gather "$x" bad.npy)"
exits 7 "hd_gather: index 1 is 6; expected 0 to 5" "$HEDDLE" gather "$x" bad.npy --checked
exits 7 "index 0 is 5; expected 0 to 1" "$HEDDLE" gather "$x" index.npy --axis 0 --checked
exits 2 "index is f32; expected an integer type" "$HEDDLE" gather "$x" "$io/le_f4.npy"
exits 2 "axis 2 of a view of 2 dimensions" "$HEDDLE" gather "$x" index.npy --axis 2
exits 2 "only once" "$HEDDLE" gather - - --dtype u8

# scatter
npy_u8 10 20 30 40 >values.npy
npy_u8 2 0 2 1 >places.npy
equal scatter "20 40 30 0 " "$(h scatter values.npy places.npy)"
equal "one thread" "20 40 30 0 " "$(h scatter values.npy places.npy --threads 1)"
equal size "20 40 30 0 0 " "$(h scatter values.npy places.npy --size 5)"
equal sum "20 40 40 " "$(h scatter values.npy places.npy --op sum --size 3)"
npy_u8 1 2 3 >old.npy
equal into "20 40 30 " "$(h scatter values.npy places.npy --into old.npy)"
equal "max into" "20 40 30 " "$(h scatter values.npy places.npy --into old.npy --op max --any-order)"
npy_u8 3 0 1 2 >once.npy
equal unique "20 30 40 10 " "$(h scatter values.npy once.npy --unique)"
equal "left out" "20 40 " "$(h scatter values.npy places.npy --size 2)"
exits 7 "hd_scatter: index 0 is 2; expected 0 to 1" "$HEDDLE" scatter values.npy places.npy --size 2 --checked
exits 2 "that of in" "$HEDDLE" scatter values.npy old.npy
exits 2 "expected one of them" "$HEDDLE" scatter values.npy places.npy --into old.npy --size 3
exits 2 "does not take elements of type f32" "$HEDDLE" scatter "$io/le_f4.npy" "$x" --op xor

# find
equal find "2 " "$(bytes 0 0 7 | h find - --dtype u8)"
equal value "3 " "$(h find "$x" --value 3)"
equal none "-1 " "$(h find "$x" --value 9)"
equal last "5 " "$(h find "$x" --last)"
exits 2 "--value: expected a number of type i32, got 'x'" "$HEDDLE" find "$x" --value x
"$HEDDLE" find "$x" --json | grep -q '"value": 1' || fail "json of find"

# difference: and the scan turns it back
equal difference "3 1 7 " "$(bytes 3 4 11 | h difference - --dtype u8)"
equal before "2 1 7 " "$(bytes 3 4 11 | h difference - --dtype u8 --before 1)"
equal "axis 0" "0 1 2 3 3 3 " "$(h difference "$x" --axis 0)"
"$HEDDLE" difference "$x" -o d.npy
equal "turned back" "0 1 2 3 4 5 " "$(h scan d.npy --out-type i32)"
exits 2 "have no difference" "$HEDDLE" difference "$io/b1.npy"

# shuffle: the same everywhere, and undone by its own order
shuffled=$(printf 'abcdefgh' | h shuffle - --dtype u8 --seed 42)
equal "on serial" "$shuffled" "$(printf 'abcdefgh' | h shuffle - --dtype u8 --seed 42 --backend serial)"
equal "all there" "97 98 99 100 101 102 103 104 " "$(printf 'abcdefgh' |
    "$HEDDLE" shuffle - --dtype u8 | sort -n | tr '\n' ' ')"
[ "$shuffled" != "$(printf 'abcdefgh' | h shuffle - --dtype u8 --seed 43)" ] || fail "two seeds, one order"
printf 'abcdefgh' >letters.raw
"$HEDDLE" shuffle letters.raw --dtype u8 --indices --seed 7 -o order.npy
"$HEDDLE" shuffle letters.raw --dtype u8 --seed 7 -o mixed.npy
equal "by its order" "$(h shuffle letters.raw --dtype u8 --seed 7)" \
    "$(h gather letters.raw order.npy --dtype u8)"
equal undone "97 98 99 100 101 102 103 104 " "$(h scatter mixed.npy order.npy)"
exits 2 "--seed: expected a whole number below 2^64, got '-1'" "$HEDDLE" shuffle "$x" --seed -1

# The examples of the help.
cp "$io/le_f4.npy" x.npy
PATH=$(dirname "$HEDDLE"):$PATH
for command in map gather scatter find difference shuffle; do
    "$HEDDLE" help $command | grep -E "^  .*heddle .*(-|x\.npy)" | sed 's/  *prints .*//' |
        grep -A20 -m1 -E "printf|heddle $command|heddle shuffle" >examples.txt
    [ -s examples.txt ] || fail "no examples in the help of $command"
    while read -r line; do
        bash -c "$line" >out.txt 2>err.txt </dev/null || fail "$line: $(cat err.txt)"
    done <examples.txt
done
finish
