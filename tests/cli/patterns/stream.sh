# SPDX-License-Identifier: Apache-2.0
# Chunk by chunk, at once, through a pipe, on every backend and number of threads: the same bits.
. "$(dirname "$0")/../_lib.sh"

# About two and a half chunks of noise: powers of an odd number, each xor those before it; their
# running mean makes floats of them.
yes abcdefg | head -c 2700003 >same.raw
"$HEDDLE" scan same.raw --dtype u8 --op product --out-type u64 -o powers.raw || fail powers
"$HEDDLE" scan powers.raw --dtype i64 --op xor -o noise.raw || fail noise
"$HEDDLE" scan noise.raw --dtype i64 --op mean --out-type f32 -o x.npy || fail floats
n=$(elements x.npy)
equal elements 2700003 "$n"

for op in sum product max argmin mean variance any; do
    whole=$("$HEDDLE" reduce x.npy --op $op --hex --axis 0)
    for how in "" "--backend serial" "--backend cpu --threads 1" "--threads 3"; do
        equal "$op $how" "$whole" "$("$HEDDLE" reduce x.npy --op $op --hex $how)"
    done
    equal "$op, piped" "$whole" "$(cat x.npy | "$HEDDLE" reduce - --op $op --hex)"
done
equal "sum to f64" "$("$HEDDLE" reduce x.npy --hex --out-type f64 --axis 0)" \
    "$("$HEDDLE" reduce x.npy --hex --out-type f64)"

for op in sum min argmax mean; do
    for more in "" "--exclusive"; do
        "$HEDDLE" scan x.npy --op $op $more --axis 0 -o whole.npy || fail "$op whole"
        "$HEDDLE" scan x.npy --op $op $more -o chunks.npy || fail "$op chunks"
        cmp whole.npy chunks.npy || fail "$op $more in chunks"
        cat x.npy | "$HEDDLE" scan - --op $op $more --threads 3 -o - >chunks.npy || fail "$op piped"
        cmp whole.npy chunks.npy || fail "$op $more piped"
    done
done
finish
