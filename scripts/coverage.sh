#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# coverage.sh SOURCE BUILD: prints, for each file under SOURCE/src, how many of its lines the tests
# of a coverage build ran, and the figure for all of them; fails below 90 %. A line of a file that
# is compiled several times (instruction sets, rows of a list) counts once: run, if any copy ran it.
set -eu
source=$1
build=$2
least=90
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
find "$build" -name '*.gcda' -print0 |
    xargs -0 -r gcov --stdout --preserve-paths >lines 2>/dev/null
[ -s lines ] || { echo "no counts in $build: run its tests first"; exit 1; }
awk -F: -v root="$source/src/" -v least=$least '
    $3 == "Source" { file = $4; next }
    index(file, root) == 1 {
        count = $1; line = $2
        gsub(/[ *]/, "", count); gsub(/ /, "", line)
        if (count == "-" || line == 0) next
        key = substr(file, length(root) + 1) SUBSEP line
        if (!(key in seen)) seen[key] = 0
        if (count !~ /^[#=]/) seen[key] = 1
    }
    END {
        for (key in seen) { split(key, part, SUBSEP); n[part[1]]++; ran[part[1]] += seen[key] }
        for (file in n) {
            percent = 100 * ran[file] / n[file]
            printf "%6.1f %%  %5d of %5d  src/%s\n", percent, ran[file], n[file], file | "sort -n"
            lines += n[file]; total += ran[file]
        }
        close("sort -n")
        if (!lines) { print "no lines of " root " were counted"; exit 1 }
        printf "coverage of src/: %.1f %% of %d lines", 100 * total / lines, lines
        printf " (at least %d %% wanted)\n", least
        exit 100 * total < least * lines
    }' lines
