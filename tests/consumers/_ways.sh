# SPDX-License-Identifier: Apache-2.0
# Sourced by the consumer tests: where the installed tree is, and how to run what was built.
# shellcheck shell=bash
set -eu
consumers=$SOURCE/tests/consumers
installed=$BUILD/tests/installed
libdir=$(find "$installed" -name libheddle.a 2>/dev/null | head -1)
libdir=${libdir%/*}
CC=${CC:-cc}
case $(basename "$CC") in
clang*) CXX=$(dirname "$CC")/$(basename "$CC" | sed 's/clang/clang++/') ;;
*gcc*) CXX=$(dirname "$CC")/$(basename "$CC" | sed 's/gcc/g++/') ;;
*) CXX=c++ ;;
esac
command -v "$CXX" >/dev/null || CXX=c++
command -v "$CXX" >/dev/null || { echo "no C++ compiler"; exit 77; }
export CC CXX

# check PROGRAM shared|static: it runs, and holds the library or asks for it by its soname.
check() {
    if [ "$2" = shared ]; then
        readelf -d "$1" | grep -q 'NEEDED.*libheddle\.so\.0\.1' || { echo "$1: not shared"; exit 1; }
    else
        ! readelf -d "$1" | grep -q 'NEEDED.*libheddle' || { echo "$1: not static"; exit 1; }
    fi
    LD_LIBRARY_PATH=$libdir "$1"
}

# different COMPILER...: those that are here, each once: cc often is gcc by another name.
different() {
    local name version seen=""
    for name in "$@"; do
        version=$("$name" -v 2>&1 | grep ' version ') || continue
        case $seen in *"|$version|"*) continue ;; esac
        seen+="|$version|"
        echo "$name"
    done
}
