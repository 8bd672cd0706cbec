// SPDX-License-Identifier: Apache-2.0
//
// Kernels of the kind that courses have, in one file with host code, as a student might hand it in: tiles, rows, groups,
// templates, structures, pointers to functions, recursion, virtual functions, lambdas. Never formatted.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <vector>
#include <iostream>
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

#define TILE 16
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(e)); exit(1);} } while (0)

__global__ void matmul_tiled(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < (N + TILE - 1) / TILE; ++t) {
        As[threadIdx.y][threadIdx.x] = (row < N && t * TILE + threadIdx.x < N) ? A[row * N + t * TILE + threadIdx.x] : 0.f;
        Bs[threadIdx.y][threadIdx.x] = (col < N && t * TILE + threadIdx.y < N) ? B[(t * TILE + threadIdx.y) * N + col] : 0.f;
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < TILE; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = sum;
}

__global__ void softmax_rows(const float *x, float *y, int n)
{
    extern __shared__ float buf[];
    const float *row = x + blockIdx.x * n;
    float m = -INFINITY;
    for (int i = threadIdx.x; i < n; i += blockDim.x) m = fmaxf(m, row[i]);
    buf[threadIdx.x] = m;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) buf[threadIdx.x] = fmaxf(buf[threadIdx.x], buf[threadIdx.x + s]);
        __syncthreads();
    }
    m = buf[0];
    __syncthreads();
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += expf(row[i] - m);
    buf[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) buf[threadIdx.x] += buf[threadIdx.x + s];
        __syncthreads();
    }
    sum = buf[0];
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[blockIdx.x * n + i] = expf(row[i] - m) / sum;
}

__inline__ __device__ float warpSum(float v)
{
    for (int o = warpSize / 2; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
    return v;
}
__inline__ __device__ float blockSum(float v)
{
    static __shared__ float shared[32];
    int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
    v = warpSum(v);
    __syncthreads();
    if (lane == 0) shared[wid] = v;
    __syncthreads();
    v = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
    if (wid == 0) v = warpSum(v);
    if (threadIdx.x == 0) shared[0] = v;
    __syncthreads();
    return shared[0];
}
__global__ void layernorm(const float *__restrict__ x, const float *__restrict__ g, const float *__restrict__ b, float *__restrict__ y, int n)
{
    const float *row = x + blockIdx.x * n;
    float s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s += row[i];
    float mean = blockSum(s) / n;
    s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) { float d = row[i] - mean; s += d * d; }
    float rstd = rsqrtf(blockSum(s) / n + 1e-5f);
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[blockIdx.x * n + i] = (row[i] - mean) * rstd * g[i] + b[i];
}

// one pass of radix sort, one block, 4 bits by split
__global__ void radix_pass(unsigned *keys, unsigned *out, int n, int shift)
{
    __shared__ unsigned count[16][256];
    __shared__ unsigned base[16];
    unsigned key = threadIdx.x < n ? keys[threadIdx.x] : 0xffffffffu;
    unsigned digit = (key >> shift) & 15;
    for (int d = 0; d < 16; d++) count[d][threadIdx.x] = digit == d;
    __syncthreads();
    for (int off = 1; off < blockDim.x; off <<= 1) {
        unsigned v[16];
        for (int d = 0; d < 16; d++) v[d] = threadIdx.x >= off ? count[d][threadIdx.x - off] : 0;
        __syncthreads();
        for (int d = 0; d < 16; d++) count[d][threadIdx.x] += v[d];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        unsigned run = 0;
        for (int d = 0; d < 16; d++) { base[d] = run; run += count[d][blockDim.x - 1]; }
    }
    __syncthreads();
    out[base[digit] + count[digit][threadIdx.x] - 1] = key;
}

// cooperative groups
__global__ void cg_reduce(const int *in, int *out, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    int v = 0;
    for (int i = blockIdx.x * blockDim.x + block.thread_rank(); i < n; i += gridDim.x * block.size()) v += in[i];
    v = cg::reduce(tile, v, cg::plus<int>());
    if (tile.thread_rank() == 0) atomicAdd(out, v);
    block.sync();
}
__global__ void cg_tiles(const int *in, int *out)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int v = in[block.thread_rank()];
    for (int o = tile.size() / 2; o > 0; o >>= 1) v += tile.shfl_xor(v, o);
    int any = tile.any(v > 100), all = tile.all(v > 100);
    unsigned bal = tile.ballot(in[block.thread_rank()] & 1);
    out[block.thread_rank()] = v * 1000 + any * 100 + all * 10 + __popc(bal) + tile.meta_group_rank() * 1000000;
}
__device__ int atomicAggInc(int *ctr)
{
    auto g = cg::coalesced_threads();
    int base;
    if (g.thread_rank() == 0) base = atomicAdd(ctr, g.size());
    return g.shfl(base, 0) + g.thread_rank();
}
__global__ void filter_pos(int *dst, int *nres, const int *src, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    if (src[i] > 0) dst[atomicAggInc(nres)] = src[i];
}

