# SPDX-License-Identifier: Apache-2.0
# heddle doctor and heddle tour.
. "$(dirname "$0")/_lib.sh"

exits 0 "" "$HEDDLE" doctor
for word in serial cpu "instruction sets" memory NumPy NVRTC clang; do
    grep -q "$word" stdout.txt || fail "doctor does not mention $word"
done
grep -q "$(printf '\033')" stdout.txt && fail "colours in a file"
exits 0 "" "$HEDDLE" tour patterns --elements 20000
grep -q "Everything is as it should be" stdout.txt || fail "tour: $(cat stdout.txt)"
equal "figures" 21 "$(grep -c "as expected" stdout.txt)"
exits 2 "the nearest is scatter" "$HEDDLE" tour scater
exits 6 "" "$HEDDLE" tour gather --elements 1000 --html no/such/folder.html
equal "nothing is done that cannot be told" "" "$("$HEDDLE" tour gather --elements 1000 --html no/such/folder.html 2>/dev/null)"
# A page: patterns, ladders, and links between them that lead somewhere.
exits 0 "" "$HEDDLE" tour scan rank list --elements 1000 --html tour.html
grep -qE 'src=|href="[^#]|url\(|<script' tour.html && fail "the page wants something from elsewhere"
equal "whole" "</html>" "$(tail -1 tour.html)"
for target in $(grep -o 'href="#[^"]*"' tour.html | sed 's/href="#//; s/"//' | sort -u); do
    grep -q "id=\"$target\"" tour.html || fail "a link to $target leads nowhere"
done
grep -q 'href="#l-scan"' tour.html || grep -q "not played" stdout.txt || fail "no link to the ladder"
exits 0 "" "$HEDDLE" tour scan --elements 1000 --json
cp stdout.txt tour.json
exits 0 "" "$HEDDLE" doctor --json
cp stdout.txt doctor.json
if p=$(command -v python3); then
    "$p" -c 'import json, sys
tour, doctor = (json.load(open(name)) for name in ("tour.json", "doctor.json"))
sys.exit(not tour["right"] or not doctor["findings"])' ||
        fail "not JSON, or not right"
fi
finish
