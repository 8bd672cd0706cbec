# SPDX-License-Identifier: Apache-2.0
# heddle reduce: operators, axes, segments, keys, formats of the result.
. "$(dirname "$0")/../_lib.sh"

io=$SOURCE/tests/data
reduce() { "$HEDDLE" reduce "$@" 2>&1 | tr '\n' ' '; }

for f in le_i1 le_i2 be_i2 le_i4 be_i4 le_i8 be_i8 le_u1 le_u2 be_u4 be_u8 fortran_be python2; do
    equal "$f" "15 " "$(reduce "$io/$f.npy")"
done
for f in le_f2 be_f2 le_f4 be_f4 le_f8 be_f8 version2 version3 fortran; do
    equal "$f" "15.0 " "$(reduce "$io/$f.npy")"
    equal "$f by axis 0" "3.0 5.0 7.0 " "$(reduce "$io/$f.npy" --axis 0)"
    equal "$f by axis -1" "3.0 12.0 " "$(reduce "$io/$f.npy" --axis -1)"
done
equal bool "3 " "$(reduce "$io/b1.npy")"
equal scalar "7 " "$(reduce "$io/scalar.npy")"
equal empty "0.0 " "$(reduce "$io/empty.npy")"
equal "empty max" "-inf " "$(reduce "$io/empty.npy" --op max)"
equal "empty argmax" "-1 " "$(reduce "$io/empty.npy" --op argmax)"
equal bf16 "6.0 " "$(reduce "$io/bf16.npy" --dtype bf16)"

x=$io/le_i4.npy
equal product "0 " "$(reduce "$x" --op product)"
equal min "0 " "$(reduce "$x" --op min)"
equal max "5 " "$(reduce "$x" --op max)"
equal argmin "0 0 " "$(reduce "$x" --op argmin)"
equal argmax "5 5 " "$(reduce "$x" --op argmax)"
equal argmax/0 "1 3 1 4 1 5 " "$(reduce "$x" --op argmax --axis 0)"
equal and "0 " "$(reduce "$x" --op and)"
equal or "7 " "$(reduce "$x" --op or)"
equal xor "1 " "$(reduce "$x" --op xor)"
equal all "false " "$(reduce "$x" --op all)"
equal any "true " "$(reduce "$x" --op any)"
equal mean "2.5 " "$(reduce "$x" --op mean)"
equal variance "2.9166666666666665 " "$(reduce "$x" --op variance)"
equal ddof "3.5 " "$(reduce "$x" --op variance --ddof 1)"
equal sum_exact "15.0 " "$(reduce "$x" --op sum_exact)"
equal norm2 "7.416198487095663 " "$(reduce "$x" --op norm2)"
equal dot "55 " "$(reduce "$x" --op dot --with "$x")"
equal "dot by axis" "5 50 " "$(reduce "$x" --op dot --with "$x" --axis 1)"
equal "dot of f32" "55.0 " "$(reduce "$io/le_f4.npy" --op dot --with "$io/le_f4.npy")"
printf '1e100\n1\n-1e100\n' >hard.txt
equal "sum that cancels" "1.0 " "$(reduce hard.txt --op sum_exact)"
exits 2 "dot needs --with" "$HEDDLE" reduce "$x" --op dot
exits 2 "needs --op dot" "$HEDDLE" reduce "$x" --with "$x"
equal init "115 " "$(reduce "$x" --init 100)"
equal init=-1 "14 " "$(reduce "$x" --init=-1)"
equal out-type "15.0 " "$(reduce "$x" --out-type f64)"
equal hex "0x000000000000000f " "$(reduce "$x" --hex)"
equal "hex f32" "0x41700000 " "$(reduce "$io/le_f4.npy" --hex)"

# Values print so that they read back: the shortest decimal of 1/3 in f32 and f64.
equal "f32 third" "0.33333334 " "$(bytes 171 170 170 62 | reduce - --dtype f32)"
equal "f64 third" "0.3333333333333333 " "$(bytes 85 85 85 85 85 85 213 63 | reduce - --dtype f64)"
equal "f64 least" "5e-324 " "$(bytes 1 0 0 0 0 0 0 0 | reduce - --dtype f64)"
equal "f64 1e16" "1e+16 " "$(bytes 0 128 224 55 121 195 65 67 | reduce - --dtype f64)"
equal "f32 nan" "nan " "$(bytes 0 0 192 127 | reduce - --dtype f32)"
equal "f32 -inf" "-inf " "$(bytes 0 0 128 255 | reduce - --dtype f32)"
equal "f16 most" "65500.0 " "$(bytes 255 123 | reduce - --dtype f16)"
ones="255 255 255 255 255 255 255 255"
equal "u64 most" "18446744073709551615 " "$(bytes $ones | reduce - --dtype u64)"
equal "i64 least" "-9223372036854775808 " "$(bytes 0 0 0 0 0 0 0 128 | reduce - --dtype i64)"

