# SPDX-License-Identifier: Apache-2.0
# heddle model over CUDA C: names and types of parameters from the source, macros, includes, the
# examples as their help and comments have them. Skipped where there is no compiler.
. "$(dirname "$0")/../_lib.sh"

echo '__global__ void k() {}' >probe.cu
"$HEDDLE" model probe.cu >/dev/null 2>&1
case $? in
0) ;;
4) echo "no compiler of CUDA C is here" && exit 77 ;;
*) fail "probe.cu: $("$HEDDLE" model probe.cu 2>&1)" ;;
esac

mkdir include
echo '#define STEP 2' >include/step.h
cat >k.cu <<'END'
#include "step.h"
struct pair { int a; float b; };
__global__ void first(const float *__restrict__ in, /* a comment, (with) brackets */ float *out,
                      unsigned int n, double scale, pair p);
__global__ void first(const float *__restrict__ in, float *out, unsigned int n, double scale, pair p)
{
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x; // "first(int x)"
    if (t < n) out[t] = in[t] * (float)scale + p.a + STEP * MACRO;
}
template <typename T> __global__ void generic(T *x, T value) { x[threadIdx.x] = value; }
template __global__ void generic<int>(int *x, int value);
template __global__ void generic<float>(float *x, float value);
extern "C" __global__ __launch_bounds__(64) void plain(int *x, unsigned char bytes[], long long many)
{
    x[threadIdx.x] = bytes[threadIdx.x] + (int)many;
}
END
with="-I include -D MACRO=10"
exits 0 "" "$HEDDLE" model k.cu $with
grep -q "^first(const float \*__restrict__ in, float \*out, unsigned int n, double scale, pair p)" stdout.txt ||
    fail "first: $(cat stdout.txt)"
grep -q "^generic<int>(T \*x, T value)$" stdout.txt || fail "generic: $(cat stdout.txt)"
grep -q "^plain(int \*x, unsigned char\[\] bytes, long long many)$" stdout.txt || fail "plain: $(cat stdout.txt)"

# Types come from the source; in * 0.5 + 7 + 20.
exits 0 "" "$HEDDLE" model k.cu first $with --arg in=range:40 --arg out=empty:40 --arg n=40 --arg scale=0.5 \
    --arg p=bytes:0700000000000000 --grid 2 --out out=y.npy --compare in=range:40
equal "the sum" "$((39 * 40 / 4 + 27 * 40)).0" "$("$HEDDLE" reduce y.npy)"
exits 0 "" "$HEDDLE" model k.cu plain $with --arg x=empty:32 --arg bytes=range:32 --arg many=-5 \
    --compare x=list:-5,-4,-3,-2,-1,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26
exits 2 "more than one kernel 'generic'; there are" "$HEDDLE" model k.cu generic $with
exits 0 "" "$HEDDLE" model k.cu "generic<int>" $with --arg x=i32:empty:32 --arg value=i32:9 --compare x=fill=9:32
exits 0 "" "$HEDDLE" model k.cu plain $with --debug --fmad --arch 80 --arg x=zeros:32 --arg bytes=range:32 --arg many=0
exits 2 "the kernel takes f32 there, not i32" "$HEDDLE" model k.cu first $with --arg in=i32:range:40
exits 2 "more than its launch bounds" "$HEDDLE" model k.cu plain $with --block 65 --arg x=zeros:65 --arg bytes=range:65 --arg many=0
exits 3 "k.cu" "$HEDDLE" model k.cu -I include
exits 3 "step.h" "$HEDDLE" model k.cu -D MACRO=1

# Lines of the source, in the text and the document.
exits 5 "" "$HEDDLE" model k.cu plain $with --arg x=zeros:31 --arg bytes=range:32 --arg many=0
grep -q "k.cu:15  x\[threadIdx.x\] = bytes" stdout.txt || fail "the line: $(cat stdout.txt)"
exits 5 "" "$HEDDLE" model k.cu plain $with --arg x=zeros:31 --arg bytes=range:32 --arg many=0 --json
grep -q '"line": 15' stdout.txt || fail "the line in the document"

# The examples.
cp "$SOURCE"/examples/*.cu .
exits 0 "" "$HEDDLE" model transpose.cu transpose_tiled --grid 2,2 --block 32,32 --arg in=range:64x64 \
    --arg out=empty:64x64 --arg n=64 --html report.html --out out=t.npy
grep -q "4,096 wavefronts for 128 requests" stdout.txt || fail "tiled: $(cat stdout.txt)"
grep -q "tile\[i\]\[j\]" report.html || fail "the page has no source"
"$HEDDLE" transpose t.npy -o back.npy
for way in naive padded; do
    exits 0 "" "$HEDDLE" model transpose.cu transpose_$way --grid 2,2 --block 32,32 --arg in=@back.npy \
        --arg out=empty:64x64 --arg n=64 --compare out=t.npy
done
"$HEDDLE" model increment.cu racy --grid 2 --block 1 --arg counter=zeros:1 --explore 100 >out.txt
case $? in
1 | 5) ;;
*) fail "increment: $(cat out.txt)" ;;
esac
grep -q "^4 orders of loads and stores at counter\[0\]" out.txt || fail "increment: $(cat out.txt)"
exits 0 "" "$HEDDLE" model increment.cu repaired --grid 2 --block 1 --arg counter=zeros:1 --explore 100 --compare counter=2

# The help's own example, from the top of the tree.
mkdir examples
cp "$SOURCE"/examples/transpose.cu examples
"$HEDDLE" help model | sed -n '/^  heddle model/,/report.html$/p' >example.sh
PATH=$(dirname "$HEDDLE"):$PATH bash -e example.sh >out.txt 2>&1 || fail "the help's example: $(cat out.txt)"
[ -s report.html ] || fail "the help's example wrote no page"
finish
