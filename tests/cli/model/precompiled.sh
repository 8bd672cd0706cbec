# SPDX-License-Identifier: Apache-2.0
# CUDA's assembler takes the precompiled kernels: every eighth of them (a folder that is old
# has others as well), for an old and a new GPU.
. "$(dirname "$0")/../_lib.sh"
ptxas=$(command -v ptxas || true)
[ -n "$ptxas" ] || ptxas=/usr/local/cuda/bin/ptxas
[ -x "$ptxas" ] || { echo "no ptxas here"; exit 77; }
ls "$BUILD"/precompiled/*.ptx >files.txt 2>/dev/null || { echo "no kernels are precompiled"; exit 77; }
awk 'NR % 8 == 1' files.txt | head -13 >some.txt
while read -r file; do
    for arch in sm_75 sm_90; do
        "$ptxas" -arch=$arch "$file" -o image.cubin || fail "$file for $arch"
    done
done <some.txt
finish
