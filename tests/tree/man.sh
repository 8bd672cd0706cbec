#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The man pages format without a warning, name every function of the public header, and have the
# options of the program.
set -u
failed=0
groff=$(command -v groff || true)
[ -n "$groff" ] || { echo "groff is not here"; exit 77; }
for page in "$SOURCE"/man/*.[13]; do
    warnings=$("$groff" -ww -man -Tutf8 -z "$page" 2>&1)
    [ -z "$warnings" ] || { echo "$page: $warnings"; failed=1; }
    if command -v mandoc >/dev/null; then
        mandoc -T lint -W warning "$page" || failed=1
    fi
done
for name in $(grep -ohE '\bhd_[a-z_0-9]+ *\(' "$SOURCE"/include/heddle.h \
    "$SOURCE"/include/heddle_dlpack.h "$SOURCE"/include/heddle/*.h | tr -d ' (' | sort -u); do
    grep -q "$name" "$SOURCE/man/heddle.3" || { echo "heddle.3 does not name $name"; failed=1; }
done

for name in $(grep -oE '^HD_API [^(]*\bhd_[a-z_0-9]+ *\(' "$SOURCE"/include/heddle_model.h |
    grep -oE 'hd_[a-z_0-9]+ *\($' | tr -d ' (' | sort -u); do
    grep -q "$name" "$SOURCE/man/heddle_model.3" ||
        { echo "heddle_model.3 does not name $name"; failed=1; }
done

# A command's page and its --help have the same options.
options() { grep -oE '(^|[^a-z-])--[a-z][a-z-]*' | grep -oE -- '--[a-z-]+' | sort -u; }
if [ -x "$HEDDLE" ]; then
    for command in $("$HEDDLE" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | grep -v help); do
        page=$SOURCE/man/heddle-$command.1
        [ -e "$page" ] || { echo "no man page for heddle $command"; failed=1; continue; }
        "$HEDDLE" "$command" --help | grep -E '^ +-' | options >helped
        sed -n 's/\\-/-/g; /^.SH OPTIONS/,/^.SH EX/p' "$page" | grep -A1 '^.TP' | options >written
        diff -u helped written >difference ||
            { echo "$page differs from --help:"; cat difference; failed=1; }
    done
fi
exit $failed
