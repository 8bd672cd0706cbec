#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What texts name exists. In comments and in the documentation, a file of code is named by the end
# of its path (scan.c, cpu/scan/scan.c), and an identifier of Heddle's (hd_*, hd__*, hk_*, in
# capitals too) is a word of the code. A name that ends in _, in a number k or in an instruction
# set, or that has the word NAME (hd__NAME_job), stands for several. docs/log tells of what was;
# guides also name files of the user's.
set -u
cd "$SOURCE" || exit 1
kinds='c|h|cu|cuh|inc|def|cpp|hpp'
files=$(git -c safe.directory='*' ls-files 2>/dev/null)
[ -n "$files" ] || files=$(find . -type f -not -path './build*' -not -path './.git/*' | sed 's|^\./||')
code=$(printf '%s\n' "$files" | grep -E "[.]($kinds|sh|py|cmake|awk)$" |
    grep -vE '^tests/(fuzz/corpus|data|kernels)/|^bench/model/kernels/')
pages=$(printf '%s\n' "$files" | grep -E '[.]md$' | grep -v '^docs/log/')

# Files that are not in the tree: other people's, those that the build or the code generator makes,
# and the names of users' files in examples.
elsewhere='^((dlpack/)?dlpack|cooperative_groups|cooperative_groups/.*|cuda.*|mma|nvrtc|curand.*|std[a-z]*|math|omp|zlib)[.]h$|llm[.]c$|^train_gpt2[.]cu$'
made='^(kernel_(config|types)[.]h|(heddle|hd)_math[.]cuh|precompiled_[a-z_0-9]*[.]c|rows[.]inc)$'
users='^(kernel|kernels|mine|a|b|x|file|name|solution|student|main|program|sum|reference)[.](cu|c|h|cuh|cpp)$'
guides='^(README|docs/(guide|coverage|howto/.*|course/.*))[.]md:'

# texts FILE...: "FILE:LINE<tab>text" of comments, and of whole pages.
texts() {
    awk -v SLASHES='//' '
        FILENAME ~ /[.]md$/ { print FILENAME ":" FNR "\t" $0; next }
        FILENAME ~ /[.](sh|py|cmake|awk)$/ {
            if (match($0, /^[ \t]*# /)) print FILENAME ":" FNR "\t" substr($0, RSTART + RLENGTH)
            next
        }
        { at = index($0, SLASHES)
          if (at > 0 && substr($0, at - 1, 1) != ":") print FILENAME ":" FNR "\t" substr($0, at + 2) }' "$@"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck disable=SC2086
texts $code $pages >"$scratch/texts"
printf '%s\n' "$files" >"$scratch/files"
# Every word of the code, without its comments.
printf '%s\n' "$code" | xargs sed -E 's|//.*||' | grep -oE '\b(hd|hk|HD|HK)_[A-Za-z0-9_]+' | sort -u >"$scratch/words"

awk -F '\t' -v kinds="$kinds" -v elsewhere="$elsewhere" -v made="$made" -v users="$users" -v guides="$guides" \
    -v files="$scratch/files" -v words="$scratch/words" '
    BEGIN {
        while ((getline path < files) > 0) {
            known[path] = 1
            while (sub(/^[^\/]*\//, "", path)) known[path] = 1
        }
        while ((getline word < words) > 0) {
            named[word] = 1
            for (k = 3; k < length(word); k++) if (substr(word, k, 1) == "_") prefix[substr(word, 1, k)] = 1
        }
        file = "[A-Za-z0-9_./-]*[A-Za-z0-9_][.](" kinds ")"
    }
    { text = $2
      while (match(text, file)) {
          path = substr(text, RSTART, RLENGTH)
          before = RSTART > 1 ? substr(text, RSTART - 1, 1) : " "
          after = substr(text, RSTART + RLENGTH, 1)
          text = substr(text, RSTART + RLENGTH)
          if (after ~ /[A-Za-z0-9_(*]/ || before ~ /[*<A-Z$}]/ || path ~ /[A-Z][A-Z]|[.][.][.]/) continue
          sub(/^.*[.]\//, "", path)
          base = path; sub(/^.*\//, "", base)
          if ($1 ~ guides && path !~ /\//) continue
          if (path in known || path ~ elsewhere || base ~ made || base ~ users) continue
          print $1 ": no file " path; bad = 1
      }
      text = $2
      while (match(text, /(hd|hk|HD|HK)_[A-Za-z0-9_]+/)) {
          word = substr(text, RSTART, RLENGTH)
          before = RSTART > 1 ? substr(text, RSTART - 1, 1) : " "
          after = substr(text, RSTART + RLENGTH, 1)
          text = substr(text, RSTART + RLENGTH)
          if (before ~ /[A-Za-z0-9_]/ || word in named || word ~ /^h.*[A-Z][A-Z]|[Nn][Aa][Mm][Ee]/) continue
          if (word in prefix || after == "*" || word ~ /_(neon|sve|avx2|avx512|baseline)$/) continue
          if (sub(/_k$/, "_", word) && word in prefix) continue
          print $1 ": nothing is called " word; bad = 1
      } }
    END { exit bad }' "$scratch/texts"
