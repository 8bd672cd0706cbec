# SPDX-License-Identifier: Apache-2.0
# heddle tree: trees from parents and from edges, everything it gives, and what is refused.
. "$(dirname "$0")/../_lib.sh"

tree() { "$HEDDLE" tree "$@" 2>&1 | tr '\n' ' '; }

echo -1 0 0 1 1 >parents.txt
printf '1 0\n0 2\n1 3\n4 1\n' >edges.txt
for how in "--backend serial" "--backend cpu" "--threads 1"; do
    equal "depth $how" "0 1 1 2 2 " "$(tree parents.txt $how)"
    equal "edges $how" "0 1 1 2 2 " "$(tree edges.txt --root 0 $how)"
    equal "sizes $how" "5 3 1 1 1 " "$(tree parents.txt -g sizes $how)"
    equal "preorder $how" "0 1 4 2 3 " "$(tree parents.txt -g preorder $how)"
    equal "postorder $how" "4 2 3 0 1 " "$(tree parents.txt -g postorder $how)"
    equal "tour $how" "0 1 3 3 4 4 1 2 2 0 " "$(tree parents.txt -g tour $how)"
done
equal "another root" "1 3 0 3 1 " "$(tree edges.txt -r 3 -g parents)"
echo 1 2 3 4 5 >x.txt
equal sums "15 11 3 4 5 " "$(tree parents.txt -g sums --values x.txt)"
equal max "5 5 3 4 5 " "$(tree parents.txt -g sums --values x.txt --op max)"
equal "sums as f32" "15.0 11.0 3.0 4.0 5.0 " "$(tree parents.txt -g sums --values x.txt --out-type f32)"
printf '3 4\n3 2\n1 4\n2 2\n' >pairs.txt
equal ancestors "1 0 1 2 " "$(tree parents.txt -g ancestors --queries pairs.txt)"
"$HEDDLE" tree parents.txt -o d.npy --out-type u8 || fail "-o"
equal written "0 1 1 2 2 " "$("$HEDDLE" transpose d.npy | tr '\n' ' ')"
equal json 5 "$("$HEDDLE" tree parents.txt --json | sed -n 's/.*"elements": \([0-9]*\).*/\1/p')"

echo 1 2 0 >circle.txt
echo -1 0 -1 >forest.txt
echo -1 0 7 >away.txt
printf '0 1\n1 2\n2 0\n' >cycle.txt
exits 7 "no tree" "$HEDDLE" tree circle.txt
exits 7 "nodes 0 and 2 are both roots" "$HEDDLE" tree forest.txt
exits 7 "the parent of node 2 is 7" "$HEDDLE" tree away.txt
exits 7 "cycle.txt: 3 edges for the nodes 0 .. 2; a tree has 2" "$HEDDLE" tree cycle.txt --root 0
exits 7 "3 edges for the nodes 0 .. 5000000000000" "$HEDDLE" tree cycle.txt --root 5000000000000
printf '0 1\n1 2\n2 0\n3 3\n' >loop.txt
exits 7 "4 edges for the nodes 0 .. 3; a tree has 3" "$HEDDLE" tree loop.txt --root 0
printf '0 1\n1 2\n2 0\n3 4\n' >apart.txt
exits 7 "node 3 is not joined to the root, 0" "$HEDDLE" tree apart.txt --root 0
printf "0 1\n1 2\n2 0\n" >pairs3.txt
exits 2 "edges u v need" "$HEDDLE" tree pairs3.txt -g parents
exits 2 "--values" "$HEDDLE" tree parents.txt -g sums
exits 2 "--queries" "$HEDDLE" tree parents.txt --queries pairs.txt
exits 2 "--op" "$HEDDLE" tree parents.txt --op max
printf '3 5\n3 2\n' >bad.txt
exits 7 "node b of query 0 is 5" "$HEDDLE" tree parents.txt -g ancestors --queries bad.txt
finish
