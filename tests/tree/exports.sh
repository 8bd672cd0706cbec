#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The shared libraries export the names of their public headers and no others, all with the version
# of the interface, beside those that libheddle and libheddle_model have for each other; they carry
# their sonames, and the static ones define no global name outside hd_.
set -eu
[ -e "$BUILD/libheddle.so" ] || { echo "no shared library in this build"; exit 77; }
failed=0

# Only names of the API: hd_ and not the internal hd__. Before 1.0 the interface is that of a minor
# version.
number() { sed -n "s/^#define HD_VERSION_$1 *//p" "$SOURCE/include/heddle.h"; }
interface=$(number MAJOR)
[ "$interface" -gt 0 ] || interface=0.$(number MINOR)

# Everything that HD_API declares in headers.
declared() {
    grep -ohE '^HD_API [^(]*\bhd_[a-z_0-9]+ *\(' "$@" | grep -oE 'hd_[a-z_0-9]+ *\($' | tr -d ' ('
}

# check LIBRARY "PRIVATE NAMES" "DECLARED NAMES"
check() {
    local library=$BUILD/lib$1.so versioned unversioned exported others private data name globals
    versioned=$(nm -D --defined-only "$library" | awk '$2 != "A" {print $3}')
    private=$(sed -n "s/@@HEDDLE_${interface}_PRIVATE$//p" <<<"$versioned" | sort | xargs)
    [ "$private" = "$2" ] || { echo "lib$1: private: $private; expected $2"; failed=1; }
    versioned=$(grep -v "@@HEDDLE_${interface}_PRIVATE$" <<<"$versioned" || true)
    unversioned=$(grep -v "@@HEDDLE_$interface$" <<<"$versioned" || true)
    [ -z "$unversioned" ] || { echo "without the version HEDDLE_$interface:" $unversioned; failed=1; }
    exported=${versioned//@@HEDDLE_$interface/}
    others=$(grep -v '^hd_[a-z]' <<<"$exported" || true)
    [ -z "$others" ] || { echo "exported, but not of the API:" $others; failed=1; }
    data=$(nm -D --defined-only "$library" | awk '$2 ~ /[BDRV]/ {print $3}')
    [ -z "$data" ] || { echo "data, of which programs would have copies:" $data; failed=1; }
    for name in $3; do
        grep -qx "$name" <<<"$exported" || { echo "declared, but not exported: $name"; failed=1; }
    done
    for name in $exported; do
        grep -qw "$name" <<<"$3" || { echo "exported, but not declared: $name"; failed=1; }
    done
    readelf -d "$library" | grep -qF "[lib$1.so.$interface]" || { echo "lib$1: wrong soname"; failed=1; }
    globals=$(nm --defined-only --extern-only "$BUILD/lib$1.a" | awk 'NF == 3 {print $3}' | sort -u)
    others=$(grep -v '^hd_' <<<"$globals" || true)
    [ -z "$others" ] || { echo "global in lib$1.a, but not hd_:" $others; failed=1; }
}

# Those over MPI are another library's.
all=$(declared "$SOURCE"/include/*.h "$SOURCE"/include/heddle/*.h "$SOURCE"/include/heddle/*/*.h)
check heddle "hd__digest_of hd__fail hd__gpu_precompiled_kernels hd__keep_image hd__kept_image \
hd__on_new_thread hd__read_options hd__trusted_env hd__was_forked" "$(grep -vE '^hd_(mpi|model)_' <<<"$all")"
check heddle_model hd__gpu_driver_model "$(declared "$SOURCE/include/heddle_model.h")"
exit $failed
