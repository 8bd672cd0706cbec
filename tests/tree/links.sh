#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every relative link of the Markdown files, and every path in backquotes that starts with a folder
# of the tree, leads to something; a word in capitals (NAME, FAMILY) stands for any. A link into a
# page (FILE#heading) names one of its headings.
set -u
cd "$SOURCE" || exit 1
failed=0
folders="(src|include|cli|bench|tests|examples|docs|man|cmake|scripts|ladder)"

# anchors FILE: its headings as they are linked to.
anchors() {
    sed -n '/^```/,/^```/!s/^##* //p' "$1" | tr 'A-Z' 'a-z' |
        sed "s/\[\([^]]*\)\]([^)]*)/\1/g; s/[^a-z0-9_ -]//g; s/ /-/g"
}

while IFS= read -r page; do
    for link in $(grep -oE '\]\([^) ]+' "$page" | sed 's/](//' | grep -v '^[a-z]*:'); do
        file=${link%%#*} target=$page
        [ -z "$file" ] || target=$(dirname "$page")/$file
        [ -e "$target" ] || { echo "$page: no $link"; failed=1; continue; }
        case $link in *"#"*) ;; *) continue ;; esac
        anchors "$target" | grep -qxF -- "${link#*#}" || { echo "$page: no $link"; failed=1; }
    done
    for path in $(grep -oE "\`$folders/[A-Za-z0-9_./-]*\`" "$page" | tr -d '`' | grep -v '[A-Z][A-Z]'); do
        [ -e "$path" ] || { echo "$page: no $path"; failed=1; }
    done
done < <(find . -name '*.md' -not -path './build*' -not -path './.git/*' | sed 's|^\./||' | sort)
exit $failed
