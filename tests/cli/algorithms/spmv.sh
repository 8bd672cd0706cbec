# SPDX-License-Identifier: Apache-2.0
# heddle spmv: Matrix Market files of every kind, semirings, methods, and what is refused.
. "$(dirname "$0")/../_lib.sh"

spmv() { "$HEDDLE" spmv "$@" 2>&1 | tr '\n' ' '; }
market() { # FILE HEADER LINE...
    local file=$1 header=$2
    shift 2
    { echo "%%MatrixMarket matrix $header"; echo "% a comment"; printf '%s\n' "$@"; } >"$file"
}

market a.mtx "coordinate real general" "3 3 4" "1 1 2" "3 2 -1" "" "1 3 1" "3 1 0.5"
printf '1 10 100' >x.txt
for how in "--backend serial" "--backend cpu" "--threads 1" "--method scan" "--type f32"; do
    equal "$how" "102.0 0.0 -9.5 " "$(spmv a.mtx x.txt $how)"
done
equal transposed "52.0 -100.0 1.0 " "$(spmv a.mtx x.txt -T)"
equal min-plus "3.0 inf 1.5 " "$(spmv a.mtx x.txt --semiring min-plus)"
equal max-plus "101.0 -inf 9.0 " "$(spmv a.mtx x.txt --semiring max-plus)"
equal max-times "100.0 -inf 0.5 " "$(spmv a.mtx x.txt --semiring max-times)"
equal or-and "1.0 0.0 1.0 " "$(spmv a.mtx x.txt --semiring or-and)"
equal pipe "102.0 0.0 -9.5 " "$(cat a.mtx | spmv - x.txt)"

market s.mtx "coordinate integer symmetric" "2 2 2" "1 1 3" "2 1 4"
market k.mtx "coordinate real skew-symmetric" "2 2 1" "2 1 4"
market p.mtx "coordinate pattern general" "2 2 2" "2 2" "2 1"
market d.mtx "array real general" "2 2" 1 2 3 4
market ds.mtx "array integer symmetric" "2 2" 1 2 3
market dk.mtx "array real skew-symmetric" "2 2" 5
printf '1 10' >x2.txt
equal symmetric "43.0 4.0 " "$(spmv s.mtx x2.txt)"
equal skew "-40.0 4.0 " "$(spmv k.mtx x2.txt)"
equal pattern "0.0 11.0 " "$(spmv p.mtx x2.txt)"
equal array "31.0 42.0 " "$(spmv d.mtx x2.txt)"
equal "array symmetric" "21.0 32.0 " "$(spmv ds.mtx x2.txt)"
equal "array skew" "-50.0 5.0 " "$(spmv dk.mtx x2.txt)"
"$HEDDLE" spmv s.mtx x2.txt -o y.npy || fail "-o"
equal written "43.0 4.0 " "$("$HEDDLE" transpose y.npy | tr '\n' ' ')"
equal json 3 "$("$HEDDLE" spmv s.mtx x2.txt --json | sed -n 's/.*"entries": \([0-9]*\).*/\1/p')"

refused() { # TEXT HEADER LINE...
    local text=$1
    shift
    market bad.mtx "$@"
    exits 7 "$text" "$HEDDLE" spmv bad.mtx x2.txt
}
refused "the row is 3; expected 1 .. 2" "coordinate real general" "2 2 1" "3 1 1"
refused "the column is 0" "coordinate real general" "2 2 1" "1 0 1"
refused "line 4: expected a number, got 'x'" "coordinate real general" "2 2 1" "1 1 x"
refused "expected an integer, got '1.5'" "coordinate integer general" "2 2 1" "1 1 1.5"
refused "ends after 1 of 2" "coordinate real general" "2 2 2" "1 1 1000"
refused "more than 1 entries" "coordinate real general" "2 2 1" "1 1 1" "2 2 1"
refused "2 words; expected 3" "coordinate real general" "2 2 1" "1 1"
refused "not below the diagonal" "coordinate real symmetric" "2 2 1" "1 2 1"
refused "expected a square" "array real symmetric" "2 3" 1 2 3
refused "room for" "coordinate real general" "2 2 1000000000" "1 1 1"
refused "room for" "array real general" "4000000000000 4000000000000" 1
refused "bytes of memory" "coordinate real general" "4000000000000 2 1" "1 1 1"
refused "got 'complex'" "coordinate complex general" "2 2 1" "1 1 1 1"
refused "got 'hermitian'" "coordinate real hermitian" "2 2 1" "1 1 1"
refused "a pattern is" "array pattern general" "2 2" 1
exits 7 "%%MatrixMarket" "$HEDDLE" spmv x.txt x.txt
exits 2 "3 elements; expected 2" "$HEDDLE" spmv s.mtx x.txt
exits 2 "semiring" "$HEDDLE" spmv s.mtx x2.txt --semiring times-plus
exits 6 "nothing.mtx" "$HEDDLE" spmv nothing.mtx x.txt
finish
