# SPDX-License-Identifier: Apache-2.0
# Maps of large structures, such as the blocks of a recurrence, run in blocks of so few threads that
# a thread's structures fit its registers; where nvcc is here, it says that next to nothing is
# spilled (blocks of 512 bytes took 1,304 bytes of local memory a thread in blocks of 1,024).
. "$(dirname "$0")/../_lib.sh"
python3 - <<'PYTHON' || exit 77
import struct
header = "{'descr': '<f4', 'fortran_order': False, 'shape': (300,), }"
open("x.npy", "wb").write(b"\x93NUMPY\1\0\166\0" + header.ljust(117).encode() + b"\n" +
                          struct.pack("<300f", *(k % 7 for k in range(300))))
PYTHON
"$HEDDLE" recurrence x.npy -c 0.5 --backend model --dump-kernel k.cu -o y.npy || fail "recurrence: $?"
awk '/^\/\/ heddle kernel/ { file = sprintf("kernel%d.cu", n++); name = $4 }
     name == "map_elements" { print >file }' k.cu
large=$(grep -l "define HK_THREADS 128$" kernel*.cu) || fail "no map in smaller blocks"
grep -q "define HK_THREADS 1024$" kernel*.cu || fail "small elements are in large blocks"
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
for kernel in $([ -x "$nvcc" ] && echo "$large"); do
    "$nvcc" -arch=sm_90 --fmad=false -O3 -Xptxas -v -include stdint.h -cubin -o "$kernel.cubin" \
        "$kernel" >said.txt 2>&1 || fail "$kernel: $(head -5 said.txt)"
    spilled=$(grep -oE "[0-9]+ bytes spill stores" said.txt | sort -rn | head -1)
    [ "${spilled%% *}" -le 128 ] || fail "$kernel: $spilled"
done
finish