# Segments and keys.
bytes 1 2 3 4 5 6 >x.raw
npy_u8 0 2 2 6 >offsets.npy
npy_u8 7 7 8 7 7 7 >keys.npy
equal segments "3 0 18 " "$(reduce x.raw --dtype u8 --segments offsets.npy)"
equal keys "7 3 8 3 7 15 " "$(reduce x.raw --dtype u8 --keys keys.npy)"
exits 0 "" "$HEDDLE" reduce x.raw --dtype u8 --keys keys.npy --keys-out k.npy -o v.npy
equal "keys out" "22 " "$(reduce k.npy)"
equal "values by key" "21 " "$(reduce v.npy)"
equal "number of runs" 3 "$(elements v.npy)"
exits 0 "" "$HEDDLE" reduce x.raw --dtype u8 --shape 2,3 --op argmax --axis 1 \
    -o i.npy --values-out v.npy
equal "indices" "4 " "$(reduce i.npy)"
equal "values" "9 " "$(reduce v.npy)"

# -o writes; - is standard output; a result without dimensions stays one.
exits 0 "" "$HEDDLE" reduce "$x" -o total.npy
equal "no output with -o" "" "$(cat stdout.txt)"
equal "0-d" "15 " "$(reduce total.npy)"
grep -aq "'shape': ()" total.npy || fail "the shape of a single value: $(head -c 90 total.npy)"
equal "-o -" "15 " "$("$HEDDLE" reduce "$x" -o - | reduce -)"

# Accuracy: 1, 2^60, 1, -2^60, 2^-30 as f32.
bytes 0 0 128 63 0 0 128 93 0 0 128 63 0 0 128 221 0 0 128 48 >hard.raw
hard() { reduce hard.raw --dtype f32 "$@"; }
equal "plain sum" "9.313226e-10 " "$(hard)"
equal compensated "2.0 " "$(hard --op sum_compensated)"
equal residual "2.0 9.313226e-10 " "$(hard --op sum_compensated --residual)"
equal "in f64" "9.313226e-10 " "$(hard --accumulate f64)"
set -- $(hard --bound)
equal "sum of bound" 9.313226e-10 "$1"
[ "${2%%.*}" -ge 2 ] || fail "bound: $2"
equal "axis, bounds" "3.0 0.0 5.0 0.0 7.0 0.0 " \
    "$(reduce "$io/le_f4.npy" --axis 0 --bound | sed 's/ [0-9.e-]*e-[0-9]* / 0.0 /g')"
"$HEDDLE" reduce hard.raw --dtype f32 --op sum_compensated --residual --json | tr -d '\n' |
    grep -q '"value": 2.0,  "residual": 9.313226e-10' || fail "residual in JSON"
exits 0 "" "$HEDDLE" reduce hard.raw --dtype f32 --bound -o s.npy --values-out b.npy
equal "bound as a file" f64 "$("$HEDDLE" reduce b.npy --json | sed -n 's/.*element_type": "\(.*\)".*/\1/p')"
exits 2 "expected f64" "$HEDDLE" reduce hard.raw --dtype f32 --accumulate f32
exits 2 "not with --residual" "$HEDDLE" reduce hard.raw --dtype f32 --residual --bound
exits 2 "has no residual" "$HEDDLE" reduce hard.raw --dtype f32 --residual
exits 2 "no accumulate" "$HEDDLE" reduce hard.raw --dtype f32 --op max --accumulate f64

# JSON is one document.
"$HEDDLE" reduce "$io/le_f4.npy" --op mean --json >mean.json || fail "--json"
grep -q '"value": 2.5' mean.json || fail "--json: $(cat mean.json)"
"$HEDDLE" reduce "$io/empty.npy" --op min --json | grep -q '"value": "inf"' || fail "inf in JSON"
if p=$(command -v python3); then
    "$p" -c 'import json, sys; d = json.load(open("mean.json")); sys.exit(d["op"] != "mean")' ||
        fail "--json is not JSON"
fi

# The trace goes to standard error.
"$HEDDLE" reduce "$x" --trace >out.txt 2>told.txt
equal "traced result" 15 "$(cat out.txt)"
grep -q sum told.txt || fail "--trace: $(cat told.txt)"
finish
