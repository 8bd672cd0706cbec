# SPDX-License-Identifier: Apache-2.0
# heddle histogram: every kind of bins, weights, two axes, what comes out and what is refused.
. "$(dirname "$0")/../_lib.sh"

io=$SOURCE/tests/data
histogram() { "$HEDDLE" histogram "$@" 2>&1 | tr '\n' ' '; }

# The lecture's text, and any file as bytes.
printf 'Programming Massively Parallel Processors' >text
equal "letters by four" "a-d 5 e-h 5 i-l 6 m-p 10 q-t 10 u-x 1 y-z 1 " "$(histogram --letters=4 text)"
equal "a pipe" "a-m 19 n-z 19 outside 3 " "$(histogram --letters=13 --outside - <text)"
equal "single letters" 26 "$("$HEDDLE" histogram --letters text | wc -l)"
equal "an .npy file as bytes" "a-z 43 " "$(histogram --letters=26 "$io/le_i4.npy" |
    sed 's/[0-9][0-9]*/43/')"

# Integers: from 0 or the least to the greatest.
npy_u8 3 1 3 0 5 3 >x.npy
equal integers "0 1 1 1 2 0 3 3 4 0 5 1 " "$(histogram x.npy)"
equal "first and bins" "2 0 3 3 outside 3 " "$(histogram x.npy --first 2 --bins 2 --outside)"
equal clamp "2 2 3 4 " "$(histogram x.npy --first 2 --bins 2 --clamp)"
equal "raw signed" "-2 1 -1 0 0 1 1 1 " "$(bytes 254 0 1 | histogram - --dtype i8)"
equal "first above all" "9 0 " "$(histogram x.npy --first 9)"

# Even bins and edges.
equal even "0.0 2.5 2 2.5 5.0 4 " "$(histogram x.npy --bins 2)"
equal range "0.0 3.0 2 3.0 6.0 4 " "$(histogram x.npy --bins 2 --range 0:6)"
equal "upper edge" "1.0 2.0 1 2.0 3.0 3 " "$(histogram x.npy --bins 2 --range 1:3)"
npy_u8 0 1 4 >edges.npy
equal edges "0 1 1 1 4 4 " "$(histogram x.npy --edges edges.npy)"
equal floats 10 "$("$HEDDLE" histogram "$io/le_f4.npy" | wc -l)"
npy_u8 7 7 >same.npy
equal "all equal" "6.5 7.0 0 7.0 7.5 2 " "$(histogram same.npy --bins 2)"

# Weights, two axes, files.
npy_u8 1 2 4 8 16 32 >w.npy
equal weights "0 8 1 2 2 0 3 37 4 0 5 16 " "$(histogram x.npy --weights w.npy)"
equal "float sums" "0 8.0 1 2.0 2 0.0 3 37.0 4 0.0 5 16.0 " \
    "$(histogram x.npy --weights w.npy --out-type f32)"
equal "two axes" "0 2 0 4 " "$(histogram x.npy --bins 2 --range 0:6 --with w.npy --with-edges \
    edges.npy --clamp | sed 's/  */ /g')"
"$HEDDLE" histogram x.npy --out-type u32 -o counts.npy
equal "a file" "1 1 0 3 0 1 " "$("$HEDDLE" scan counts.npy --op max --axis 0 >/dev/null &&
    "$HEDDLE" reduce counts.npy --axis 0 >/dev/null; histogram x.npy --json |
    sed 's/.*"values": \[\([^]]*\)\].*/\1 /; s/,//g')"
equal "its sum" 6 "$("$HEDDLE" reduce counts.npy)"
equal json '3' "$("$HEDDLE" histogram x.npy --first 2 --bins 2 --json |
    sed -n 's/.*"outside": \([0-9]*\).*/\1/p')"
for backend in serial cpu; do
    equal "on $backend" "0 1 1 1 2 0 3 3 4 0 5 1 " "$(histogram x.npy --backend $backend -t 2)"
done

# What is refused.
npy_u8 0 4 4 >flat.npy
npy_u8 1 2 >short.npy
exits 7 "edges[2]" "$HEDDLE" histogram x.npy --edges flat.npy
exits 2 "LO below HI" "$HEDDLE" histogram x.npy --range 6:6
exits 2 "LO:HI" "$HEDDLE" histogram x.npy --range 1
exits 2 "1 to 16777216" "$HEDDLE" histogram x.npy --bins 0
exits 2 "1 to 16777216" "$HEDDLE" histogram x.npy --bins 16777217
exits 2 "1 to 26" "$HEDDLE" histogram text --letters=27
exits 2 "weights has shape" "$HEDDLE" histogram x.npy --weights short.npy
exits 2 "expected one of them" "$HEDDLE" histogram x.npy --range 0:1 --integers
exits 2 "how many there are" "$HEDDLE" histogram x.npy --edges edges.npy --bins 3
exits 2 "--with FILE" "$HEDDLE" histogram x.npy --with-bins 3
exits 2 "needs integers" "$HEDDLE" histogram "$io/le_f4.npy" --integers --first 0 --bins 3
exits 2 "two edges" "$HEDDLE" histogram x.npy --edges "$io/empty.npy"
exits 2 "more than 16777216 bins" "$HEDDLE" histogram x.npy --first -99999999
exits 6 "nowhere" "$HEDDLE" histogram nowhere
exits 6 "nowhere" "$HEDDLE" histogram --letters nowhere
finish
