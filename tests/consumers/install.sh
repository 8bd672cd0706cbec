#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs the tree to one folder and moves it to another: nothing in it may name the first, and the
# program finds its kernels.
. "$SOURCE/tests/consumers/_ways.sh"
here=$PWD
rm -rf "$installed" "$installed.first"
cmake --install "$BUILD" --prefix "$installed.first" >log || { cat log; exit 1; }
if grep -rIl "$installed.first" "$installed.first"; then
    echo "these files name the folder of the installation"
    exit 1
fi
mv "$installed.first" "$installed"
cd "$installed"
find . -type f -o -type l | sort
for file in include/heddle.h include/heddle_operator.h bin/heddle share/man/man1/heddle.1 \
    share/man/man3/heddle.3; do
    [ -e $file ] || { echo "not installed: $file"; exit 1; }
done
bin/heddle --version

# The program finds the precompiled kernels of its own installation, wherever it was moved.
kernels=$(find . -name 'heddle-kernels-*.bin')
if [ -n "$kernels" ]; then
    unset HEDDLE_KERNELS
    bin/heddle doctor >"$here/doctor.txt" || true
    grep "precompiled kernels .* in .*/heddle/$(basename "$kernels")" "$here/doctor.txt" ||
        { cat "$here/doctor.txt"; echo "the installed kernels are not found"; exit 1; }
    chmod g+w "$kernels"
    bin/heddle doctor >"$here/doctor.txt" || true
    chmod g-w "$kernels"
    grep "precompiled kernels .*others may write to it" "$here/doctor.txt" ||
        { cat "$here/doctor.txt"; echo "kernels that others may write are used"; exit 1; }
fi
