#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes the .ptx files of this folder from the .cu files, with nvcc. Both sides run what is
# committed: the model as it is, a GPU what ptxas makes of it. Names of files lose their folders.
set -eu
cd "$(dirname "$0")"
for file in *.cu; do
    nvcc -ptx -arch=sm_90 -lineinfo -O3 -fmad=false "$file" -o - |
        sed -E -e '/^\/\//d' -e 's|(\.file[[:space:]]+[0-9]+ ").*/|\1|' >"${file%.cu}.ptx"
done
