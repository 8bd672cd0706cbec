#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every C and C++ file is formatted as .clang-format says and starts with its SPDX line. Other
# versions of clang-format place some tokens differently, so one version is the judge.
set -u
judge=14
cd "$SOURCE" || exit 1
kinds='\.(c|h|cpp|def|inc|sh)$'
files=$({ git -c safe.directory="$SOURCE" ls-files 2>/dev/null ||
    find include src cli bench tests examples scripts -type f; } | grep -E "$kinds")
failed=0
for file in $files; do
    if [ -e "$file" ] && ! head -2 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0'; then
        echo "$file: no SPDX line at its head"
        failed=1
    fi
done
code=$(for file in $files; do [ -e "$file" ] && echo "$file"; done | grep -E '\.(c|h|cpp)$')
format=$(command -v clang-format-$judge || command -v clang-format || true)
case $("${format:-false}" --version 2>/dev/null) in
*"version $judge."*) "$format" --dry-run --Werror $code || failed=1 ;;
*)
    echo "clang-format $judge is not here: only the SPDX lines were checked"
    [ $failed -eq 0 ] && exit 77
    ;;
esac
exit $failed
