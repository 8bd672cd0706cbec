#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# On a machine with a card: builds, runs the tests of the GPU backend on it, and times map, reduce and scan
# against CUB and the card's limits. What is missing there (OpenMP's flags, peers) is left out by the build.
#   scripts/gpu_check.sh [test|sanitize|bench|tune]...        default: test bench
# BUILD names the build folder (default build-gpu), SIZES and CASES what is timed and tried.
set -u
cd "$(dirname "$0")/.." || exit 1
build=${BUILD:-build-gpu}
sizes=${SIZES:-2^10,2^14,2^18,2^20,2^22,2^24,2^28}
failed=0
[ $# -gt 0 ] || set -- test bench

cmake -S . -B "$build" -G Ninja -DHEDDLE_TREE_TESTS=OFF -DHEDDLE_ISAS=baseline >"$build.log" 2>&1 ||
    { tail -20 "$build.log"; exit 1; }
targets="heddle_program test_gpu test_reduce test_scan test_map test_elementwise"
ninja -C "$build" $targets >>"$build.log" 2>&1 || { grep -E "error|FAILED" "$build.log" | head -20; exit 1; }
ninja -C "$build" heddle-peers-on-device >>"$build.log" 2>&1 || echo "no peers on the device: see $build.log"
export HEDDLE_PEERS_DIR=$PWD/$build/peers

# A bench of the patterns on the card, one table.
bench() {
    "$build/heddle" bench "$@" --backend cuda --peers --no-limits --time 0.3 2>&1 |
        grep -vE "^(Heddle|Peers|peer left out|$)"
}

for what; do
    case $what in
    test)
        "$build/heddle" doctor | grep -E "cuda|model"
        HEDDLE_TEST_BACKEND=cuda HEDDLE_TEST_CASES=${CASES:-5000} "$build/tests/test_gpu" || failed=1
        # The patterns' own tests; what the card declines so far fails there, and is not looked at.
        for test in reduce scan elementwise; do
            HEDDLE_TEST_BACKEND=cuda HEDDLE_TEST_SMALL=1 timeout 200 "$build/tests/test_$test" |
                grep -v declined | grep FAILED && failed=1
        done
        ;;
    sanitize)
        for tool in memcheck racecheck; do
            HEDDLE_TEST_BACKEND=cuda HEDDLE_TEST_CASES=60 timeout 200 compute-sanitizer --tool $tool \
                "$build/tests/test_gpu" 2>&1 | tail -3
        done
        ;;
    bench)
        bench reduce --sizes "$sizes"
        bench scan --sizes "$sizes"
        bench map --sizes "$sizes"
        ;;
    tune) # the shapes a scan and a reduction may have, at a large size
        for shape in "256 8 4" "256 8 2" "512 8 2" "512 8 1" "512 4 2" "512 4 4" "256 4 4" "256 4 8" "128 8 8"; do
            set -- $shape
            export HEDDLE_TUNE="scan_threads=$1 scan_rows=$2 scan_blocks=$3"
            echo "scan: $HEDDLE_TUNE"
            bench scan --sizes 2^28 --types f32,i32 --ops sum | grep -vE "GB/s|place|exclusive"
        done
        for shape in "256 8 1" "256 8 2" "256 8 4" "512 8 1" "512 8 2" "512 4 2"; do
            set -- $shape
            export HEDDLE_TUNE="reduce_threads=$1 reduce_rows=$2 reduce_chunks=$3"
            echo "reduce: $HEDDLE_TUNE"
            bench reduce --sizes 2^28 --types f32,i32 --ops sum | grep -v "GB/s"
        done
        unset HEDDLE_TUNE
        ;;
    *) echo "unknown: $what"; failed=1 ;;
    esac
done
exit $failed
