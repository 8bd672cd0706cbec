#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# add_subdirectory(heddle): the library is built as part of a project, which it leaves as it was.
# One instruction set and no optimisation: the kernels are tested elsewhere.
. "$SOURCE/tests/consumers/_ways.sh"
cmake -G Ninja -S "$consumers/add_subdirectory" -B build -DHEDDLE_SOURCE="$SOURCE" \
    -DHEDDLE_ISAS=first >log || { cat log; exit 1; }
cmake --build build >log || { cat log; exit 1; }
libdir=build/heddle
for language in c cpp; do
    check build/${language}_shared shared
    check build/${language}_static static
done
