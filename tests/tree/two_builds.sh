#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Two clones of the tree, one in a folder called heddle and one on a path that must be quoted (not
# with a quote in it, which pkg-config does not take), are built without a cache: the libraries and
# the program have the same bytes, and tests pass in both. Part of ./test --all.
set -eu
[ -n "${HEDDLE_TEST_ALL-}" ] || { echo "./test --all runs it"; exit 77; }
export CCACHE_DISABLE=1
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER
tests="library.(model_compilers|program|io_format)|cli.(help|sort|model|output)|consumer.*|"
tests+="tree.(exports|hardened|man|links|reproducible)"
first="$PWD/heddle" second="$PWD/the other ü"

# built FOLDER: clones the tree as it is now, builds and tests it there.
built() {
    mkdir -p "$1"
    (cd "$SOURCE" && git -c safe.directory="$SOURCE" ls-files -co --exclude-standard -z |
        tar -c --null -T -) | tar -x -C "$1"
    cd "$1"
    cmake --preset release -DHEDDLE_PEERS=OFF -DHEDDLE_PRECOMPILED_SUMS=ON -DCMAKE_C_COMPILER="$CC" \
        -DHEDDLE_TEST_KERNELS="$HEDDLE_CACHE_DIR" >log
    cmake --build build/release --target heddle_shared heddle_model_shared heddle_program \
        test_model_compilers test_program test_io_format >log || { cat log; exit 1; }
    ctest --test-dir build/release --output-on-failure -R "^($tests)\$" >log || { cat log; exit 1; }
}
(built "$first")
(built "$second")
failed=0
for file in heddle libheddle.so libheddle.a libheddle_model.so libheddle_model.a; do
    cmp "$first/build/release/$file" "$second/build/release/$file" || failed=1
    (cd "$first/build/release" && sha256sum "$file")
done
exit $failed
