#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The measured tables of the documentation are what the files in bench/results/ say; these files
# name no host and no path, and a table that was changed by hand is found.
set -u
command -v python3 >/dev/null || { echo "python3 is not here"; exit 77; }
python3 "$SOURCE/scripts/tables.py" check || exit 1
if grep -lE '"(host_name|executable|samples)"' "$SOURCE"/bench/results/*.json; then
    echo "these results name a host or a file, or have raw samples: scripts/tables.py add leaves them out"
    exit 1
fi
mkdir -p tree/docs tree/bench && cp -R "$SOURCE/scripts" tree/ && cp -R "$SOURCE/bench/results" tree/bench/ || exit 1
page=$(grep -lE '^<!-- table: ' -r "$SOURCE/docs" --include='*.md' | head -1)
[ -n "$page" ] || { echo "no page has a table"; exit 1; }
echo "# none" >tree/README.md
awk '{ print } /^<!-- table: /{ print "a line by hand" }' "$page" >tree/docs/page.md
if python3 tree/scripts/tables.py check >log; then
    echo "a table that was changed by hand is not found"
    exit 1
fi
python3 tree/scripts/tables.py write >log && python3 tree/scripts/tables.py check && cmp tree/docs/page.md "$page"
