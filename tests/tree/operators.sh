#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every row of operators.def has its lines in the public header, in --help, in the man pages and in
# the contract of docs/reference/numerics.md, and none of these lists has an operator without a row.
set -u
cd "$SOURCE" || exit 1
failed=0
say() { echo "$*"; failed=1; }
has() { grep -qE "$2" "$1" || say "$1: no operator $name"; } # file, pattern

rows=$(sed -nE 's/^X\(([a-z0-9_]+), .*/\1/p' src/core/operators/operators.def)
[ "$(wc -w <<< "$rows")" -ge 17 ] || say "operators.def: only $(wc -w <<< "$rows") rows were found"
# The operators of a command's --op: "sum|product|...", over several lines of C.
options() {
    sed -n '/ARG_TEXT(0, "op",/,/the operator/p' "$1" | grep -oE '"[a-z0-9_|]+"' |
        sed 1d | tr -d '"\n' | tr '|' '\n'
}
number=0
for name in $rows; do
    upper=${name^^}
    number=$((number + 1)) # of the row: programs that were compiled before have it
    has include/heddle.h "^#define HD_$upper +HD__BUILT_IN\($number\)$"
    has include/heddle.h "^//   ([A-Z0-9_]+ )*$upper( |$)"
    has man/heddle.3 "(^| )HD_$upper( |$)"
    has docs/reference/numerics.md "^\| ([a-z0-9_]+, )*$name(, [a-z0-9_]+)* \|"
    for command in reduce scan; do
        [ "$command $name" = "scan dot" ] && continue # a scan has no second view
        options cli/patterns/$command.c | grep -qx "$name" ||
            say "cli/patterns/$command.c: --op does not list $name"
        has man/heddle-$command.1 "(^|[ \"])$name([ \",.]|$)"
    done
done
for name in $(options cli/patterns/reduce.c) $(options cli/patterns/scan.c) \
    $(sed -nE 's/^#define HD_([A-Z0-9_]+) +HD__BUILT_IN\([0-9]+\)$/\L\1/p' include/heddle.h); do
    grep -qx "$name" <<< "$rows" || say "operators.def: no row $name, which is listed elsewhere"
done
exit $failed
