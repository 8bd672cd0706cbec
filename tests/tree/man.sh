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
# section PAGE NAME: the lines of a section, hyphens as they are printed.
section() { awk -v name="$2" '/^\.SH/ { on = $2 == name; next } on' "$1" | sed 's/\\-/-/g'; }

for name in $(grep -ohE '\bhd_[a-z0-9][a-z_0-9]* *\(' "$SOURCE"/include/heddle.h \
    "$SOURCE"/include/heddle_dlpack.h "$SOURCE"/include/heddle/*.h "$SOURCE"/include/heddle/*/*.h | tr -d ' (' | sort -u); do
    cat "$SOURCE/man/heddle.3" "$SOURCE"/man/heddle_algorithms.3 | grep -q "$name" ||
        { echo "heddle.3 does not name $name"; failed=1; }
done

# declared PAGE HEADER...: the synopsis declares every function of these headers.
declared() {
    local page=$SOURCE/man/$1 name
    shift
    section "$page" SYNOPSIS >synopsis
    for name in $(grep -ohE '^HD_API [^(]*\bhd_[a-z_0-9]+ *\(' "$@" | grep -oE 'hd_[a-z_0-9]+ *\($' |
        tr -d ' (' | sort -u); do
        grep -qE "\b$name\(" synopsis || { echo "$page: no $name in the synopsis"; failed=1; }
    done
}
declared heddle.3 "$SOURCE"/include/heddle.h "$SOURCE"/include/heddle_dlpack.h \
    "$SOURCE"/include/heddle/*.h "$SOURCE"/include/heddle/{math,teaching}/*.h
declared heddle_algorithms.3 "$SOURCE"/include/heddle/algorithms/*.h
declared heddle_model.3 "$SOURCE"/include/heddle_model.h

# A command's page and its --help have the same options and operands; heddle.1 has every command.
options() { grep -oE '(^|[^A-Za-z-])-(-[a-z][a-z-]*|[A-Za-z]\b)' | grep -oE -- '-.*' | sort -u; }
operands() { tr 'A-Z' 'a-z' | tr -d ' "\n' | sed 's/\[options*\(\.\.\.\)*\]//'; }
if [ -x "$HEDDLE" ]; then
    "$HEDDLE" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | grep -v help | sort >commands
    for command in $(cat commands); do
        page=$SOURCE/man/heddle-$command.1
        [ -e "$page" ] || { echo "no man page for heddle $command"; failed=1; continue; }
        "$HEDDLE" "$command" --help | grep -E '^ +-' | options | grep -vx -- -h >helped
        section "$page" OPTIONS | grep -A1 '^.TP' | options | grep -vx -- -h >written
        diff -u helped written >difference ||
            { echo "$page differs from --help:"; cat difference; failed=1; }
        used=$("$HEDDLE" "$command" --help | sed -n "s/^usage: heddle $command//p" | operands)
        shown=$(section "$page" SYNOPSIS | sed '1d; s/^\.[A-Z]* //' | operands)
        [ "$used" = "$shown" ] || [ "$command" = convert ] ||
            { echo "$page: its synopsis has '$shown', the usage '$used'"; failed=1; }
    done
    section "$SOURCE/man/heddle.1" COMMANDS | grep -A1 '^.TP' |
        sed -n 's/^\.BR heddle-\([a-z]*\) (1)$/\1/p' | sort >listed
    diff -u commands listed || { echo "heddle.1 lists other commands than --help"; failed=1; }
fi
exit $failed
