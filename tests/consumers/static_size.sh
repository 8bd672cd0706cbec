#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A static program has what it calls and no more: one that only sums is bounded in size and has no
# other pattern and no model machine.
. "$SOURCE/tests/consumers/_ways.sh"
most=4500000 # bytes, of a release build with three instruction sets
eval "libs=($(sed -n 's/^Libs.private://p' "$libdir/pkgconfig/heddle.pc"))"
build() { # program options...
    "$CC" -O2 -I"$installed/include" "$consumers/static_sum.c" "$libdir/libheddle.a" -o "$@" "${libs[@]}"
}
build sum
[ "$(./sum)" = 499500 ] || { echo "sum: $(./sum)"; exit 1; }
nm sum >names
for name in hd__cpu_sort hd__cpu_histogram hd__cpu_stencil hd__serial_sort hd__number_order \
    hd__gpu_partition; do
    ! grep -q " [Tt] $name\$" names || { echo "sum has $name"; exit 1; }
done
! grep -q ' [Tt] hd__gpu_driver_model$' names || { echo "sum has the model machine"; exit 1; }
# Others are larger, by what is not optimised and by checks.
grep -q '^CMAKE_BUILD_TYPE:.*=Release$' "$BUILD/CMakeCache.txt" || exit 0
! grep -q '_[at]san_\|__ubsan_' names || exit 0
strip -o stripped sum
bytes=$(wc -c <stripped)
echo "a static program that only sums: $bytes bytes"
[ "$bytes" -le $most ] || { echo "more than $most"; exit 1; }
