# SPDX-License-Identifier: Apache-2.0
# A few runs that end well and badly, with the leak sanitizer looking on.
. "$(dirname "$0")/_lib.sh"
grep -qa __asan_init "$HEDDLE" || exit 77
export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=1"

io=$SOURCE/tests/io
npy_u8 0 2 >offsets.npy
exits 0 "" "$HEDDLE" reduce "$io/fortran_be.npy" --op argmax --axis 0
exits 6 "cannot create" "$HEDDLE" scan "$io/dims8.npy" --op argmax -o y.npy --values-out no/v.npy
exits 6 "too early" "$HEDDLE" scan - --dtype f32 --shape 4 -o y.npy
exits 0 "" "$HEDDLE" tour scan --elements 100
exits 2 "segments" "$HEDDLE" scan "$io/le_f4.npy" --segments offsets.npy --verify
finish
