# SPDX-License-Identifier: Apache-2.0
# heddle ladder --draw of what scan is good for: the values of the usual inputs, work and steps, the
# same results as the commands have, pages, and what cannot be drawn.
# (tests/bench/test_ladder_draw.c draws random values.)
. "$(dirname "$0")/../_lib.sh"

scan() { "$HEDDLE" ladder scan --draw "$@" 2>&1; }
row() { sed -n "s/^ *$1 //p" | tr -s ' ' | sed 's/^ //'; } # of every step
last() { tail -1; }

equal "split sort" "1 2 2 3 4 5 7 7" "$(scan split-sort | row key | last)"
equal "its first step" "3 4 5 6 0 1 7 2" "$(scan split-sort | row 'goes to' | head -1)"
equal "its work" "3 bits: 3 scans of 8 and as many moves, in 3 x (3 + 1) = 12 steps" "$(scan split-sort | last)"
equal quicksort "-7 0 3 3 12" "$(scan quicksort 3 12 -7 3 0 | row key | last)"
equal histogram "1 3 0 3 1 0 1 1 . ." \
    "$("$HEDDLE" ladder histogram --draw sort-and-reduce 3 1 7 0 4 1 6 3 1 3 | row bin | last)"
equal broadcast "4 4 4 4 4" "$(scan broadcast 4 5 | row value | last)"
equal "its steps" "5 elements: 5 copies in 4 steps, and no element is read twice in a step" \
    "$(scan broadcast 4 5 | last)"
equal "the scan of the lectures" "3 4 11 11 15 16 22 25" "$(scan recurrence 1 3 1 7 0 4 1 6 3 | row plus | last)"
equal "a sum" "25 . . . . . . ." "$(scan polynomial 1 3 1 7 0 4 1 6 3 | row value | last)"
scan polynomial 2 1 0 3 | grep -q '^p(2) = 13: 2 joins of 3 operations in 2 steps' || fail "a polynomial"
equal carries "1 0 0 0" "$(scan carries 999 1 | row sum | last)"
scan carries 999 1 | grep -q '^1000: 5 operations of a scan in 2 steps' || fail "the work of carries"
equal tokens "word number . point word" "$(scan lexer x12.y | row token | last)"
equal "what goes on" "sw sndf sndf s sw" "$(scan lexer x12.y | row 'goes on' | last)"
equal depth "0 1 1 2 2 . . . . ." "$(scan tree -1 0 0 1 1 | row depth | last)"
equal "another root" "1 0 1 . . ." "$(scan tree 1 1 1 | row depth | last)"
equal corners "0 1 . 2 . 4 3 5" "$(scan hull | row corner | last)"

# The commands compute the same.
echo -1 0 0 1 1 2 4 4 >parents.txt
for what in depth preorder postorder; do
    equal "tree $what" "$("$HEDDLE" tree parents.txt --give $what | xargs)" \
        "$(scan tree | row $what | last | tr -d . | xargs)"
done
printf '0 0\n6 1\n2 2\n8 5\n4 3\n3 7\n6 7\n1 5\n' >points.txt
equal "hull" "0 1 3 6 5 7" "$("$HEDDLE" hull points.txt | xargs)"
equal "its steps" "6 corners, 2 steps" "$("$HEDDLE" hull points.txt --counts 2>&1 >/dev/null)"
scan hull | grep -q '^6 corners: .* in 2 steps' || fail "the steps of the hull"
printf '3 1 7 0 4 1 6 3' >x.txt
equal "recurrence" "$("$HEDDLE" recurrence x.txt -c 2 --dtype f64 | sed 's/\.0$//' | xargs)" \
    "$(scan recurrence | row plus | last)"

for method in split-sort quicksort broadcast polynomial recurrence carries lexer tree hull; do
    "$HEDDLE" ladder | grep -q "what it is good for:.* $method" || fail "$method is not listed"
    scan $method --html page.html || fail "$method as a page"
    equal "$method: pictures" 1 "$(grep -c '<svg' page.html)"
    steps=$(scan $method | grep -c '^$')
    equal "$method: steps" $((steps - 1)) "$(grep -c 'type="radio"' page.html)"
done
scan lexer x12.y --html page.html
grep -q '>number</text>' page.html || fail "no token on the page"

exits 2 "keys of 0 to 65535" "$HEDDLE" ladder scan --draw split-sort 1 65536
exits 2 "keys of 0 to 65535" "$HEDDLE" ladder scan --draw split-sort 1 -1
exits 2 "takes 2 to 16 keys" "$HEDDLE" ladder scan --draw quicksort 1
exits 2 "the parent of each" "$HEDDLE" ladder scan --draw tree 1 2 0
exits 2 "x and y of 1 to 16 points" "$HEDDLE" ladder scan --draw hull 1 2 3
exits 2 "below 10^10" "$HEDDLE" ladder scan --draw polynomial 100000 1 2 3
exits 2 "a text of 1 to 12" "$HEDDLE" ladder scan --draw lexer 'a+b'
exits 2 "a text of 1 to 12" "$HEDDLE" ladder scan --draw lexer ''
exits 2 "two whole numbers" "$HEDDLE" ladder scan --draw carries 1
exits 2 "expected up to 32 whole numbers" "$HEDDLE" ladder scan --draw tree x
exits 2 "nothing of the text ladder" "$HEDDLE" ladder text --draw tree
exits 6 "" "$HEDDLE" ladder scan --draw tree --html no/such/folder.html
finish
