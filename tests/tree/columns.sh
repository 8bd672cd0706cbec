#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Comments and prose have at most 100 columns; rows of tables and lines that are one link or one path may be longer.
set -u
cd "$SOURCE" || exit 1
find include src cli bench ladder tests examples cmake scripts docs ./*.md run test -type f |
    grep -E '\.(c|h|inc|def|cu|cuh|cpp|hpp|sh|cmake|md|py)$|^(run|test)$' | grep -vE 'tests/(fuzz/corpus|data)' |
    sort | xargs awk '
        { if (length($0) <= 100) next
          prose = FILENAME ~ /[.]md$/
          if (prose && ($0 ~ /^ *\|/ || $0 ~ /^[^ ]+$/)) next
          if (prose && $0 ~ /^```/) next
          if (!prose && $0 !~ /(^|[ \t])(\/\/|#) /) next
          if (!prose && match($0, /(\/\/|#) /) && RSTART > 100) next
          count[FILENAME]++; if (count[FILENAME] == 1) first[FILENAME] = FNR }
        END { for (f in count) { print f ":" first[f] ": " count[f] " lines over 100 columns"; bad = 1 }; exit bad }'
