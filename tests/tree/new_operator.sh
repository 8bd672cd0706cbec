#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A new operator is a row, a body and its lines in the header and the docs: in a copy of the tree an
# operator `meet` is added, and each omission must fail to compile or fail tree.operators. That the
# oracle of the tests refuses what it does not know is a check of library.reference.
set -u
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
failed=0
say() { echo "$*"; failed=1; }

mkdir -p "$copy/src/core" "$copy/cli"
cp -r "$SOURCE/include" "$SOURCE/man" "$SOURCE/docs" "$copy" &&
    cp -r "$SOURCE/src/core/." "$copy/src/core" && cp -r "$SOURCE/cli/patterns" "$copy/cli" || exit 1
operators=$copy/src/core/operators
compiles() {
    for file in operators builtin_integers builtin_floats fold; do
        "${CC:-cc}" -std=gnu11 -ffp-contract=off -Wall -Wextra -Wswitch-enum -Werror -fsyntax-only \
            -I"$copy/include" -I"$copy/src" "$operators/$file.c" 2> "$copy/errors" || return 1
    done
}
row() { echo "X(meet, HD__MEET, $1, HD__MEET, IDENTITY)" >> "$operators/operators.def"; }
without_row() { sed -i '/^X(meet/d' "$operators/operators.def"; }

compiles || { cat "$copy/errors"; say "the copy does not compile"; }
row UNSIGNED
compiles && say "a row without a body compiles"
grep -q meet_u8 "$copy/errors" || say "the error does not name what is missing: $(cat "$copy/errors")"

body='HD_MONOID(meet_##t, T, HD_NO_SOURCE, ALL_FLAGS, (T) ~(T)0, { return (T)(a \& b); })'
sed -i "s/^WRAPPING(u8, uint8_t)/#define MEET(t, T) $body\nMEET(u8, uint8_t)\n&/
        s/^WRAPPING(u16, uint16_t)/MEET(u16, uint16_t)\n&/
        s/^WRAPPING(u32, uint32_t)/MEET(u32, uint32_t)\n&/
        s/^WRAPPING(u64, uint64_t)/MEET(u64, uint64_t)\n&/" "$operators/builtin_integers.c"
compiles || { cat "$copy/errors"; say "a row and a body do not compile"; }

for rule in EXTREME ARITHMETIC UNKNOWN; do # bodies for other types, or a rule that is not there
    without_row
    row $rule
    compiles && say "a row of rule $rule without what it needs compiles"
done

without_row
SOURCE=$copy "$SOURCE/tests/tree/operators.sh" || say "tree.operators fails on the copy as it was"
row UNSIGNED
found=$(SOURCE=$copy "$SOURCE/tests/tree/operators.sh") && say "tree.operators misses a new row"
for file in include/heddle.h cli/patterns/reduce.c man/heddle-scan.1 man/heddle.3 docs/reference/numerics.md; do
    grep -q "^$file:.*meet" <<< "$found" || say "tree.operators does not miss meet in $file"
done
exit $failed
