# SPDX-License-Identifier: Apache-2.0
# Every command over ranks makes the bytes that it makes alone, and prints the same.
. "$SOURCE/tests/mpi/program/_lib.sh" "$@"

mixed 5003 2719 | awk '{ print ($1 - 1000) / 7 }' | array x.npy f32
mixed 4001 1999 | awk '{ print $1 % 257 }' | array i.npy i32
mixed 4001 613 | array order.npy u32
mixed 4001 5 | awk '{ print ($1 % 50) / 4 }' | array v.npy f64

# On every number of ranks, under each MPI: keys with values have the most to go wrong.
"$HEDDLE" sort i.npy --descending --values v.npy,order.npy --values-out a.npy,b.npy -o k.npy
for n in 1 2 3 5; do
    ranks $n sort i.npy --descending --values v.npy,order.npy --values-out c.npy,d.npy -o l.npy ||
        fail "sort with values"
    cmp a.npy c.npy && cmp b.npy d.npy && cmp k.npy l.npy || fail "sort on $n ranks: other bytes"
    rm -f c.npy d.npy l.npy
done
same 2 sort x.npy sort x.npy
prints 5 reduce reduce x.npy --hex
same 3 argsort order.npy sort i.npy --argsort
prints 2 argmax reduce x.npy --op argmax
prints 3 variance reduce x.npy --op variance --ddof 1
"$HEDDLE" convert i.npy --out-type f64 -o w.npy
prints 5 dot reduce v.npy --op dot --with w.npy
same 2 "reduce to a file" sum.npy reduce x.npy --init 5 --out-type f64
same 3 scan c.npy scan x.npy
same 5 "exclusive scan" c.npy scan i.npy --exclusive --init 7 --op max
same 2 "mean so far" c.npy scan v.npy --op mean
prints 2 "argmin so far" scan i.npy --op argmin --exclusive
same 3 compact kept.npy compact x.npy --greater 0 --less 300
same 2 "compact by flags" kept.npy compact v.npy --flags i.npy --invert
prints 3 "indices of what is kept" compact i.npy --equal 17 --indices
prints 3 "histogram of floats" histogram x.npy --bins 12 --outside
prints 2 "one bin a value" histogram i.npy
prints 2 "two axes" histogram i.npy --bins 4 --with order.npy --with-bins 3
same 5 "weights" h.npy histogram v.npy --range 0:9 --bins 7 --weights i.npy
same 3 gather got.npy gather x.npy order.npy
same 5 scatter put.npy scatter i.npy order.npy
same 2 "scatter sums" put.npy scatter v.npy i.npy --op sum --size 300
same 5 difference d.npy difference x.npy --before 2

mixed 4002 1999 | awk '{ print $1 % 251 }' | array t.npy u8
"$HEDDLE" convert t.npy --out-shape 58,69 -o image.npy
"$HEDDLE" convert image.npy --out-type f64 -o plate.npy
same 5 transpose turned.npy transpose image.npy
same 3 "difference of rows" d.npy difference plate.npy --axis 0
same 3 "difference in rows" d.npy difference plate.npy --axis 1
same 5 heat later.npy stencil plate.npy --heat 0.1 --steps 9 --border keep
same 2 stencil later.npy stencil image.npy --weights "0 1 0; 1 -4 1; 0 1 0" --border wrap
same 3 convolve soft.npy convolve image.npy --mask "1 2 1; 2 4 2; 1 2 1" --divide 16 --border reflect
same 5 blur soft.npy blur image.npy --sigma 3
same 2 boxes soft.npy blur image.npy --sigma 1.5 --boxes
awk 'BEGIN { print 0; for (k = 1; k < 30; k++) print k; }' | array rows.npy i64
same 3 "rows by index" got.npy gather image.npy rows.npy --axis 0 --checked

# Lists of 40 nodes, the last linking to itself; rings of edges; a sparse matrix.
awk 'BEGIN { for (k = 0; k < 3000; k++) print k % 40 == 39 || k == 2999 ? k : k + 1 }' | array next.npy i32
same 3 rank ranks.npy rank next.npy
same 5 "rank from the head" ranks.npy rank next.npy --from-head --out-type i32
awk 'BEGIN { for (k = 0; k < 900; k++) print k, (k * 7 + 1) % 450 }' >edges.txt
same 3 components label.npy components edges.txt
prints 2 "number of components" components edges.txt --count
"$HEDDLE" convert edges.txt -o edges.npy
same 5 "components of an array" label.npy components edges.npy --out-type u32 --nodes 1000
echo 3 1 >edge.txt
prints 3 "one edge" components edge.txt
awk 'BEGIN { print "%%MatrixMarket matrix coordinate real general\n300 200 2000"
    for (k = 0; k < 2000; k++) print (k * 37) % 300 + 1, (k * k) % 200 + 1, (k % 19) / 3 }' >a.mtx
mixed 200 7 | array col.npy f64
same 3 spmv y.npy spmv a.mtx col.npy
same 5 "spmv, min-plus" y.npy spmv a.mtx col.npy --semiring min-plus --type f32
mixed 300 7 | array row.npy f64
same 2 "spmv, transposed" y.npy spmv a.mtx row.npy --transpose
finish
