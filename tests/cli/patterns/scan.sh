# SPDX-License-Identifier: Apache-2.0
# heddle scan: directions, axes, segments, keys, and --verify.
. "$(dirname "$0")/../_lib.sh"

io=$SOURCE/tests/data
scan() { "$HEDDLE" scan "$@" 2>&1 | tr '\n' ' '; }

x=$io/le_i4.npy
equal rows "0 1 3 6 10 15 " "$(scan "$x" | sed 's/  */ /g')"
equal "two lines" 2 "$("$HEDDLE" scan "$x" | wc -l)"
equal axis0 "0 1 2 3 5 7 " "$(scan "$x" --axis 0)"
equal axis1 "0 1 3 3 7 12 " "$(scan "$x" --axis -1)"
equal backward "15 15 14 12 9 5 " "$(scan "$x" --backward)"
equal "exclusive backward" "15 14 12 9 5 0 " "$(scan "$x" -bx)"
equal init "100 100 101 103 106 110 " "$(scan "$x" -x --init 100)"
equal fortran "0.0 1.0 3.0 6.0 10.0 15.0 " "$(scan "$io/fortran.npy")"
equal max "0 1 2 3 4 5 " "$(scan "$x" --op max)"
equal mean "0.0 0.5 1.0 1.5 2.0 2.5 " "$(scan "$x" --op mean)"
equal scalar "7 " "$(scan "$io/scalar.npy")"
equal hex "0x00 0x01 0x03 " "$(bytes 0 1 2 | scan - --dtype u8 --out-type u8 --hex)"
equal argmax "0 3 0 3 2 4 2 4 " "$(bytes 3 1 4 2 | scan - --dtype u8 --op argmax)"
exits 0 "" "$HEDDLE" scan "$io/empty.npy"

bytes 1 2 3 4 5 6 >x.raw
npy_u8 0 2 5 >offsets.npy
equal segments "1 3 3 7 12 6 " "$(scan x.raw --dtype u8 --segments offsets.npy)"
equal "segments backward" "3 2 12 9 5 6 " "$(scan x.raw --dtype u8 --segments offsets.npy -b)"

# --verify, in every way a scan can go.
# Powers of an odd number, each xor those before it, are noise, and the same everywhere.
yes abcdefg | head -c 100000 >same.raw
"$HEDDLE" scan same.raw --dtype u64 --op product -o powers.raw || fail powers
"$HEDDLE" scan powers.raw --dtype u64 --op xor -o noise.raw || fail noise
for op in sum product min max and or xor all any argmin argmax; do
    checked="--op $op --verify -o out.npy"
    exits 0 "" "$HEDDLE" scan noise.raw --dtype i16 $checked
    exits 0 "" "$HEDDLE" scan noise.raw --dtype u8 --exclusive --backward $checked
    exits 0 "" "$HEDDLE" scan noise.raw --dtype i32 --shape 50,5,100 --axis 1 $checked
done
"$HEDDLE" scan noise.raw --dtype i8 --op mean -o floats.npy || fail "mean"
for op in sum product min max argmax all; do
    exits 0 "" "$HEDDLE" scan floats.npy --op $op --verify -o out.npy
    exits 0 "" "$HEDDLE" scan floats.npy --op $op --verify -x -b -o out.npy
done
exits 0 "" "$HEDDLE" scan floats.npy --verify --init 1e3 -o out.npy
exits 0 "" "$HEDDLE" scan floats.npy --verify --keys floats.npy -o out.npy
exits 0 "" "$HEDDLE" scan floats.npy --verify --keys floats.npy --backward --exclusive -o out.npy
exits 2 "--verify" "$HEDDLE" scan x.raw --dtype u8 --op mean --verify

# Accuracy: 1, 2^60, 1, -2^60, 2^-30 as f32, printed and streamed.
bytes 0 0 128 63 0 0 128 93 0 0 128 63 0 0 128 221 0 0 128 48 >hard.raw
hard() { "$HEDDLE" scan hard.raw --dtype f32 "$@" | tr '\n' ' '; }
equal "plain sums" "1.0 1.1529215e+18 1.1529215e+18 0.0 9.313226e-10 " "$(hard)"
equal compensated "1.0 1.1529215e+18 1.1529215e+18 2.0 2.0 " "$(hard --op sum_compensated)"
equal residuals "1.0 0.0 1.1529215e+18 1.0 1.1529215e+18 2.0 2.0 0.0 2.0 9.313226e-10 " \
    "$(hard --op sum_compensated --residual)"
exits 0 "" "$HEDDLE" scan hard.raw --dtype f32 --op sum_compensated --residual -o s.npy \
    --values-out r.npy
equal "residuals streamed" "0.0 1.0 2.0 2.0 2.0 " "$("$HEDDLE" scan r.npy --op max | tr '\n' ' ')"
equal "in f64, exclusive" "0.0 1.0 1.1529215e+18 1.1529215e+18 0.0 " \
    "$(hard --accumulate f64 --exclusive)"
exits 2 "no chains" "$HEDDLE" scan hard.raw --dtype f32 --op sum_compensated --verify
# --monotone: a running maximum of the sums, which fall where a node of the tree fills.
equal monotone "1 1 3 3 4 4 " "$(printf '1\n-1\n3\n-1\n2\n-5\n' >r.csv; scan r.csv --monotone |
    sed 's/\.0//g')"
"$HEDDLE" scan noise.raw --dtype u16 --out-type f32 -o falls.npy || fail sums
exits 7 "sorted is not sorted" "$HEDDLE" search falls.npy falls.npy -o places.npy
"$HEDDLE" scan noise.raw --dtype u16 --out-type f32 --monotone -o rises.npy || fail "monotone sums"
exits 0 "" "$HEDDLE" search rises.npy rises.npy -o places.npy
exits 2 "no chain" "$HEDDLE" scan x.raw --dtype u8 --monotone --verify
exits 2 "indices" "$HEDDLE" scan x.raw --dtype u8 --monotone --op argmax

# A result is printed only where it is short.

head -c 100001 /dev/zero >long.raw
exits 2 "100001 elements, more than 100000" "$HEDDLE" scan long.raw --dtype u8

# In place: the output may be the input.
"$HEDDLE" scan x.raw --dtype u8 --out-type u8 -o x.npy
exits 0 "" "$HEDDLE" scan x.npy --out-type u8 -o x.npy
equal "in place" "1 4 10 20 35 56 " "$("$HEDDLE" scan x.npy --op max | tr '\n' ' ')"
finish