// templates and structs
template <typename T, int N> struct Vec {
    T v[N];
    __host__ __device__ T dot(const Vec &o) const { T s = 0; for (int i = 0; i < N; i++) s += v[i] * o.v[i]; return s; }
};
template <typename T, int N> __global__ void dots(const Vec<T, N> *a, const Vec<T, N> *b, T *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i].dot(b[i]);
}

__constant__ float filter[5] = {1, 2, 3, 2, 1};
__constant__ int offsets[] = {-2, -1, 0, 1, 2};
__global__ void conv1d(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int k = 0; k < 5; k++) {
        int j = i + offsets[k];
        if (j >= 0 && j < n) s += filter[k] * in[j];
    }
    out[i] = s;
}

// function pointers, virtual-free
typedef float (*op_t)(float, float);
__device__ float f_add(float a, float b) { return a + b; }
__device__ float f_mul(float a, float b) { return a * b; }
__device__ float f_max(float a, float b) { return a > b ? a : b; }
__device__ op_t table[3] = {f_add, f_mul, f_max};
__global__ void apply_ops(const float *a, const float *b, float *o, const int *which)
{
    int i = threadIdx.x;
    o[i] = table[which[i]](a[i], b[i]);
}

// recursion
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void fibs(int *out) { out[threadIdx.x] = fib(threadIdx.x % 12); }
__device__ void hanoi(int n, int a, int b, int c, int *moves) { if (n == 0) return; hanoi(n-1,a,c,b,moves); ++*moves; hanoi(n-1,c,b,a,moves); }
__global__ void hanois(int *out) { int m = 0; hanoi(threadIdx.x % 6, 0, 1, 2, &m); out[threadIdx.x] = m; }

// virtual functions
struct Shape { __device__ virtual float area() const = 0; __device__ virtual ~Shape() {} };
struct Square : Shape { float s; __device__ Square(float s) : s(s) {} __device__ float area() const override { return s * s; } };
struct Circle : Shape { float r; __device__ Circle(float r) : r(r) {} __device__ float area() const override { return 3.0f * r * r; } };
__global__ void areas(float *out)
{
    Square q(threadIdx.x); Circle c(threadIdx.x);
    const Shape *s = threadIdx.x & 1 ? (const Shape *)&q : (const Shape *)&c;
    out[threadIdx.x] = s->area();
}

// switch table
__global__ void interpret(const int *code, int *out, int n)
{
    int acc = threadIdx.x;
    for (int i = 0; i < n; i++) {
        switch ((code[i] + threadIdx.x) % 9) {
        case 0: acc += 3; break;
        case 1: acc *= 2; break;
        case 2: acc -= 7; break;
        case 3: acc ^= 0x55; break;
        case 4: acc = acc > 100 ? acc - 100 : acc + 1; break;
        case 5: acc <<= 1; break;
        case 6: acc = ~acc; break;
        case 7: acc += acc >> 3; break;
        default: acc = acc * acc % 1009; break;
        }
    }
    out[threadIdx.x] = acc;
}

// lambdas
template <class F> __device__ void for_each(int n, F f) { for (int i = threadIdx.x; i < n; i += blockDim.x) f(i); }
__global__ void with_lambda(float *x, int n, float a) { for_each(n, [=](int i) { x[i] = a * x[i] + i; }); }

