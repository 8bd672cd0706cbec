#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The peers of heddle bench are read by the compiler without a warning, as far as the headers they
# need are here; ./test --all builds them. Those in plain C race where rows are of many kinds.
set -u
folder=$SOURCE/bench/peers
CXX=${CXX:-c++}
command -v "$CXX" >/dev/null || exit 77
# OpenCV's and OpenBLAS's headers may have a folder of their own.
places="-isystem /usr/include/opencv4 -isystem /usr/include/openblas"
failures=0
count=0

# headers FILE...: what they include of others.
headers() {
    sed -n 's/^#include <\(.*\)>.*/\1/p' "$@" | sort -u
}

# One look at all of them; what a header includes in its turn is looked at where a file is refused.
absent=" $(for header in $(headers "$folder"/*/*.c "$folder"/*/*.cpp); do
    printf '#if !__has_include(<%s>)\nmissing "%s"\n#endif\n' "$header" "$header"
    # shellcheck disable=SC2086
done | "$CXX" $places -x c++ -std=c++17 -E - | sed -n 's/^missing "\(.*\)"/\1/p' | tr '\n' ' ')"

# whole HEADER: it is here with all that it includes.
whole() {
    # shellcheck disable=SC2086
    echo "#include <$1>" | "$CXX" $places -x c++ -std=c++17 -M - >/dev/null 2>&1
}

# peer COMPILER STANDARD FILE
peer() {
    local header
    for header in $(headers "$3"); do
        case $absent in *" $header "*) echo "$(basename "$3") needs $header"; return ;; esac
    done
    count=$((count + 1))
    # shellcheck disable=SC2086
    "$1" -std="$2" -fsyntax-only -fopenmp -Wall -Wextra -Wpedantic -Werror $places -I "$SOURCE" "$3" && return
    for header in $(headers "$3"); do
        whole "$header" || { echo "$(basename "$3") needs all of $header"; return; }
    done
    failures=$((failures + 1))
}
for file in "$folder"/*/*.cpp; do peer "$CXX" c++17 "$file"; done
for file in "$folder"/*/*.c; do peer "$CC" gnu11 "$file"; done
echo "$count files were read"

mkdir -p peers
for name in loop openmp; do
    "$CC" -std=gnu11 -fopenmp -fPIC -shared -o "peers/heddle-peer-$name.so" -I "$SOURCE" \
        "$folder/$name"/*.c "$folder/support/finders.c" -lm || failures=$((failures + 1))
done
HEDDLE_PEERS_DIR=peers "$HEDDLE" bench segmented gather scatter select runs list --peers --each --no-peaks --quick \
    --time 0.0001 --sizes 100 >race.txt || {
    echo "the race ends with $?:"
    tail -3 race.txt
    failures=$((failures + 1))
}
grep -E 'WRONG|failed' race.txt && failures=$((failures + 1))
for name in loop OpenMP; do
    [ "$(grep -cE "^ +$name " race.txt)" -gt 15 ] || { echo "few rows of $name"; failures=$((failures + 1)); }
done
[ $failures -eq 0 ]
