// SPDX-License-Identifier: Apache-2.0
//
// The transpose of a matrix three ways: stores 32 sectors apart; a tile of shared memory, whose
// columns lie on one bank; the same tile a column wider.
//
//     heddle model transpose.cu transpose_tiled --grid 2,2 --block 32,32
//         --arg in=range:64x64 --arg out=empty:64x64 --arg n=64 --html report.html

__global__ void transpose_naive(const float *in, float *out, int n)
{
    const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    out[column * n + row] = in[row * n + column];
}

__global__ void transpose_tiled(const float *in, float *out, int n)
{
    __shared__ float tile[32][32];
    const int i = threadIdx.x, j = threadIdx.y;
    tile[j][i] = in[(blockIdx.y * 32 + j) * n + blockIdx.x * 32 + i];
    __syncthreads();
    out[(blockIdx.x * 32 + j) * n + blockIdx.y * 32 + i] = tile[i][j];
}

__global__ void transpose_padded(const float *in, float *out, int n)
{
    __shared__ float tile[32][33];
    const int i = threadIdx.x, j = threadIdx.y;
    tile[j][i] = in[(blockIdx.y * 32 + j) * n + blockIdx.x * 32 + i];
    __syncthreads();
    out[(blockIdx.x * 32 + j) * n + blockIdx.y * 32 + i] = tile[i][j];
}
