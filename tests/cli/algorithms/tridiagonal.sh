# SPDX-License-Identifier: Apache-2.0
# heddle tridiagonal: one system, several, singular ones, residuals.
. "$(dirname "$0")/../_lib.sh"

solve() { "$HEDDLE" tridiagonal "$@" --dtype f64 2>&1 | tr '\n' ' '; }
printf '0 1 1' >l.txt; printf '2 2 2' >d.txt; printf '1 1 0' >u.txt; printf '4 8 8' >r.txt
equal one "1.0 2.0 3.0 " "$(solve l.txt d.txt u.txt r.txt)"
equal serial "1.0 2.0 3.0 " "$(solve l.txt d.txt u.txt r.txt --backend serial)"
printf '0 0 0' >z.txt
exits 7 "singular" "$HEDDLE" tridiagonal z.txt z.txt z.txt r.txt --dtype f64
exits 0 "" "$HEDDLE" tridiagonal l.txt d.txt u.txt r.txt --dtype f64 --refine 1 --residual e.npy -o x.npy
equal residual 0.0 "$("$HEDDLE" reduce e.npy --op norm2)"
equal file 3 "$(elements x.npy)"
printf '5,5\n5,5\n' >l.csv; printf '1,2\n4,0\n' >d.csv; printf '0,7\n3,7\n' >u.csv; printf '1,12\n9,5\n' >r.csv
equal rows "1.0 3.5 | 1.0 1.6666666666666667 " \
    "$("$HEDDLE" tridiagonal l.csv d.csv u.csv r.csv --dtype f64 2>&1 | paste -sd'|' | sed 's/|/ | /; s/$/ /')"
exits 2 "has not the shape of diagonal" "$HEDDLE" tridiagonal l.txt d.txt u.txt r.csv --dtype f64
equal "whole numbers" "1.0;2.0;3.0" "$("$HEDDLE" tridiagonal l.txt d.txt u.txt r.txt --dtype i32 | paste -sd';')"
exits 2 "--refine" "$HEDDLE" tridiagonal l.txt d.txt u.txt r.txt --dtype f64 --refine 99
finish
