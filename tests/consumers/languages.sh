#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The examples in other languages build where their compilers are, link with the installed library
# and give what they should.
. "$SOURCE/tests/consumers/_ways.sh"
folder=$(mktemp -d "${TMPDIR:-/tmp}/heddle-languages.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
examples=$SOURCE/examples/languages
ran=0
expect() { # how, command
    local said
    said=$(LD_LIBRARY_PATH=$libdir "${@:2}") || { echo "$1 fails: $said"; exit 1; }
    [ "$said" = "sum 500500, of the first ten 55" ] || { echo "$1 gives '$said'"; exit 1; }
    echo "$1: $said"
    ran=$((ran + 1))
}
ls "$libdir"/libheddle.so >/dev/null 2>&1 || { echo "there is no shared library"; exit 77; }
if command -v rustc >/dev/null && rustc --version >/dev/null 2>&1; then
    rustc -D warnings "$examples/sum.rs" -L "$libdir" -o "$folder/rust"
    expect Rust "$folder/rust"
fi
if command -v gfortran >/dev/null; then
    gfortran -std=f2008 -Wall -Wextra -Werror -J "$folder" "$examples/sum.f90" -L"$libdir" -lheddle -o "$folder/fortran"
    expect Fortran "$folder/fortran"
fi
if command -v python3 >/dev/null; then expect Python python3 "$examples/sum.py" "$libdir/libheddle.so"; fi
[ $ran -gt 0 ] || { echo "none of rustc, gfortran and python3 is here"; exit 77; }
