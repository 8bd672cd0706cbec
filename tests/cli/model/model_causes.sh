# SPDX-License-Identifier: Apache-2.0
# heddle model: causes before what follows from them, in the text, the document and the page. The
# kernels are PTX, so that no compiler is needed.
. "$(dirname "$0")/../_lib.sh"

json() {
    if command -v python3 >/dev/null; then
        python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1" || fail "$2: not JSON"
    fi
}

causes=$SOURCE/tests/kernels/hazards/causes.ptx
data="--block 64 --threads 1 --arg i32:fill=7:4096 --arg i32:zeros:4096"

# More than a thousand pairs of instructions that race are one hazard and two lines under it.
exits 5 "" "$HEDDLE" model "$causes" unrolled $data
grep -q "^1 hazard, and 2 that follow:$" stdout.txt || fail "how many: $(cat stdout.txt)"
equal "the order" "race uninitialised race" "$(sed -n '/^1 hazard/,$p' stdout.txt |
    sed -En 's/^ +(follows from it: )?(race|uninitialised), .*/\2/p' | xargs)"
grep -Eq "^    follows from it: uninitialised, [0-9,]+ times at causes.cu:[0-9]+; it is read before" stdout.txt ||
    fail "what follows: $(cat stdout.txt)"

# What follows from what follows.
exits 5 "" "$HEDDLE" model "$causes" missing_barrier $data
grep -q "^    follows from that: out of bounds, 1 time at causes.cu:[0-9]*; its address is made of" stdout.txt ||
    fail "an index that was read too early: $(cat stdout.txt)"

# Two that have nothing to do with each other: as they came up.
exits 5 "" "$HEDDLE" model "$causes" unrelated $data
grep -q "^2 hazards:$" stdout.txt || fail "two: $(cat stdout.txt)"
equal "as they came up" "race
out of bounds" "$(sed -En 's/^  (race|out of bounds), .*/\1/p' stdout.txt)"

# The document has all of them, each with what it follows from.
exits 5 "" "$HEDDLE" model "$causes" missing_barrier $data --json
json stdout.txt causes
equal "what they are" "race uninitialised out" "$(sed -n 's/.*"hazard": "\([a-z]*\).*/\1/p' stdout.txt | xargs)"
equal "what they follow from" "0 1" "$(sed -n 's/.*"follows": \([0-9]*\).*/\1/p' stdout.txt | xargs)"
grep -q '"because": "its address is made of the value that is read there"' stdout.txt || fail "because"

# The page has one card, with the others in it.
exits 5 "" "$HEDDLE" model "$causes" missing_barrier $data --html page.html
grep -q "1 hazard found" page.html || fail "the verdict of the page"
equal "cards" 1 "$(grep -c '^<h3 class="bad">' page.html)"
grep -q "<summary>2 findings follow from it</summary>" page.html || fail "what follows, on the page"

finish
