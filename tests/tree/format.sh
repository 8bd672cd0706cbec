#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every C and C++ file, the kernels of the GPU backend and the peers in CUDA are formatted as
# .clang-format says, and files start with their SPDX line. Other versions of clang-format place
# some tokens differently, so one version is the judge. Device headers of the model machine, ladders
# and kernels of tests, whose lines have numbers in results, are laid out by hand.
set -u
judge=14
cd "$SOURCE" || exit 1
kinds='\.(c|h|cpp|def|inc|sh)$|^(src/gpu|bench/peers)/.*\.cuh?$'
files=$({ git -c safe.directory="$SOURCE" ls-files 2>/dev/null ||
    find include src cli bench tests examples scripts -type f; } | grep -E "$kinds")
files=$(for file in $files; do [ -e "$file" ] && echo "$file"; done)
failed=0
# shellcheck disable=SC2086
awk '/SPDX-License-Identifier: Apache-2.0/ { headed[FILENAME] = 1 }
    FNR == 2 { nextfile }
    END {
        for (k = 1; k < ARGC; k++)
            if (!(ARGV[k] in headed)) { print ARGV[k] ": no SPDX line at its head"; failed = 1 }
        exit failed
    }' $files || failed=1
code=$(echo "$files" | grep -E '\.(c|h|cpp|cuh?)$')
format=$(command -v clang-format-$judge || command -v clang-format || true)
case $("${format:-false}" --version 2>/dev/null) in
*"version $judge."*) "$format" --dry-run --Werror $code || failed=1 ;;
*)
    echo "clang-format $judge is not here: only the SPDX lines were checked"
    [ $failed -eq 0 ] && exit 77
    ;;
esac
exit $failed
