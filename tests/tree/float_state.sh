#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every parallel region sets the floating-point state of its threads (HD__FLOAT_STATE), but for
# those that only move elements and count, whose number is below.
set -u
cd "$SOURCE" || exit 1
found=$(awk '
    FNR == 1 || /^ *#pragma omp parallel/ { if (open) print where }
    FNR == 1 { open = 0 }
    /^ *#pragma omp parallel/ { open = 8; where = FILENAME; next }
    open && /HD__FLOAT_STATE/ { open = 0 }
    open && --open == 0 { print where }
    END { if (open) print where }' $(find src -name '*.c' -o -name '*.h' -o -name '*.inc' | sort) |
    sort | uniq -c | awk '{ print $2, $1 }')
expected='src/cpu/list/list.c 7
src/cpu/list/maximum.c 2
src/cpu/list/pointer_jumping.c 7
src/cpu/move/transpose.c 2
src/cpu/move/transpose_square.c 1
src/cpu/move/zip.c 1
src/cpu/sort/key_index_pairs.c 2
src/cpu/sort/sort.c 1
src/gpu/runtime/pinned_buffers.c 2
src/model/exec/launch.c 1' # the last in the function it calls
diff <(echo "$expected") <(echo "$found") && exit 0
echo "parallel regions without HD__FLOAT_STATE: < allowed, > found"
exit 1
