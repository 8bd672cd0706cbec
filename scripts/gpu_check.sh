#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# On a machine with a card: builds, runs the tests of the GPU backend on it, and times patterns
# against CUB and the card's peak bandwidth. What is missing there (OpenMP's flags, peers) is left
# out by the build.
#   scripts/gpu_check.sh [WHAT]...        default: test bench
#   calls       calls that no card has run yet: their tests on it, then their times
#   test        every test that runs on GPUs, on the card: one process a core
#   algorithms  what is built on the patterns, on the card
#   bits        the archive of bits, on the card
#   sanitize    compute-sanitizer over the library's kernels and the ladders'
#   ladders     every ladder on the card
#   bench       reduce, scan, map, slices; moves: what chooses and moves elements; orders: sorts, top
#               k, ranks, merges, windows; others: histograms, transposes, stencils, lists;
#               applications: what is built on the patterns, against cuSPARSE and NPP
#   auto        rates of this machine, and auto beside cpu and cuda on host arrays; ISAS=all, so that
#               the cores are as fast as they can be
#   tune, tune-moves, tune-orders: what tuning.def leaves open, a line a setting
# Nearly every case of a test is a kernel of its own and compiling takes the time, so tests run on
# all cores. BUILD names the build folder (default build-gpu), ISAS the instruction sets of the
# cores (default baseline), SIZES and CASES what is timed and tried, TESTS the tests if not all.
set -u
cd "$(dirname "$0")/.." || exit 1
build=${BUILD:-build-gpu}
sizes=${SIZES:-2^10,2^14,2^18,2^20,2^22,2^24,2^28}
failed=0
[ $# -gt 0 ] || set -- test bench

cmake -S . -B "$build" -G Ninja -DHEDDLE_TREE_TESTS=OFF "-DHEDDLE_ISAS=${ISAS:-baseline}" >"$build.log" 2>&1 ||
    { tail -20 "$build.log"; exit 1; }
# names_of FILE...: the tests in them. Mutants of kernels are for the model.
names_of() { printf '%s\n' "$@" | sed 's|.*/test_||; s|[.]c$||' | grep -v mutation; }
tests=${TESTS:-$(names_of tests/gpu/test_gpu*.c tests/gpu_patterns/test_*.c)}
# Sorts of rows and segments by a comparison and the first of segments, ranks, windows, maxima,
# lists of given heads, exact histograms, views with gaps, carries.
fresh=${TESTS:-gpu_merge_sort gpu_top_k gpu_nth gpu_slide gpu_sort_segments gpu_merge gpu_set gpu_maximum gpu_list
    gpu_histogram gpu_histogram_slices gpu_gaps gpu_filter gpu_exact gpu_map_many}
algorithms=$(names_of tests/algorithms/test_*.c)
targets="heddle_program $(printf 'test_%s ' $tests)"
case " $* " in *" algorithms "*) targets="$targets $(printf 'test_%s ' $algorithms)" ;; esac
case " $* " in *" sanitize "*) targets="$targets test_gpu test_gpu_slices test_gpu_select test_gpu_move test_gpu_scatter" ;; esac
# shellcheck disable=SC2086
ninja -C "$build" $targets >>"$build.log" 2>&1 || { grep -E "error|FAILED" "$build.log" | head -20; exit 1; }
ninja -C "$build" heddle-peers-on-device >>"$build.log" 2>&1 || echo "no peers on the device: see $build.log"
export HEDDLE_PEERS_DIR=$PWD/$build/peers

# A bench of the patterns on the card, one table.
bench() {
    "$build/heddle" bench "$@" --backend cuda --peers --no-peaks --time 0.3 2>&1 |
        grep -vE "^(Heddle|Peers|peer left out|$)"
}

# Microseconds of a pattern under a setting of HEDDLE_TUNE: $1 pattern, $2 setting, $3 operator, $4
# types.
tune() {
    HEDDLE_TUNE=$2 "$build/heddle" bench "$1" --backend cuda --no-peaks --time 0.15 --sizes "${TUNE_SIZES:-2^28}" \
        ${3:+--ops $3} --types "$4" 2>/dev/null | grep -E "2\^|[0-9] us" | sed "s/^/[$2] /"
}

# A test on the card: $1 its name, $2 a seed, $3 how many cases.
on_card() {
    HEDDLE_TEST_BACKEND=cuda HEDDLE_TEST_CASES=$3 HEDDLE_TEST_SEED=$2 timeout 280 "$build/tests/test_$1" \
        >"$build/card.$1.$2" 2>&1 || echo "test_$1: seed $2: exit code $?" >>"$build/card.$1.$2"
}
export -f on_card
export build