// histogram privatized
__global__ void histo_private(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned h[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) h[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&h[data[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) if (h[b]) atomicAdd(&bins[b], h[b]);
}

// rgb to grey, u8
struct RGB { unsigned char r, g, b; };
__global__ void grey(const RGB *in, unsigned char *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    RGB p = in[y * w + x];
    out[y * w + x] = (unsigned char)((p.r * 21 + p.g * 72 + p.b * 7) / 100);
}
__global__ void invert(uchar3 *img, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) img[i] = make_uchar3(255 - img[i].x, 255 - img[i].y, 255 - img[i].z);
}

// multiple dynamic shared arrays in one
__global__ void carve(int *out, int n)
{
    extern __shared__ char raw[];
    int *a = (int *)raw; double *d = (double *)&a[n]; short *s = (short *)&d[n];
    int t = threadIdx.x;
    a[t] = t; d[t] = t * 0.5; s[t] = (short)(t * 3);
    __syncthreads();
    out[t] = a[n - 1 - t] + (int)d[n - 1 - t] + s[n - 1 - t];
}

// matrix-vector with double and atomicAdd on double
__global__ void dsum(const double *x, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = i < n ? x[i] : 0.0;
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
    if ((threadIdx.x & 31) == 0) atomicAdd(out, v);
}
__device__ double cas_add(double *a, double v)
{
    unsigned long long *p = (unsigned long long *)a, old = *p, was;
    do { was = old; old = atomicCAS(p, was, __double_as_longlong(v + __longlong_as_double(was))); } while (was != old);
    return __longlong_as_double(old);
}
__global__ void dsum_cas(const double *x, double *out, int n) { int i = threadIdx.x; if (i < n) cas_add(out, x[i]); }

// warp primitives
__global__ void prims(const int *x, int *out)
{
    int t = threadIdx.x, v = x[t];
    unsigned m = __match_any_sync(~0u, v);
    int pred; unsigned a = __match_all_sync(~0u, t / 32, &pred);
    out[t * 8 + 0] = m;
    out[t * 8 + 1] = a + pred;
    out[t * 8 + 2] = __reduce_add_sync(~0u, v);
    out[t * 8 + 3] = __reduce_max_sync(~0u, v);
    out[t * 8 + 4] = __ballot_sync(~0u, v & 1);
    out[t * 8 + 5] = __any_sync(~0u, v == 3) + 2 * __all_sync(~0u, v < 10);
    out[t * 8 + 6] = __shfl_up_sync(~0u, v, 3, 16) + __shfl_sync(~0u, v, t + 1, 8);
    out[t * 8 + 7] = __popc(v) + __clz(v) + __ffs(v) + __brev(v) % 97;
}
__global__ void counts(const int *x, int *out)
{
    int c = __syncthreads_count(x[threadIdx.x] > 5);
    int a = __syncthreads_and(x[threadIdx.x] >= 0), o = __syncthreads_or(x[threadIdx.x] == 63);
    out[threadIdx.x] = c * 100 + (a != 0) * 10 + (o != 0);
}
#include <assert.h>
__global__ void asserts(int *x) { assert(x[threadIdx.x] < 20); x[threadIdx.x]++; }
__global__ void traps(int *x) { if (x[threadIdx.x] == 7) __trap(); x[threadIdx.x]++; }
__device__ int counter = 41;
__device__ int arr[4] = {1, 2, 3};
__global__ void uses_global(int *out) { int k = atomicAdd(&counter, 1); out[threadIdx.x] = k + arr[threadIdx.x % 4]; }
__global__ void bitonic(int *a)
{
    extern __shared__ int s[];
    unsigned t = threadIdx.x; s[t] = a[t]; __syncthreads();
    for (unsigned k = 2; k <= blockDim.x; k <<= 1)
        for (unsigned j = k >> 1; j > 0; j >>= 1) {
            unsigned x = t ^ j;
            if (x > t) { bool up = (t & k) == 0; if ((s[t] > s[x]) == up) { int q = s[t]; s[t] = s[x]; s[x] = q; } }
            __syncthreads();
        }
    a[t] = s[t];
}
__launch_bounds__(128, 2) __global__ void gstride(float4 *p, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { float4 v = p[i]; v.x += v.y; v.z *= v.w; p[i] = v; } }
struct Params { int n; float scale; short k; double bias; float3 dir; };
__global__ void by_struct(Params p, float *out) { if (threadIdx.x < p.n) out[threadIdx.x] = p.scale * threadIdx.x + p.k + (float)p.bias + p.dir.y; }
int main(int argc, char **argv)
{
    std::vector<float> h(1024);
    float *d; CHECK(cudaMalloc(&d, 1024 * sizeof(float)));
    CHECK(cudaMemcpy(d, h.data(), 4096, cudaMemcpyHostToDevice));
    dim3 g(2, 2), b(TILE, TILE);
    matmul_tiled<<<g, b>>>(d, d, d, 32);
    Vec<int, 3> *pa = nullptr; int *o = nullptr;
    dots<int, 3><<<1, 32>>>(pa, pa, o, 10);
    cudaDeviceSynchronize();
    auto err = cudaGetLastError();
    std::cout << cudaGetErrorString(err) << std::endl;
    return 0;
}
