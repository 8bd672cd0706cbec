#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gpu.sh FOLDER: the side of the GPU. Needs nvcc, ptxas, ncu and compute-sanitizer, and a GPU that
# lets ncu read its counters. Leaves in FOLDER
#     times.csv      seconds with cold caches, and a sum of every result
#     ncu.csv        counters, a row a launch of launches.txt in its order
#     gpu.csv        what of both is compared
#     probes.csv     counters of single requests (probes.txt), banks.csv those of tables.py banks
#     atomics.csv    what gpu.csv is, of tables.py atomics
#     sanitizer.txt  what compute-sanitizer says of launches.txt and wrong.txt
#     sass.txt.gz    the machine code
# SKIP="times ncu probes banks atomics sanitizer sass" leaves parts out.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?gpu.sh FOLDER}
work=$(mktemp -d)
skip=" ${SKIP-} "
arch=${ARCH-sm_90}
wanted() { [[ $skip != *" $1 "* ]]; }

nvcc -O2 -o "$work/on_gpu" "$here/on_gpu.c" "$here/launches.c" -lcuda || exit 1
for file in "$here"/kernels/*.ptx; do
    ptxas -arch=$arch -lineinfo "$file" -o "$work/$(basename "$file" .ptx).cubin" || exit 1
done
mkdir -p "$out"

if wanted times; then
    "$work/on_gpu" "$here/launches.txt" "$work" time >"$out/times.csv" || exit 1
fi

# Names differ between versions of ncu: those it does not know are left out.
ncu --query-metrics 2>/dev/null | awk '{print $1}' | sort -u >"$work/known"
grep -v '^#' "$here/metrics.txt" | while read -r name; do
    [[ $name == launch__* ]] || grep -qx "${name%%.*}" "$work/known" || {
        echo "unknown: $name" >&2
        continue
    }
    echo "$name"
done | paste -sd, >"$work/metrics"

# count TABLE FILE: the counters of every launch of a table.
count() {
    ncu --csv --page raw --print-units base --clock-control none --cache-control all \
        --metrics "$(cat "$work/metrics")" \
        "$work/on_gpu" "$1" "$work" once >"$work/ncu.txt" 2>"$work/ncu.err"
    grep -v '^==' "$work/ncu.txt" >"$out/$2"
    grep '^==' "$work/ncu.txt" | tail -2
    tail -3 "$work/ncu.err"
}
if wanted ncu; then count "$here/launches.txt" ncu.csv; fi
if wanted probes; then count "$here/probes.txt" probes.csv; fi
if wanted banks; then
    python3 "$here/tables.py" banks >"$work/banks.txt"
    count "$work/banks.txt" banks.csv
fi
if wanted atomics; then
    python3 "$here/tables.py" atomics >"$work/atomics.txt"
    "$work/on_gpu" "$work/atomics.txt" "$work" time >"$work/atomics.times" || exit 1
    count "$work/atomics.txt" ncu_atomics.csv
    python3 "$here/table.py" gather "$work/atomics.txt" "$out/ncu_atomics.csv" "$work/atomics.times" \
        >"$out/atomics.csv"
fi
if [ -e "$out/ncu.csv" ] && [ -e "$out/times.csv" ]; then
    python3 "$here/table.py" gather "$here/launches.txt" "$out/ncu.csv" "$out/times.csv" \
        >"$out/gpu.csv"
fi

if wanted sass; then
    for file in "$work"/*.cubin; do cuobjdump -sass "$file"; done | gzip >"$out/sass.txt.gz"
fi

if wanted sanitizer; then
    for tool in memcheck racecheck initcheck synccheck; do
        echo "== $tool launches.txt"
        timeout 100 compute-sanitizer --tool $tool --print-limit 20 \
            "$work/on_gpu" "$here/launches.txt" "$work" once 2>&1 | head -200
        for name in $(awk '!/^#/ {print $1}' "$here/wrong.txt"); do
            echo "== $tool $name"
            timeout 30 compute-sanitizer --tool $tool --print-limit 3 \
                "$work/on_gpu" "$here/wrong.txt" "$work" once "$name" 2>&1 | head -60
        done
    done >"$out/sanitizer.txt"
    grep -E '^== |ERROR SUMMARY|RACECHECK SUMMARY' "$out/sanitizer.txt" | paste - - | tail -40
fi
rm -r "$work"
