#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The list of files in the README of every module, made from the heads of the files.
#   scripts/readmes.sh accept   writes the lists
#   scripts/readmes.sh check    fails where a README differs from the heads
# A README is prose, then the line "<!-- files -->", then a list for each folder with an item for
# each file (a source and its header are one, and the fuller head counts): the first sentence of its
# head, without citations in brackets. tests/tree/layout.sh runs the check.
set -eu
cd "$(dirname "$0")/.."
mode=${1-}
case $mode in accept | check) ;; *) sed -n '3,5s/^# //p' "$0" >&2; exit 2 ;; esac
modules="src/core src/patterns src/serial src/cpu src/gpu src/model src/algorithms src/mpi src/io src/bits src/chart \
cli bench ladder tests"
kinds='\.(c|h|inc|def|cu|cuh|cpp|hpp|py|sh)$'
files=$(git -c safe.directory='*' ls-files 2>/dev/null || true)
[ -n "$files" ] || files=$(find src cli bench ladder tests -type f | sort)

# sentences FILE...: "FILE<tab>first sentence of its head", where the head is its first block of
# comments.
sentences() {
    awk '# A full stop ends a sentence unless it belongs to an initial: "D. Merrill".
         function first_sentence(text,   rest, at) {
             for (at = 0; match(rest = substr(text, at + 1), /[.]( [A-Z(]|$)/); at += RSTART)
                 if (substr(text, 1, at + RSTART - 1) !~ /(^|[^A-Za-z0-9_])[A-Z]$/) {
                     text = substr(text, 1, at + RSTART - 1)
                     break
                 }
             sub(/[.:;,]$/, "", text)
             return text
         }
         function finish() {
             gsub(/[ \t]+/, " ", text); sub(/^ /, "", text)
             gsub(/ \[[A-Z][.] [^]]*\]/, "", text)
             print name "\t" first_sentence(text)
         }
         FNR == 1 { if (name != "") finish(); name = FILENAME; text = ""; open = 1 }
         !open { next }
         /SPDX-License-Identifier|^#!|^# Copyright|^\/\/ (compile|link): / { next }
         /^(\/\/|#|"""|\/\*)/ && !/^#(include|define|if|pragma)/ {
             line = $0; sub(/^(\/\/|#|"""|\/\*) ?/, "", line); sub(/("""|\*\/)$/, "", line)
             if (line ~ /^ *$/ && text != "") open = 0; else text = text " " line
             if (FILENAME ~ /[.]py$/ && $0 ~ /""".*"""/) open = 0
             next
         }
         text != "" { open = 0 }
         END { if (name != "") finish() }' "$@"
}

# list MODULE: the tables of its folders.
list() {
    local module=$1
    printf '%s\n' "$files" | grep -E "^$module/" | grep -E "$kinds" |
        grep -vE '^tests/(fuzz/corpus|data|kernels|fake/python|consumers/[a-z_]+)/|^bench/model/kernels/' |
        while read -r file; do [ -e "$file" ] && echo "$(dirname "$file")/ $file"; done |
        sort -k1,1 -k2,2 | cut -d ' ' -f 2 >"$scratch/files"
    [ -s "$scratch/files" ] || return 0
    # shellcheck disable=SC2046
    sentences $(cat "$scratch/files") |
        awk -F '\t' -v module="$module/" '
            # The item of a list in lines of at most 100 columns.
            function wrap(text,   word, n, k, line) {
                n = split(text, word, " ")
                line = word[1] " " word[2]
                for (k = 3; k <= n; k++)
                    if (length(line) + 1 + length(word[k]) > 100) { print line; line = "  " word[k] }
                    else line = line " " word[k]
                print line
            }
            { path = substr($1, length(module) + 1)
              folder = path; if (!sub(/\/[^\/]*$/, "", folder)) folder = ""
              base = path; sub(/.*\//, "", base)
              stem = base; kind = base; sub(/[.][^.]*$/, "", stem); sub(/.*[.]/, "", kind)
              key = folder "\t" stem
              if (!(key in kinds)) order[++count] = key
              kinds[key] = kinds[key] (kinds[key] == "" ? "" : ",") kind
              # The source comes first; its header counts where it says more of the subject.
              shared = $2 ~ /^What .* share|what its (two )?files share/
              if (!(key in what) || kind == "h" && !shared && length($2) > length(what[key]))
                  what[key] = $2 }
            END { last = "\t"
                  for (k = 1; k <= count; k++) {
                      split(order[k], part, "\t")
                      if (part[1] != last) {
                          print ""
                          if (part[1] != "") print "### `" part[1] "/`\n"
                          last = part[1]
                      }
                      n = kinds[order[k]]; if (n ~ /,/) n = "{" n "}"
                      wrap("- `" part[2] "." n "`: " what[order[k]] ".")
                  } }'
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
for module in $modules; do
    [ -d "$module" ] || continue
    page=$module/README.md
    [ -e "$page" ] || { echo "$page is missing"; failed=1; continue; }
    grep -q '^<!-- files -->$' "$page" || { echo "$page has no line \"<!-- files -->\""; failed=1; continue; }
    { sed '/^<!-- files -->$/q' "$page"; list "$module"; } >"$scratch/page"
    if [ "$mode" = accept ]; then
        cmp -s "$scratch/page" "$page" || cp "$scratch/page" "$page"
    elif ! diff -u "$page" "$scratch/page" >"$scratch/diff"; then
        echo "$page is not what the heads of its files say; scripts/readmes.sh accept writes it:"
        sed -n '3,20p' "$scratch/diff"
        failed=1
    fi
done
exit $failed
