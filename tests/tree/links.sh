#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every relative link of the Markdown files, and every path in backquotes that starts with a folder
# of the tree, leads to something; NAME stands for any.
set -u
cd "$SOURCE" || exit 1
failed=0
folders="(src|include|cli|bench|tests|examples|docs|man|cmake|scripts)"
for page in *.md docs/*.md src/*/README.md src/*/*/README.md; do
    [ -e "$page" ] || continue
    for link in $(grep -oE '\]\([^)#: ]+' "$page" | sed 's/](//'); do
        [ -e "$(dirname "$page")/$link" ] || { echo "$page: no $link"; failed=1; }
    done
    for path in $(grep -oE "\`$folders/[A-Za-z0-9_./-]*\`" "$page" | tr -d '`' | grep -v NAME); do
        [ -e "$path" ] || { echo "$page: no $path"; failed=1; }
    done
done
exit $failed
