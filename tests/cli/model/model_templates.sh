# SPDX-License-Identifier: Apache-2.0
# heddle model: kernels that are templates are listed with their parameters, run by the name of an
# instance, and told apart from files without kernels. Skipped where there is no compiler.
. "$(dirname "$0")/../_lib.sh"

json() {
    if command -v python3 >/dev/null; then
        python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1" || fail "$2: not JSON"
    fi
}

cat >k.cu <<'END'
#define KERNEL __global__
template <int N> __global__ void first(int *x)
{
    if (threadIdx.x < N) x[threadIdx.x] = N;
}
namespace inner {
template <typename T, int N = (4 > 3 ? 8 : 2)>
KERNEL void fill(T *x, T value)
{
    x[threadIdx.x % N] = value;
}
}
template <int N = 5> __global__ void given(int *x) { x[threadIdx.x] = N; }
template <int N> __device__ int no_kernel(int x) { return x * N; }
END
echo 'template <int N> __device__ int f(int x) { return x * N; }' >none.cu
echo '__global__ void k() {}' >probe.cu

tried=0
for compiler in nvrtc clang; do
    "$HEDDLE" model probe.cu --compiler $compiler >/dev/null 2>probe.txt
    [ $? = 4 ] && continue
    tried=$((tried + 1))
    run="$HEDDLE model k.cu --compiler $compiler"

    # The list, as text and as a document.
    exits 0 "" $run
    equal "$compiler: the list" "template <int N> first(int *x)
template <typename T, int N = (4 > 3 ? 8 : 2)> fill(T *x, T value)
template <int N = 5> given(int *x)
A template is run by the name of an instance, as in 'NAME<256>'." "$(cat stdout.txt)"
    exits 0 "" $run --json
    json stdout.txt templates
    grep -q '"declared": "template <int N> first(int \*x)"' stdout.txt || fail "$compiler: $(cat stdout.txt)"

    # An instance; its arguments may be expressions, and those with defaults may be left out.
    exits 0 "" $run 'first<20>' --arg x=zeros:32 --compare x=list:20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,0,0,0,0,0,0,0,0,0,0,0,0
    exits 0 "" $run 'first<2 * 16>' --arg x=zeros:32 --compare x=fill=32:32
    grep -q "^first<32> of k.cu" stdout.txt || fail "$compiler: $(cat stdout.txt)"
    exits 0 "" $run 'inner::fill<float>' --block 8 --arg f32:zeros:8 --arg f32:3 --compare f32:list:3,3,3,3,3,3,3,3
    exits 0 "" $run 'given<>' --arg x=zeros:32 --compare x=fill=5:32
    exits 0 "" $run given --arg x=zeros:32 --compare x=fill=5:32

    # What is missing, and what does not fit.
    exits 2 "'first' is a template, template <int N> first(int *x): name an instance, as in 'first<256>'" \
        $run first --arg x=zeros:32
    exits 2 "name an instance, as in 'fill<float>'" $run fill --arg x=zeros:32
    exits 3 "'first<float>' cannot be made of template <int N> first(int *x)" $run 'first<float>' --arg x=zeros:32
    exits 3 "'nope<3>': no kernel of that name is a template; there are: template <int N> first(int *x), " \
        $run 'nope<3>'
    exits 2 "no kernel 'nope'" $run nope
    exits 2 "none.cu: no kernel in it" "$HEDDLE" model none.cu --compiler $compiler
done
[ "$tried" = 0 ] && echo "no compiler of CUDA C is here" && exit 77
finish
