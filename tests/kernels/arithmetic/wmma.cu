// SPDX-License-Identifier: Apache-2.0
// arch: sm_80
//
// Products by CUDA's mma.h: a is M x K, b is K x N, rows (or columns) 40 elements apart; the sums begin with 1
// and go out as floats, by rows.
#include <mma.h>

using namespace nvcuda;

enum { APART = 40 };

template <int M, int N, int K, typename T, typename U, typename V, typename LA, typename LB>
__device__ void product(const U *a, const U *b, float *out)
{
    __shared__ V sums[M * N];
    wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, V> fc;
    wmma::fill_fragment(fc, V(1));
    wmma::load_matrix_sync(fa, a, APART);
    wmma::load_matrix_sync(fb, b, APART);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(sums, fc, N, wmma::mem_row_major);
    __syncwarp();
    for (int k = threadIdx.x; k < M * N; k += 32) out[k] = float(sums[k]);
}

typedef wmma::row_major by_rows;
typedef wmma::col_major by_columns;

extern "C" __global__ void wmma_f16(const half *a, const half *b, float *out)
{
    product<16, 16, 16, half, half, float, by_rows, by_rows>(a, b, out);
}

extern "C" __global__ void wmma_turned(const half *a, const half *b, float *out)
{
    product<16, 16, 16, half, half, float, by_columns, by_columns>(a, b, out);
}

extern "C" __global__ void wmma_tall(const half *a, const half *b, float *out)
{
    product<32, 8, 16, half, half, float, by_rows, by_rows>(a, b, out);
}

extern "C" __global__ void wmma_flat(const half *a, const half *b, float *out)
{
    product<8, 32, 16, half, half, float, by_rows, by_rows>(a, b, out);
}

extern "C" __global__ void wmma_half(const half *a, const half *b, float *out)
{
    product<16, 16, 16, half, half, half, by_rows, by_rows>(a, b, out);
}

extern "C" __global__ void wmma_bf16(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *out)
{
    product<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float, by_rows, by_rows>(a, b, out);
}

extern "C" __global__ void wmma_tf32(const float *a, const float *b, float *out)
{
    product<16, 16, 8, wmma::precision::tf32, float, float, by_rows, by_rows>(a, b, out);
}

extern "C" __global__ void wmma_s8(const signed char *a, const signed char *b, float *out)
{
    product<16, 16, 16, signed char, signed char, int, by_rows, by_rows>(a, b, out);
}

// How they are run by themselves (tests/support/model_runs.h)
// run wmma_f16 1 32 xxy: nothing
// run wmma_turned 1 32 xxy: nothing
// run wmma_tall 1 32 xxy: nothing
// run wmma_flat 1 32 xxy: nothing
// run wmma_half 1 32 xxy: nothing
// run wmma_bf16 1 32 xxy: nothing
// run wmma_tf32 1 32 xxy: nothing
// run wmma_s8 1 32 xxy: nothing
