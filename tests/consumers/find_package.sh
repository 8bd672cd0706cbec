#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# find_package(heddle): heddle::heddle and heddle::static, for C and C++; heddle::model and
# heddle::model_static.
. "$SOURCE/tests/consumers/_ways.sh"
cmake -G Ninja -S "$consumers/find_package" -B build -DCMAKE_PREFIX_PATH="$installed" >log ||
    { cat log; exit 1; }
cmake --build build >log || { cat log; exit 1; }
for language in c cpp model; do
    check build/${language}_shared shared
    check build/${language}_static static
done
