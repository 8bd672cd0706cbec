#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# add_subdirectory(heddle): the library is built as part of a project, which it leaves as it was.
# One instruction set and no optimisation: the kernels are tested elsewhere. Both lie in a folder
# that scripts and rules of the build must quote.
. "$SOURCE/tests/consumers/_ways.sh"
odd="it's an odd folder ü"
mkdir -p "$odd/heddle" "$odd/tests"
cp -R "$SOURCE"/CMakeLists.txt "$SOURCE"/cmake "$SOURCE"/include "$SOURCE"/src "$odd/heddle/"
cp -R "$consumers" "$odd/tests/"
cd "$odd"
cmake -G Ninja -S tests/consumers/add_subdirectory -B build -DHEDDLE_SOURCE="$PWD/heddle" \
    -DHEDDLE_ISAS=first >log || { cat log; exit 1; }
cmake --build build >log || { cat log; exit 1; }
libdir=build/heddle
for language in c cpp; do
    check build/${language}_shared shared
    check build/${language}_static static
done
