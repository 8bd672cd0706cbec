#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Inside a project that is optimised at link time the library's objects are ordinary ones: gcc would
# inline them into files whose flags contract multiply and add. Nor do the project's flags for
# floats reach the library: heddle.h would refuse them.
. "$SOURCE/tests/consumers/_ways.sh"
object=heddle/CMakeFiles/heddle_objects.dir/src/patterns/stencil/gaussian.c.o
for way in -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON "-DCMAKE_C_FLAGS=-flto -ffast-math" \
    "-DCMAKE_C_FLAGS=-O2 -fno-signed-zeros -ffp-contract=fast"; do
    cmake -G Ninja -S "$consumers/add_subdirectory" -B build -DHEDDLE_SOURCE="$SOURCE" \
        -DHEDDLE_ISAS=first -DHEDDLE_PRECOMPILED_KERNELS=OFF "$way" >log 2>&1 || { cat log; exit 1; }
    cmake --build build --target $object >log || { cat log; exit 1; }
    contract=$(ninja -C build -t commands $object | grep -o -- '-ffp-contract=[a-z]*' | tail -1)
    [ "$contract" = -ffp-contract=off ] || { echo "$way: ${contract:-no -ffp-contract}"; exit 1; }
    readelf -SW build/$object >sections
    grep -q '\.text' sections || { echo "$way: no code in $object"; exit 1; }
    ! grep -q 'gnu\.lto' sections || { echo "$way: optimised at link time"; exit 1; }
    rm -rf build
done
