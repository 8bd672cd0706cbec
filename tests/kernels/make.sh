#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes the .ptx files of these folders from the .cu files beside them, with nvcc. The tests use
# what is committed: run it after a kernel was changed. Names of files lose their folders, and debug
# sections go, except for one that the parser is to meet. A line "// arch: sm_90" asks for more than
# sm_75.
set -eu
cd "$(dirname "$0")"
tidy() {
    sed -E -e '/^\/\//d' -e 's|(\.file[[:space:]]+[0-9]+ ").*/|\1|' |
        awk '/^[[:space:]]*\.section/ && !/debug_abbrev/ {skip = 1} !skip {print} skip && /^[[:space:]]*}/ {skip = 0}'
}
for file in arithmetic/*.cu execution/*.cu hazards/*.cu; do
    arch=$(sed -n 's|^// arch: ||p' "$file")
    nvcc -ptx -arch="${arch:-sm_75}" -lineinfo -O3 -fmad=false "$file" -o - | tidy >"${file%.cu}.ptx"
done
nvcc -ptx -arch=sm_75 -G -O0 -fmad=false execution/flow.cu -o - | tidy >execution/flow_debug.ptx
