#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs the tree to one folder and moves it to another: nothing in it may name the first.
. "$SOURCE/tests/consumers/_ways.sh"
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
