#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every C and C++ file is formatted as .clang-format says and starts with its SPDX line. Other
# versions of clang-format place some tokens differently, so one version is the judge.
set -u
judge=14
cd "$SOURCE" || exit 1
files=$(git -c safe.directory="$SOURCE" ls-files '*.c' '*.h' '*.cpp' '*.def' '*.inc' '*.sh' 2>/dev/null ||
    find include src cli bench tests examples scripts -name '*.[ch]' -o -name '*.cpp' -o -name '*.sh')
failed=0
for file in $files; do
    if [ -e "$file" ] && ! head -2 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0'; then
        echo "$file: no SPDX line at its head"
        failed=1
    fi
done
code=$(for file in $files; do case $file in *.c | *.h | *.cpp) [ -e "$file" ] && echo "$file" ;; esac done)
format=$(command -v clang-format-$judge || command -v clang-format || true)
case $("${format:-false}" --version 2>/dev/null) in
*"version $judge."*) "$format" --dry-run --Werror $code || failed=1 ;;
*)
    echo "clang-format $judge is not here: only the SPDX lines were checked"
    [ $failed -eq 0 ] && exit 77
    ;;
esac
exit $failed
