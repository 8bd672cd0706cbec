#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# No folder has more than 32 entries, but for data; and the README of every module lists its files
# as their heads describe them. No file is empty: what a command left behind is none of the tree's.
set -u
cd "$SOURCE" || exit 1
max=32
files=$(git -c safe.directory='*' ls-files 2>/dev/null)
[ -n "$files" ] || exit 77
failed=0
crowded=$(printf '%s\n' "$files" | awk -F/ -v max=$max '
    { path = ""
      for (k = 1; k < NF; k++) {
          path = path (k > 1 ? "/" : "") $k
          entry = path "/" $(k + 1)
          if (!(entry in seen)) { seen[entry] = 1; count[path]++ }
      } }
    END { for (path in count) if (count[path] > max) print path ": " count[path] " entries, at most " max }' |
    # Data: one file a case.
    grep -vE '^(man|examples|tests/data|tests/fuzz/corpus/[a-z_]+):')
[ -z "$crowded" ] || { echo "$crowded"; failed=1; }
empty=$(printf '%s\n' "$files" | while read -r file; do [ -s "$file" ] || echo "$file: empty"; done |
    grep -v '^tests/\(data\|fuzz/corpus\)/')
[ -z "$empty" ] || { echo "$empty"; failed=1; }
bash scripts/readmes.sh check || failed=1
exit $failed