# Tests on all cores: lines "name seed cases".
all_on_card() {
    rm -f "$build"/card.*
    xargs -P "$(nproc)" -L 1 bash -c 'on_card "$@"' -
    grep -hE "FAILED|seed [0-9]+:" "$build"/card.* | head -30 && failed=1
    cat "$build"/card.* | sort | uniq -c | sort -rn | head -5
}

# A ladder's size: $2 if it is a side, else $3.
side() {
    case $1 in
    stencil | blur | transpose | convolution2d) echo "$2" ;;
    *) echo "$3" ;;
    esac
}
ladders=$("$build/heddle" ladder | grep -oE "^  [a-z0-9]+ ")

for what; do
    case $what in
    calls)
        "$build/heddle" doctor | grep -E "cuda|model"
        for test in $fresh; do echo "$test 1 10"; done >"$build/tests.on_card"
        all_on_card <"$build/tests.on_card"
        bench maximum --sizes 2^16,3000001,2^24
        bench histogram --sizes 3000001,2^26
        bench list --sizes 3000001,2^26
        bench sort_by top_k nth slide merge --sizes 2^20,3000001,2^26
        ;;
    test)
        "$build/heddle" doctor | grep -E "cuda|model"
        {
            for seed in $(seq "$(nproc)"); do echo "gpu $seed $((${CASES:-5000} / $(nproc) + 1))"; done
            for test in $tests; do
                case $test in
                gpu) ;;
                gpu_slices) for seed in 1 2 3 4; do echo "$test $seed 40"; done ;;
                gpu_select | gpu_move | gpu_scatter) for seed in 1 2 3 4; do echo "$test $seed 10"; done ;;
                *) echo "$test 1 10" ;;
                esac
            done
        } | grep -E "^($(echo $tests | tr ' ' '|')) " >"$build/tests.on_card"
        all_on_card <"$build/tests.on_card"
        ;;
    algorithms)
        for test in $algorithms; do echo "$test 1 10"; done >"$build/tests.on_card"
        all_on_card <"$build/tests.on_card"
        ;;
    bits) # the archive of bits
        cores=$(nproc)
        for part in $(seq "$cores"); do
            timeout 560 "$build/heddle" doctor --bits --backend cuda --part "$part/$cores" >"$build/card.bits.$part" 2>&1 ||
                echo "part $part: exit code $?" >>"$build/card.bits.$part" &
        done
        wait
        grep -h "^  [yn]" "$build"/card.bits.*
        grep -hE "^    |exit code" "$build"/card.bits.* | head -30 && failed=1
        ;;
    sanitize) # the library's kernels, and the ladders': wrong steps are named by their ladder
        for tool in memcheck racecheck initcheck; do
            for test in gpu gpu_slices gpu_select gpu_move gpu_scatter; do
                HEDDLE_TEST_BACKEND=cuda HEDDLE_TEST_CASES=8 timeout 280 compute-sanitizer --tool $tool \
                    "$build/tests/test_$test" >"$build/$tool.$test" 2>&1 &
            done
            for ladder in $ladders; do
                timeout 280 compute-sanitizer --tool $tool "$build/heddle" ladder "$ladder" --backend cuda \
                    --n "$(side "$ladder" 97 20011)" >"$build/$tool.ladder.$ladder" 2>&1 &
            done
            wait
            grep -HE "ERROR SUMMARY|RACECHECK SUMMARY|FAILED|Error:" "$build/$tool".* | sed "s|$build/||"
        done
        ;;
    ladders)
        for ladder in $ladders; do
            timeout 60 "$build/heddle" ladder "$ladder" --backend cuda
        done
        ;;
    bench)
        bench reduce --sizes "$sizes"
        bench scan --sizes "$sizes"
        bench map --sizes "$sizes"
        bench slices --sizes 2^28
        ;;
    auto) # rows in which auto takes more than 1.15 times the better one's time are shown again
        "$build/heddle" doctor --tune-auto || failed=1
        "$build/heddle" bench auto --no-peaks --time 0.3 ${AUTO_SIZES:+--sizes "$AUTO_SIZES"} --json "$build/auto.json" |
            tee "$build/auto.txt"
        [ "${PIPESTATUS[0]}" = 0 ] || failed=1
        awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^[0-9.]+x$/ && $i + 0 < 0.87) { bad = 1; print "slow:", $0 } }
             END { exit bad }' "$build/auto.txt" || failed=1
        ;;
    tune) # what tuning.def leaves open, at a large size: a line a setting, times in microseconds
        for way in "" "reduce_chunks=8" "reduce_chunks=4" "reduce_hint=2" "reduce_hint=4" "reduce_hint=8" \
            "reduce_threads=512" "reduce_threads=128" "reduce_rows=4"; do
            tune reduce "$way" sum i32,f32,f64
        done
        for way in "" "scan_hint=2" "scan_hint=4" "scan_hint=8" "scan_blocks=2" "scan_threads=256" \
            "scan_threads=1024 scan_rows=4 scan_blocks=1" "scan_rows=4"; do
            tune scan "$way" sum f32,f64
        done
        for way in "" "segment_hint=4" "segment_hint=8" "segment_items=2048 segment_blocks=16" "segment_blocks=9" "segment_blocks=8" \
            "segment_long_blocks=5" "segment_long=512" "segment_long=1073741824" "key_rows=8"; do
            tune slices "$way" "" f32
        done
        for way in "" "map_hint=2" "map_hint=4" "map_hint=8" "map_hint=8 map_threads=256 map_rows=4" \
            "map_hint=4 map_threads=512 map_rows=1" "map_hint=2 map_threads=256 map_rows=8"; do
            tune map "$way" "" f32
        done
        ;;
    moves)
        bench select --sizes "$sizes"
        bench runs --sizes "$sizes"
        bench gather --sizes "$sizes" --types i32
        bench scatter --sizes "$sizes" --types i32
        ;;
    orders)
        bench sort --sizes "$sizes"
        bench sort --sizes 2^26 --rows segments --each
        bench sort_by --sizes "$sizes"
        bench top_k --sizes "$sizes"
        bench nth --sizes "$sizes"
        bench merge --sizes "$sizes"
        bench search --sizes "$sizes"
        bench slide --sizes "$sizes"
        ;;
    others)
        bench histogram --sizes "$sizes"
        bench transpose zip --sizes "$sizes"
        bench stencil convolve blur --sizes "$sizes"
        bench list --sizes "$sizes"
        bench find difference shuffle --sizes "$sizes"
        ;;
    applications)
        bench algorithms --sizes "${SIZES:-2^22,2^24}"
        ;;
    tune-orders)
        for way in "" "sort_early=0" "sort_blocks=2" "sort_rows=20" "sort_threads=512 sort_rows=20 sort_blocks=2" \
            "sort_steps=4"; do
            tune sort "$way" "" u32
        done
        for way in "" "sort_segment_lanes=512" "sort_segment_items=1024" "sort_segment_medium=4096"; do
            TUNE_SIZES=2^26 tune sort "$way" "" u32
        done
        for way in "" "top_rows=4" "top_blocks=2" "top_threads=256 top_blocks=8" "top_hint=2"; do
            tune top_k "$way" "" f32
        done
        for way in "" "sort_together=1" "sort_rest=1073741824" "sort_wide_threads=512 sort_wide_rows=16"; do
            tune sort "$way" "" u64
        done
        for way in "" "merge_threads=256 merge_items=23" "merge_threads=64 merge_items=31"; do
            tune merge "$way" "" i32,f32
        done
        for way in "" "merge_sort_items=11" "merge_sort_items=19" "merge_sort_threads=128"; do
            tune sort_by "$way" "" i32
        done
        ;;
    tune-moves)
        for way in "" "select_blocks=2" "select_threads=256 select_blocks=6" "select_rows=4 select_blocks=4" \
            "select_threads=1024 select_rows=4 select_blocks=2"; do
            tune select "$way" compact i32
            tune runs "$way" "run lengths" i32
        done
        for way in "gather_rows=1" "gather_rows=2" "gather_rows=4" "gather_rows=16"; do
            tune gather "$way" "" i32
        done
        for way in "scatter_locality=0" "scatter_locality=2" "scatter_words=0" "scatter_bucket=16384" "scatter_bucket=32768" \
            "scatter_rows=2" "scatter_rows=4" "scatter_rows=16" "radix_threads=512" "radix_rows=8" "radix_threads=512 radix_rows=8"; do
            tune scatter "$way" scatter i32
        done
        ;;
    *) echo "unknown: $what"; failed=1 ;;
    esac
done
exit $failed
