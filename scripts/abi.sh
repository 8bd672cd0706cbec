#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The binary interface of libheddle and libheddle_model: the exported names with their types, the
# layouts of public structures, the values of enumerations and of constant macros.
# tests/tree/abi.txt holds the one that was accepted last. BUILD is a build folder, build/release if
# none is named.
#   scripts/abi.sh show [BUILD]      prints it
#   scripts/abi.sh check [BUILD]     says what was added, changed or removed; exit 1 if anything was
#   scripts/abi.sh accept [BUILD]    writes tests/tree/abi.txt
#   scripts/abi.sh against COMMIT    builds the library of that commit and of this tree, and
#                                    compares the two with abidiff
#   scripts/abi.sh released          the same against the last release whose programs this library
#                                    must run, where there is one and abidiff is here
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
baseline=$root/tests/tree/abi.txt
way=${1-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

show() {
    local build=$1 name
    [ -e "$build/libheddle.so" ] || { echo "no libheddle.so in $build" >&2; exit 2; }
    {
        for header in $(ls "$root"/include/*.h | grep -v heddle_mpi.h); do echo "#include <${header##*/}>"; done
        nm -D --defined-only "$build"/libheddle.so "$build"/libheddle_model.so |
            awk 'NF == 3 && $2 != "A" && $3 !~ /_PRIVATE$/ {sub(/@@.*/, "", $3); print $3}' | while read -r name; do
            echo "__typeof__(&$name) abi_$name = &$name;"
        done
    } >"$work/abi.c"
    "${CC:-cc}" -gdwarf-4 -O0 -fno-eliminate-unused-debug-types -I"$root/include" \
        -c "$work/abi.c" -o "$work/abi.o"
    {
        readelf --debug-dump=info "$work/abi.o" 2>/dev/null | awk -f "$root/scripts/abi.awk"
        "${CC:-cc}" -dM -E -I"$root/include" "$work/abi.c" | grep -v VERSION |
            sed -nE 's/^#define (HD_[A-Z0-9_]+) (\(?-?[0-9][0-9a-zA-Zx<() -]*)$/macro \1: \2/p'
    } | LC_ALL=C sort -u
}

check() {
    show "$1" >"$work/now"
    # A fact is known by what comes before ": ". One that is gone or reads differently breaks
    # programs that were compiled before.
    local added broken
    added=$(awk -F': ' 'NR == FNR { was[$1]; next } !($1 in was)' "$baseline" "$work/now")
    broken=$(awk -F': ' 'NR == FNR { now[$1] = $0; next }
        !($1 in now) { print "removed: " $0; next }
        now[$1] != $0 { print "changed: " $0; print "    now: " now[$1] }' "$work/now" "$baseline")
    [ -z "$added$broken" ] && return 0
    [ -z "$added" ] || printf 'added since tests/tree/abi.txt:\n%s\n' "$added"
    [ -z "$broken" ] || printf 'programs compiled before would break:\n%s\n' "$broken"
    echo "docs/internals/architecture.md, \"The binary interface\", says what to do."
    return 1
}

# library TREE FOLDER: builds its library with debug information, which abidiff reads.
library() {
    cmake -G Ninja -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=Debug -DHEDDLE_ISAS=first -DHEDDLE_TESTS=OFF \
        -DHEDDLE_PROGRAM=OFF -DHEDDLE_PEERS=OFF -DHEDDLE_PRECOMPILED_KERNELS=OFF >"$work/log" &&
        cmake --build "$2" --target heddle_shared heddle_model_shared >"$work/log" || { cat "$work/log" >&2; exit 2; }
}

against() {
    command -v abidiff >/dev/null ||
        { echo "abidiff is not here: apt-get install abigail-tools" >&2; exit 2; }
    mkdir "$work/then"
    git -C "$root" archive "$1" | tar -x -C "$work/then"
    library "$work/then" "$work/build-then"
    library "$root" "$work/build-now"
    abidiff --headers-dir1 "$work/then/include" --headers-dir2 "$root/include" \
        "$work/build-then/libheddle.so" "$work/build-now/libheddle.so"
}

# Before 1.0 a minor version may break programs, so that its own patch releases are what counts.
released() {
    local major minor tag
    major=$(sed -n 's/^#define HD_VERSION_MAJOR *//p' "$root/include/heddle.h")
    minor=$(sed -n 's/^#define HD_VERSION_MINOR *//p' "$root/include/heddle.h")
    [ "$major" -gt 0 ] && minor='*'
    tag=$(git -C "$root" tag --list "v$major.$minor*" --sort=-v:refname 2>/dev/null | head -1)
    [ -n "$tag" ] || { echo "no release of this interface yet"; return 0; }
    command -v abidiff >/dev/null || { echo "abidiff is not here"; return 0; }
    against "$tag"
}

case $way in
show | check) "$way" "${2:-$root/build/release}" ;;
accept) show "${2:-$root/build/release}" >"$work/now" && cp "$work/now" "$baseline" ;;
against) against "${2:?a tag or a commit}" ;;
released) released ;;
*) sed -n '3,13s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
