#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The shared library exports the names of the public header and no others, all with the version of
# the interface, carries its soname, and the static library defines no global name outside hd_.
set -eu
library=$BUILD/libheddle.so
[ -e "$library" ] || { echo "no shared library in this build"; exit 77; }
failed=0

# Only names of the API: hd_ and not the internal hd__. Before 1.0 the interface is that of a minor
# version.
number() { sed -n "s/^#define HD_VERSION_$1 *//p" "$SOURCE/include/heddle.h"; }
interface=$(number MAJOR)
[ "$interface" -gt 0 ] || interface=0.$(number MINOR)
versioned=$(nm -D --defined-only "$library" | awk '$2 != "A" {print $3}')
unversioned=$(grep -v "@@HEDDLE_$interface" <<<"$versioned" || true)
[ -z "$unversioned" ] || { echo "without the version HEDDLE_$interface:" $unversioned; failed=1; }
exported=${versioned//@@HEDDLE_$interface/}
others=$(grep -v '^hd_[a-z]' <<<"$exported" || true)
[ -z "$others" ] || { echo "exported, but not of the API:" $others; failed=1; }

# Everything HD_API declares is there.
# Those over MPI are another library's.
declared=$(grep -ohE '^HD_API [^(]*\bhd_[a-z_0-9]+ *\(' "$SOURCE"/include/*.h "$SOURCE"/include/heddle/*.h "$SOURCE"/include/heddle/*/*.h |
    grep -oE 'hd_[a-z_0-9]+ *\($' | tr -d ' (' | grep -v '^hd_mpi_')
data=$(nm -D --defined-only "$library" | awk '$2 ~ /[BDRV]/ {print $3}')
[ -z "$data" ] || { echo "data, of which programs would have copies:" $data; failed=1; }
for name in $declared; do
    grep -qx "$name" <<<"$exported" || { echo "declared, but not exported: $name"; failed=1; }
done
for name in $exported; do
    grep -qw "$name" <<<"$declared" || { echo "exported, but not declared: $name"; failed=1; }
done

readelf -d "$library" | grep -qF "[libheddle.so.$interface]" || { echo "wrong soname"; failed=1; }

globals=$(nm --defined-only --extern-only "$BUILD/libheddle.a" | awk 'NF == 3 {print $3}' | sort -u)
others=$(grep -v '^hd_' <<<"$globals" || true)
[ -z "$others" ] || { echo "global in libheddle.a, but not hd_:" $others; failed=1; }
exit $failed
