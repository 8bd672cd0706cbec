// SPDX-License-Identifier: Apache-2.0
//
// Transposes of n x n words by blocks of 32 x 8.
extern "C" __global__ void transpose_read(const float *x, float *y, int n)
{
    const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) y[i * n + j + k] = x[(j + k) * n + i];
}

extern "C" __global__ void transpose_write(const float *x, float *y, int n)
{
    const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) y[(j + k) * n + i] = x[i * n + j + k];
}

extern "C" __global__ void transpose_tiled(const float *x, float *y, int n)
{
    __shared__ float tile[32][32];
    const int u = threadIdx.x, v = threadIdx.y, i = blockIdx.x * 32, j = blockIdx.y * 32;
    for (int k = 0; k < 32; k += 8) tile[v + k][u] = x[(j + v + k) * n + i + u];
    __syncthreads();
    for (int k = 0; k < 32; k += 8) y[(i + v + k) * n + j + u] = tile[u][v + k];
}

extern "C" __global__ void transpose_padded(const float *x, float *y, int n)
{
    __shared__ float tile[32][33];
    const int u = threadIdx.x, v = threadIdx.y, i = blockIdx.x * 32, j = blockIdx.y * 32;
    for (int k = 0; k < 32; k += 8) tile[v + k][u] = x[(j + v + k) * n + i + u];
    __syncthreads();
    for (int k = 0; k < 32; k += 8) y[(i + v + k) * n + j + u] = tile[u][v + k];
}

// Eight bytes an element, padded by one element.
extern "C" __global__ void transpose_double(const double *x, double *y, int n)
{
    __shared__ double tile[32][33];
    const int u = threadIdx.x, v = threadIdx.y, i = blockIdx.x * 32, j = blockIdx.y * 32;
    for (int k = 0; k < 32; k += 8) tile[v + k][u] = x[(j + v + k) * n + i + u];
    __syncthreads();
    for (int k = 0; k < 32; k += 8) y[(i + v + k) * n + j + u] = tile[u][v + k];
}

// How they are run by themselves (tests/support/model_runs.h)
// run transpose_tiled 2 32x8 xyn: nothing
// run transpose_padded 2 32x8 xyn: nothing
// run transpose_double 1 32x8 xyn: nothing
