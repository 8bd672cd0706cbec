#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Comments and prose have at most 100 columns; rows of tables and lines that are one link or one
# path may be longer, and so may kernels whose lines are quoted by their numbers.
set -u
cd "$SOURCE" || exit 1
find include src cli bench ladder tests examples cmake scripts docs ./*.md run test -type f |
    grep -E '\.(c|h|inc|def|cu|cuh|cpp|hpp|sh|cmake|md|py)$|^(run|test)$' | grep -vE 'tests/(fuzz/corpus|data|kernels)|^ladder/.*[.]cu$' |
    sort | xargs awk '
        FNR == 1 { fenced = 0 }
        /^ *```/ { fenced = !fenced }
        fenced && FILENAME ~ /[.]md$/ { next }
        { if (length($0) <= 100) next
          prose = FILENAME ~ /[.]md$/
          if (prose && ($0 ~ /^ *\|/ || $0 ~ /^[^ ]+$/)) next
          if (prose && $0 ~ /^```/) next
          if (!prose && $0 !~ /(^|[ \t])(\/\/|#) /) next
          if (!prose && $0 ~ /^(\/\/|#)   /) next # a sample of code, a usage
          if (!prose && match($0, /(\/\/|#) /) && RSTART > 100) next
          count[FILENAME]++; if (count[FILENAME] == 1) first[FILENAME] = FNR }
        END { for (f in count) { print f ":" first[f] ": " count[f] " lines over 100 columns"; bad = 1 }; exit bad }'
