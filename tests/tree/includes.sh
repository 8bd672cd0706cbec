#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Which module includes which: the arrows of tests/tree/includes.txt, and no others; no circle
# between modules, between headers, or between the folders of a module. Two exceptions: operators,
# the choice of auto and contexts of src/core know each other, and the families of src/gpu share
# passes and kernels.
set -u
cd "$SOURCE" || exit 1
failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# includes.tsv: a file, and a file it includes.
find src cli bench ladder -name '*.[ch]' -o -name '*.inc' -o -name '*.def' -o -name '*.cpp' -o -name '*.hpp' |
    grep -v '^bench/peers/' | sort >"$scratch/files"
# shellcheck disable=SC2046
awk '/^#[ \t]*include +"/ {
         name = $0; sub(/^[^"]*"/, "", name); sub(/".*/, "", name)
         folder = FILENAME; sub(/[^\/]*$/, "", folder)
         print FILENAME "\t" folder name "\t" "src/" name "\t" name "\t" "include/" name
     }' $(cat "$scratch/files") |
    while IFS=$'\t' read -r file beside src root public; do
        for path in "$beside" "$src" "$root" "$public"; do
            [ -e "$path" ] && { printf '%s\t%s\n' "$file" "$path"; continue 2; }
        done
        case $root in hd__*) ;; *) echo "$file: no $root" >>"$scratch/missing" ;; esac
    done >"$scratch/includes.tsv"

awk -F '\t' -v list=tests/tree/includes.txt '
    function module(path,   part, n) {
        n = split(path, part, "/")
        return part[1] == "src" && n > 2 ? part[1] "/" part[2] : n > 1 ? part[1] : path
    }
    BEGIN {
        while ((getline line < list) > 0) {
            if (line ~ /^#/ || line == "") continue
            n = split(line, word, /[ :]+/)
            for (k = 2; k <= n; k++) allowed[word[1], word[k]] = 1
        }
    }
    { from = module($1); to = module($2)
      if (from == to || to == "include" || (from, to) in allowed || (from, $2) in allowed) next
      print $1 " includes " $2 ", which " from " may not"
      bad = 1 }
    END { exit bad }' "$scratch/includes.tsv" || failed=1

# circles WHAT COLUMN-PROGRAM: a circle among the nodes that the program makes of files.
circles() {
    awk -F '\t' "$2"'
        { a = node($1); b = node($2); if (a != "" && b != "" && a != b) print a, b }' "$scratch/includes.tsv" |
        sort -u >"$scratch/arrows"
    local circle
    circle=$(tsort "$scratch/arrows" 2>&1 >/dev/null | grep -v 'input contains a loop' | sed 's/^tsort: *//')
    [ -z "$circle" ] || { printf 'a circle of %s:\n%s\n' "$1" "$circle"; failed=1; }
}
circles modules 'function node(p,   q, n) { n = split(p, q, "/"); return q[1] == "include" ? "" : q[1] == "src" && n > 2 ? q[2] : q[1] }'
circles folders 'function node(p) { if (p ~ /^include|^src\/gpu/) return ""; sub(/\/[^\/]*$/, "", p); sub(/^src\/core\/(operators|choice)$/, "src/core", p); return p }'
circles headers 'function node(p) { return p }'
exit $failed
