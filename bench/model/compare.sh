#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# compare.sh BUILD GPU.csv [TABLE]: runs a table (launches.txt) on the model and prints both
# sides. GPU.csv is what gpu.sh left; h200.csv beside this file is one of an H200, h200_atomics.csv
# that of TABLE atomics.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?compare.sh BUILD GPU.csv}
gpu=${2:-$here/h200.csv}
work=$(mktemp -d)
${CC:-cc} -std=c11 -O2 -I"$here/../../include" "$here/on_model.c" "$here/launches.c" "$build/libheddle_model.a" "$build/libheddle.a" \
    -o "$work/on_model" -lm -fopenmp -ldl -lpthread
table=$here/launches.txt
if [ "${3-}" = atomics ]; then
    table=$work/atomics.txt
    python3 "$here/tables.py" atomics >"$table"
fi
"$work/on_model" "$table" "$here/kernels" >"$work/model.csv"
python3 "$here/table.py" compare "$gpu" "$work/model.csv"
rm -r "$work"
