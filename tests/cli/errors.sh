# SPDX-License-Identifier: Apache-2.0
# What is wrong is said: what, where, what was expected; and the exit code says of which kind it is.
. "$(dirname "$0")/_lib.sh"

io=$SOURCE/tests/data
x=$io/le_f4.npy

# The command line: exit 2.
exits 2 "usage: heddle" "$HEDDLE"
exits 2 "nearest is 'reduce'" "$HEDDLE" redcue "$x"
exits 2 "no command 'zzzzzzzz'" "$HEDDLE" zzzzzzzz
exits 2 "no command 'zzz'" "$HEDDLE" help zzz
exits 2 "expected FILE" "$HEDDLE" reduce
exits 2 "and then came 'y'" "$HEDDLE" reduce "$x" y
exits 2 "nearest is --axis" "$HEDDLE" reduce "$x" --axes 1
exits 2 "unknown option --qqqqqqqq" "$HEDDLE" reduce "$x" --qqqqqqqq
exits 2 "unknown option -q" "$HEDDLE" reduce "$x" -q
exits 2 "and then came '-5'" "$HEDDLE" reduce "$x" -5 # a number is no option
exits 2 "and then came '-.5'" "$HEDDLE" reduce "$x" -.5
exits 2 "--axis: expected a whole number from -8 to 7, got 'one'" "$HEDDLE" reduce "$x" --axis one
exits 2 "got '9'" "$HEDDLE" reduce "$x" --axis=9
exits 2 "--axis: expected a value" "$HEDDLE" reduce "$x" --axis
exits 2 "--op: expected one of sum|product" "$HEDDLE" reduce "$x" --op add
exits 2 "--json: expected no value" "$HEDDLE" reduce "$x" --json=yes
exits 2 "--out-type: expected i8" "$HEDDLE" reduce "$x" --out-type float
exits 2 "--init: expected a number of type f32, got 'x'" "$HEDDLE" reduce "$x" --init x
exits 2 "--init: expected a number of type u8" "$HEDDLE" reduce "$io/le_u1.npy" --op max --init 256
exits 2 "--threads: expected a whole number from 1 to 1024" "$HEDDLE" reduce "$x" --threads 0
exits 2 "--keys-out: needs --keys" "$HEDDLE" reduce "$x" --keys-out k.npy
exits 2 "--values-out: needs" "$HEDDLE" reduce "$x" --values-out k.npy
exits 2 "--ddof: needs --op variance" "$HEDDLE" reduce "$x" --ddof 1
exits 2 "expected one of them" "$HEDDLE" reduce "$x" --axis 0 --keys "$x"
exits 2 "only once" "$HEDDLE" reduce - --dtype u8 --keys -
exits 2 "--json: standard output already" "$HEDDLE" reduce "$x" --json -o -
exits 2 "--op and does not take elements of type f32" "$HEDDLE" reduce "$x" --op and
exits 2 "axis 2" "$HEDDLE" reduce "$x" --axis 2
exits 2 "one dimension" "$HEDDLE" reduce "$x" --keys "$x"
exits 2 "takes no init" "$HEDDLE" reduce "$x" --op mean --init 1
for shape in 3,-4 1,1,1,1,1,1,1,1,1 x "" 3, 3.5; do
    exits 2 "--shape: expected one to eight" "$HEDDLE" reduce "$x" --dtype u8 --shape "$shape"
done
exits 2 "which has its own" "$HEDDLE" reduce "$x" --shape 3
exits 2 "the .npy header says f32" "$HEDDLE" reduce "$x" --dtype f64
exits 2 "which has its own" "$HEDDLE" reduce "$x" --dtype f32 --shape 6
exits 2 "give --dtype bf16" "$HEDDLE" reduce "$io/bf16.npy"
exits 2 "no stop is called 'scam'; the nearest is scan" "$HEDDLE" tour scam
exits 2 "no backend is called 'cpus'; the nearest is cpu" "$HEDDLE" reduce "$x" --backend cpus

# The backend: exit 4.
exits 4 "not built in" "$HEDDLE" reduce "$x" --isa pentium
HEDDLE_ISA=pentium exits 4 "pentium" "$HEDDLE" reduce "$x"

# Files that cannot be read: exit 6. Files that are damaged, and wrong data: exit 7, with the byte.
exits 6 "none.npy: cannot open for reading: No such file" "$HEDDLE" reduce none.npy
exits 6 "expected a file, got a folder" "$HEDDLE" reduce .
exits 7 "not an .npy file" "$HEDDLE" reduce "$0"
: >empty
exits 7 "got nothing" "$HEDDLE" reduce empty
for n in 1 7 9 50 127 128 131 151; do
    head -c $n "$x" >cut.npy
    exits 7 "cut.npy: byte " "$HEDDLE" reduce cut.npy
done
(cat "$x" && printf x) >long.npy
exits 7 "byte 128: bytes after the last element: expected 24 bytes" "$HEDDLE" reduce long.npy
sed 's/(2, 3)/(9, 9)/' "$x" >lie.npy
exits 7 "expected 324 bytes (81 elements of f32), got 24" "$HEDDLE" reduce lie.npy
sed 's/<f4/<c8/' "$x" >type.npy
exits 7 "unknown element type" "$HEDDLE" scan type.npy
sed "s/'shape'/'shade'/" "$x" >key.npy
exits 7 "no other" "$HEDDLE" scan key.npy
npy_u8 5 4 >falling.npy
bytes 1 2 3 4 5 6 >six.raw
exits 7 "less than the one before" "$HEDDLE" reduce six.raw --dtype u8 --segments falling.npy
if [ "$(id -u)" != 0 ]; then
    cp "$x" secret.npy && chmod 0 secret.npy
    exits 6 "Permission denied" "$HEDDLE" reduce secret.npy
fi
exits 6 "cannot create" "$HEDDLE" scan "$x" -o no/such/folder/y.npy
exits 6 "got a folder" "$HEDDLE" scan "$x" -o .
finish
