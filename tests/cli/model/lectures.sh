# SPDX-License-Identifier: Apache-2.0
# The lectures' own figures, from the command line.
. "$(dirname "$0")/../_lib.sh"

scan() { "$HEDDLE" scan - --dtype i8 "$@" | tr '\n' ' '; }

for backend in serial cpu; do
    on="--backend $backend"
    equal inclusive "3 4 11 11 15 16 22 25 " "$(bytes 3 1 7 0 4 1 6 3 | scan $on)"
    equal exclusive "0 3 4 11 11 15 16 22 " "$(bytes 3 1 7 0 4 1 6 3 | scan $on --exclusive)"
    equal "five numbers" "3 8 14 16 20 " "$(bytes 3 5 6 2 4 | scan $on)"

    # Bread of 100: where it is cut, and what is left.
    wants="3 5 2 7 28 4 3 0 8 1"
    equal cuts "3 8 10 17 45 49 52 52 60 61 " "$(bytes $wants | scan $on)"
    equal left 39 $((100 - $(bytes $wants | "$HEDDLE" reduce - --dtype u8 $on)))

    # What the tree holds after each step: reducing neighbours is reducing the rows of an array of
    # two columns.
    bytes 10 1 8 255 0 254 3 5 254 253 2 7 0 11 0 2 >tree.raw
    equal tree 41 "$("$HEDDLE" reduce tree.raw --dtype i8 $on)"
    step() { # step N: halves tree.raw to N elements and shows them
        "$HEDDLE" reduce tree.raw --dtype i8 --shape "$1,2" --axis 1 --out-type i8 -o half.raw $on
        mv half.raw tree.raw
        od -An -td1 -w8 tree.raw | tr -s ' ' | sed 's/^ //'
    }
    equal "step 1" "11 7 -2 8 -5 9 11 2" "$(step 8)"
    equal "step 2" "18 6 4 13" "$(step 4)"
    equal "step 3" "24 17" "$(step 2)"
    equal "step 4" "41" "$(step 1)"
done

# A scan is checked by comparing each element with its predecessor plus the input.
bytes 3 1 7 0 4 1 6 3 >x.raw
exits 0 "" "$HEDDLE" scan x.raw --dtype u8 --verify
exits 0 "" "$HEDDLE" scan x.raw --dtype u8 --verify --exclusive -o out.npy
finish
