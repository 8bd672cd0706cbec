// SPDX-License-Identifier: Apache-2.0
//
// Transposes of 32 x 32 tiles by 32 x 32 threads: one that writes columns, one by way of a tile in
// shared memory, one with a column more in it.
extern "C" __global__ void transpose_naive(const float *x, float *y, int n)
{
    const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    y[column * n + row] = x[row * n + column];
}

template <int WIDTH> __device__ void through_tile(const float *x, float *y, int n)
{
    __shared__ float tile[32][WIDTH];
    const int i = threadIdx.x, j = threadIdx.y;
    tile[j][i] = x[(blockIdx.y * 32 + j) * n + blockIdx.x * 32 + i];
    __syncthreads();
    y[(blockIdx.x * 32 + j) * n + blockIdx.y * 32 + i] = tile[i][j];
}

extern "C" __global__ void transpose_tiled(const float *x, float *y, int n)
{
    through_tile<32>(x, y, n);
}

extern "C" __global__ void transpose_padded(const float *x, float *y, int n)
{
    through_tile<33>(x, y, n);
}

// How they are run by themselves (tests/support/model_runs.h)
// run transpose_naive 2 32x32 xyn: nothing
// run transpose_tiled 2 32x32 xyn: nothing
// run transpose_padded 2 32x32 xyn: nothing
