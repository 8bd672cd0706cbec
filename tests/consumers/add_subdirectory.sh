#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# add_subdirectory(heddle): the library is built as part of a project, which it leaves as it was.
# One instruction set and no optimisation: the kernels are tested elsewhere. Both lie in a folder
# that scripts and rules of the build must quote. Most objects are those of the build that is
# tested, whose compiler and sources are the same; ./test --all compiles all of them.
. "$SOURCE/tests/consumers/_ways.sh"
odd="it's an odd folder ü"
mkdir -p "$odd/heddle" "$odd/tests"
cp -R "$SOURCE"/CMakeLists.txt "$SOURCE"/cmake "$SOURCE"/include "$SOURCE"/src "$odd/heddle/"
cp -R "$consumers" "$odd/tests/"
launcher=""
if [ -z "${HEDDLE_TEST_ALL-}" ] && grep -qx 'HEDDLE_SANITIZE:STRING=' "$BUILD/CMakeCache.txt" &&
    grep -qx 'HEDDLE_COVERAGE:BOOL=OFF' "$BUILD/CMakeCache.txt"; then
    launcher="bash;$consumers/_twin.sh"
fi
cd "$odd"
cmake -G Ninja -S tests/consumers/add_subdirectory -B build -DHEDDLE_SOURCE="$PWD/heddle" \
    -DHEDDLE_ISAS=first -DCMAKE_C_COMPILER_LAUNCHER="$launcher" >log || { cat log; exit 1; }
cmake --build build >log || { cat log; exit 1; }
libdir=build/heddle
for language in c cpp; do
    check build/${language}_shared shared
    check build/${language}_static static
done
