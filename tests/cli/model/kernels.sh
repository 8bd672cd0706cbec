# SPDX-License-Identifier: Apache-2.0
# Texts of kernels out and in again, changed; the calls of doctor --warm; on the model machine.
. "$(dirname "$0")/../_lib.sh"
export HEDDLE_PTXAS=none

printf '4\n1\n3\n2\n' >x.txt
"$HEDDLE" scan --backend model --dump-kernel k.cu x.txt >out.txt 2>err.txt
code=$?
if [ $code = 4 ]; then
    cat err.txt
    exit 77
fi
equal "a scan" 0 $code
equal "one kernel" 1 "$(grep -c '^// heddle kernel scan_tiles [0-9a-f]\{32\}$' k.cu)"
equal "as it was" "4 5 8 10" "$("$HEDDLE" scan --backend model --load-kernel k.cu x.txt | xargs)"
sed 's/(uint64_t)(a + b)/(a > b ? a : b)/' k.cu >changed.cu
cmp -s k.cu changed.cu && fail "nothing was changed: $(grep -n 'hd_combine' -A1 k.cu | head -3)"
equal "changed" "4 4 4 4" "$("$HEDDLE" scan --backend model --load-kernel changed.cu x.txt | xargs)"
"$HEDDLE" scan --backend model --load-kernel changed.cu --trace --exclusive x.txt 2>err.txt >/dev/null
grep -q "kernel scan_tiles is not in changed.cu" err.txt || fail "another kernel: $(cat err.txt)"
sed 's/(uint64_t)(a + b)/(uint64_t)(a ++ b)/' k.cu >wrong.cu
exits 3 "error" "$HEDDLE" scan --backend model --load-kernel wrong.cu x.txt
exits 2 "cannot be written to no/such/file" "$HEDDLE" scan --backend model --dump-kernel no/such/file x.txt
exits 2 "no/such/file cannot be read" "$HEDDLE" scan --backend model --load-kernel no/such/file x.txt
"$HEDDLE" doctor >doctor.txt
grep -q "precompiled kernels" doctor.txt || fail "doctor does not tell of precompiled kernels"
# All of them at once take long to compile: as the build did.
if grep -q "yes *precompiled kernels" doctor.txt; then
    HEDDLE_CACHE_DIR=$PWD/kept HEDDLE_MODEL_COMPILER=none "$HEDDLE" doctor --warm --backend model --dump-kernel all.cu >warm.txt 2>progress.txt ||
        fail "--warm: $(cat warm.txt progress.txt)"
    grep -q "^101 calls went well; their kernels are in $PWD/kept" warm.txt || fail "$(cat warm.txt)"
    grep -q "^161 of 161" progress.txt || fail "progress: $(cat progress.txt)"
    [ "$(grep -c '^// heddle kernel' all.cu)" -ge 92 ] || fail "$(grep -c '^// heddle kernel' all.cu) kernels"
fi
exits 4 "serial has no device" "$HEDDLE" doctor --warm --backend serial
finish
