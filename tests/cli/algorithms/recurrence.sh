# SPDX-License-Identifier: Apache-2.0
# heddle recurrence: constants, coefficients for every element, initial values.
. "$(dirname "$0")/../_lib.sh"

recurrence() { "$HEDDLE" recurrence "$@" 2>&1 | tr '\n' ' '; }
printf '1 0 0 0 0 0 0' >one.txt
equal Fibonacci "1.0 1.0 2.0 3.0 5.0 8.0 13.0 " "$(recurrence one.txt -c 1,1 --dtype f64)"
equal serial "1.0 1.0 2.0 3.0 5.0 8.0 13.0 " \
    "$(recurrence one.txt -c 1,1 --dtype f64 --backend serial)"
equal backward "7.0 6.0 5.0 4.0 3.0 2.0 1.0 " \
    "$(printf '1 1 1 1 1 1 1' | recurrence - --format text -c 1 --dtype f64 --backward)"
equal initial "6.0 8.0 14.0 " \
    "$(printf '1 0 0' | recurrence - --format text -c 1,1 --initial 2,3 --dtype f32)"
printf '0,1\n2,1\n0,0\n1,1\n' >c.csv
equal varying "1.0 3.0 1.0 5.0 " \
    "$(printf '1 1 1 1' | recurrence - --format text -c c.csv --dtype f64)"

exits 0 "" "$HEDDLE" recurrence one.txt -c 0.5 --dtype f64 -o out.npy --json
equal file 7 "$(elements out.npy)"
exits 2 "--coefficients" "$HEDDLE" recurrence one.txt --dtype f64
exits 2 "expected 1 to 8 of them, got 9" "$HEDDLE" recurrence one.txt -c 1,1,1,1,1,1,1,1,1 --dtype f64
equal "whole numbers" "1.0 1.0 2.0 3.0 5.0 8.0 13.0 " "$(recurrence one.txt -c 1,1)"
equal "of a type" "1.0 2.0 4.0 8.0 16.0 32.0 64.0 " "$(recurrence one.txt -c 2 --dtype i32)"
exits 6 "nothing.npy" "$HEDDLE" recurrence one.txt -c nothing.npy --dtype f64
finish
