#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Complex and quaternion products on aarch64, cross-compiled by gcc and run by qemu, where both are
# here: for Armv8.3 and SVE gcc 11 to 15 would make fused FCMLA of them.
. "$SOURCE/tests/consumers/_ways.sh"
gcc=aarch64-linux-gnu-gcc
command -v $gcc >/dev/null && command -v qemu-aarch64 >/dev/null || { echo "not here"; exit 77; }
for flags in -O2 "-O2 -march=armv8.3-a" "-O3 -march=armv8.3-a" "-O3 -march=armv8.3-a -flto" \
    "-O3 -march=armv8.3-a+sve -ffp-contract=fast"; do
    echo "$gcc $flags"
    $gcc $flags -DTEXTS=these -I"$SOURCE/include" -static "$consumers/flags_loops.c" \
        "$consumers/flags_texts.c" -o loops
    qemu-aarch64 -cpu max ./loops
done
