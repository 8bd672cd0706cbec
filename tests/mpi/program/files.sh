# SPDX-License-Identifier: Apache-2.0
# Files over ranks: formats that all ranks read and those that rank 0 reads, sizes below the number
# of ranks, what is there already.
. "$SOURCE/tests/mpi/program/_lib.sh" "$@"

mixed 1001 617 | awk '{ print $1 - 500 }' | array x.npy i16
"$HEDDLE" convert x.npy -o x.raw
"$HEDDLE" convert x.npy -o x.csv
same 3 "raw to raw" s.raw sort x.raw --dtype i16
same 2 "raw with a shape" s.npy scan x.raw --dtype i16 --shape 77,13
same 3 "text to text" s.csv sort x.csv
same 2 "text to .npy" s.npy scan x.csv
npy_u8 7 3 >two.npy
same 3 "fewer elements than ranks" s.npy sort two.npy
npy_u8 >none.npy
same 3 "no elements" s.npy sort none.npy
prints 2 "the sum of nothing" reduce none.npy
prints 3 "the greatest of nothing" reduce none.npy --op argmax

# The other byte order, and columns before rows: tests/data has them.
same 2 "big-endian" s.npy sort "$SOURCE/tests/data/be_f8.npy"
same 3 "Fortran's order" t.npy transpose "$SOURCE/tests/data/fortran.npy"
prints 2 "an array without axes" reduce "$SOURCE/tests/data/scalar.npy"
"$HEDDLE" convert x.raw --dtype u8 --shape 26,77 -o gray.pgm
same 3 "an image" soft.pgm blur gray.pgm --sigma 1.2

# A file that is there keeps its mode, and a link stays one; the input may be the output.
cp x.npy mine.npy && chmod 640 mine.npy && ln -s mine.npy link.npy
"$HEDDLE" sort x.npy -o alone.npy
ranks 3 sort link.npy -o link.npy || fail "in its own place"
cmp alone.npy mine.npy || fail "in its own place: other bytes"
[ -L link.npy ] || fail "the link is gone"
equal mode 640 "$(stat -c %a mine.npy)"
ranks 2 sort x.npy -o /dev/null || fail "to a device"

# One document, which says how many ranks there were.
ranks 3 scan x.npy -o s.npy --json >document.json || fail "json"
for member in '"command": "scan"' '"op": "sum"' '"elements": 1001' '"ranks": 3' '"output": "s.npy"'; do
    equal "members $member" 1 "$(grep -c -- "$member" document.json)"
done
equal "files beside" "" "$(ls | grep tmp)"
finish
