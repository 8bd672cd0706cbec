# SPDX-License-Identifier: Apache-2.0
# heddle polynomial: coefficients of a list and of a file, both orders, both methods.
. "$(dirname "$0")/../_lib.sh"

polynomial() { "$HEDDLE" polynomial "$@" 2>&1 | tr '\n' ' '; }
printf '0 1 2 3' >x.txt
equal lowest "1.0 3.0 9.0 19.0 " "$(polynomial x.txt -c 1,0,2 --dtype f64)"
equal highest "1.0 3.0 9.0 19.0 " "$(polynomial x.txt -c 2,0,1 --highest-first --dtype f32)"
equal tree "1.0 3.0 9.0 19.0 " "$(polynomial x.txt -c 1,0,2 --method tree --dtype f64)"
equal whole "1.0 3.0 9.0 19.0 " "$(polynomial x.txt -c 1,0,2 --dtype i16)"
printf '1 0 2' >c.txt
equal file "1.0 3.0 9.0 19.0 " "$(polynomial x.txt -c c.txt --dtype f64)"
equal bits "0x3f800000 0x40400000 0x41100000 0x41980000 " \
    "$(polynomial x.txt -c 1,0,2 --dtype f64 --out-type f32 --hex)"
exits 0 "" "$HEDDLE" polynomial x.txt -c 1,0,2 --dtype f64 --json
grep -q '"elements": 4' stdout.txt || fail "json: $(cat stdout.txt)"
exits 2 "--coefficients" "$HEDDLE" polynomial x.txt --dtype f64
exits 2 "--method" "$HEDDLE" polynomial x.txt -c 1 --method guess --dtype f64
finish
