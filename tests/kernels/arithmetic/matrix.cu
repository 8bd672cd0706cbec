// SPDX-License-Identifier: Apache-2.0
// arch: sm_80
//
// Products of matrices held by a warp. a is 16 x K, b is K x 8, both by rows; c and d are 16 x 8.
#include <cuda_fp16.h>

typedef unsigned int u32;

__device__ u32 shared_address(const void *p)
{
    return (u32)__cvta_generic_to_shared(p);
}

__device__ void put(float *d, const float *x)
{
    const int row = threadIdx.x / 4, column = threadIdx.x % 4 * 2;
    d[row * 8 + column] = x[0], d[row * 8 + column + 1] = x[1];
    d[(row + 8) * 8 + column] = x[2], d[(row + 8) * 8 + column + 1] = x[3];
}

__device__ void get(const float *c, float *x)
{
    const int row = threadIdx.x / 4, column = threadIdx.x % 4 * 2;
    x[0] = c[row * 8 + column], x[1] = c[row * 8 + column + 1];
    x[2] = c[(row + 8) * 8 + column], x[3] = c[(row + 8) * 8 + column + 1];
}

#define PRODUCT(type)                                                                              \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." type "." type ".f32 "                    \
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                           \
                 : "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3])                                  \
                 : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]))

// By ldmatrix, as libraries do it: rows of a, and b turned on its way.
template <bool brain> __device__ void tile(const unsigned short *a, const unsigned short *b,
                                           const float *c, float *d)
{
    __shared__ __align__(16) unsigned short sa[16 * 16], sb[16 * 8];
    const int t = threadIdx.x;
    u32 fa[4], fb[2];
    float x[4];
    for (int k = t; k < 256; k += 32) sa[k] = a[k];
    for (int k = t; k < 128; k += 32) sb[k] = b[k];
    __syncwarp();
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                 : "r"(shared_address(&sa[t % 16 * 16 + t / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(fb[0]), "=r"(fb[1])
                 : "r"(shared_address(&sb[t % 16 * 8])));
    get(c, x);
    if (brain)
        PRODUCT("bf16");
    else
        PRODUCT("f16");
    put(d, x);
}

extern "C" __global__ void of_f16(const unsigned short *a, const unsigned short *b, const float *c,
                                  float *d)
{
    tile<false>(a, b, c, d);
}

extern "C" __global__ void of_bf16(const unsigned short *a, const unsigned short *b, const float *c,
                                   float *d)
{
    tile<true>(a, b, c, d);
}

// Sums in f16, and only 8 deep.
extern "C" __global__ void to_f16(const unsigned short *a, const unsigned short *b, const float *c,
                                  float *d)
{
    const int row = threadIdx.x / 4, pair = threadIdx.x % 4 * 2;
    const u32 *a2 = (const u32 *)a;
    const u32 fa[2] = {a2[(row * 16 + pair) / 2], a2[((row + 8) * 16 + pair) / 2]};
    const u32 fb = b[pair * 8 + row] | (u32)b[(pair + 1) * 8 + row] << 16;
    float x[4];
    get(c, x);
    __half2 low = __floats2half2_rn(x[0], x[1]), high = __floats2half2_rn(x[2], x[3]);
    u32 l = *(u32 *)&low, h = *(u32 *)&high;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%0,%1};"
                 : "+r"(l), "+r"(h)
                 : "r"(fa[0]), "r"(fa[1]), "r"(fb));
    low = *(__half2 *)&l, high = *(__half2 *)&h;
    x[0] = __low2float(low), x[1] = __high2float(low);
    x[2] = __low2float(high), x[3] = __high2float(high);
    put(d, x);
}

extern "C" __global__ void of_tf32(const float *a, const float *b, const float *c, float *d)
{
    const int row = threadIdx.x / 4, column = threadIdx.x % 4;
    const u32 *ai = (const u32 *)a, *bi = (const u32 *)b;
    float x[4];
    get(c, x);
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3])
                 : "r"(ai[row * 8 + column]), "r"(ai[(row + 8) * 8 + column]),
                   "r"(ai[row * 8 + column + 4]), "r"(ai[(row + 8) * 8 + column + 4]),
                   "r"(bi[column * 8 + row]), "r"(bi[(column + 4) * 8 + row]));
    put(d, x);
}

// a is 16 x 32 by rows, b is 32 x 8 by columns; sums of whole numbers, as floats in the end.
extern "C" __global__ void of_s8(const signed char *a, const signed char *b, const float *c,
                                 float *d)
{
    const int row = threadIdx.x / 4, four = threadIdx.x % 4;
    const u32 *a4 = (const u32 *)a, *b4 = (const u32 *)b;
    float x[4];
    get(c, x);
    int s[4] = {(int)x[0], (int)x[1], (int)x[2], (int)x[3]};
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
                 : "r"(a4[row * 8 + four]), "r"(a4[(row + 8) * 8 + four]),
                   "r"(a4[row * 8 + four + 4]), "r"(a4[(row + 8) * 8 + four + 4]),
                   "r"(b4[row * 8 + four]), "r"(b4[row * 8 + four + 4]));
    for (int k = 0; k < 4; k++) x[k] = (float)s[k];
    put(d, x);
}

// 8 x 8 of f64, 4 deep.
extern "C" __global__ void of_f64(const double *a, const double *b, const double *c, double *d)
{
    const int row = threadIdx.x / 4, four = threadIdx.x % 4;
    double x = c[row * 8 + 2 * four], y = c[row * 8 + 2 * four + 1];
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(x), "+d"(y)
                 : "d"(a[row * 4 + four]), "d"(b[four * 8 + row]));
    d[row * 8 + 2 * four] = x, d[row * 8 + 2 * four + 1] = y;
}

// How they are run by themselves (tests/support/model_runs.h)
// run of_f16 1 32 xxxy: nothing
// run of_bf16 1 32 xxxy: nothing
