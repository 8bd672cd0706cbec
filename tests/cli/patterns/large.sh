# SPDX-License-Identifier: Apache-2.0
# Inputs larger than memory: a limit on addresses stands for a small machine, and a file of holes
# for large data.
. "$(dirname "$0")/../_lib.sh"
sanitized && exit 77

size=$((1 << 30))
[ -n "${HEDDLE_TEST_HUGE:-}" ] && size=$((5 << 30))
truncate -s $size holes.raw || exit 77
bytes 7 | dd of=holes.raw bs=1 seek=$((size - 1)) conv=notrunc 2>/dev/null

(
    ulimit -v 600000
    equal "sum of a file" 7 "$("$HEDDLE" reduce holes.raw --dtype u8 --threads 2)"
    found=$("$HEDDLE" reduce - --dtype u8 --op argmax --threads 2 <holes.raw)
    equal "argmax of a pipe" "$((size - 1)) 7" "$found"
    "$HEDDLE" scan holes.raw --dtype u8 --out-type u8 --threads 2 -o - | tail -c 2 >last.raw
    equal "scan to a pipe" " 0 7" "$(od -An -td1 last.raw | tr -s ' ')"
    # What must be in memory at once, and cannot, is an error and not a crash.
    exits 6 "" "$HEDDLE" scan holes.raw --dtype u8 --backward -o back.npy
    [ -e back.npy ] && fail "a partial file"
    [ "$failures" = 0 ]
) || fail "with little memory"
finish
