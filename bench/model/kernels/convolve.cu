// SPDX-License-Identifier: Apache-2.0
//
// Convolutions in one and two dimensions; zeros beyond the border.
#define WIDE 9
#define HALF (WIDE / 2)

__constant__ float fixed[WIDE];

extern "C" __global__ void convolve_global(const float *x, const float *mask, float *y, int n)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < WIDE; j++) {
        const int at = k + j - HALF;
        if (at >= 0 && at < n) sum += x[at] * mask[j];
    }
    y[k] = sum;
}

extern "C" __global__ void convolve_constant(const float *x, float *y, int n)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < WIDE; j++) {
        const int at = k + j - HALF;
        if (at >= 0 && at < n) sum += x[at] * fixed[j];
    }
    y[k] = sum;
}

extern "C" __global__ void convolve_tiled(const float *x, float *y, int n)
{
    __shared__ float tile[256 + WIDE - 1];
    const int t = threadIdx.x, k = blockIdx.x * 256 + t;
    tile[t] = k >= HALF ? x[k - HALF] : 0;
    if (t < WIDE - 1) tile[256 + t] = k + 256 - HALF < n ? x[k + 256 - HALF] : 0;
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < WIDE; j++) sum += tile[t + j] * fixed[j];
    y[k] = sum;
}

// 5 x 5 over an image; blocks of 32 x 8.
__constant__ float square[25];

extern "C" __global__ void blur_global(const float *x, float *y, int width, int height)
{
    const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
    float sum = 0;
    for (int v = -2; v <= 2; v++)
        for (int u = -2; u <= 2; u++)
            if (i + u >= 0 && i + u < width && j + v >= 0 && j + v < height)
                sum += x[(j + v) * width + i + u] * square[(v + 2) * 5 + u + 2];
    y[j * width + i] = sum;
}

extern "C" __global__ void blur_tiled(const float *x, float *y, int width, int height)
{
    __shared__ float tile[12][36];
    const int i0 = blockIdx.x * 32 - 2, j0 = blockIdx.y * 8 - 2;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 12 * 36; k += 256) {
        const int i = i0 + k % 36, j = j0 + k / 36;
        tile[k / 36][k % 36] = i >= 0 && i < width && j >= 0 && j < height ? x[j * width + i] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int v = 0; v < 5; v++)
        for (int u = 0; u < 5; u++)
            sum += tile[threadIdx.y + v][threadIdx.x + u] * square[v * 5 + u];
    y[(j0 + 2 + threadIdx.y) * width + i0 + 2 + threadIdx.x] = sum;
}

// The star of five points.
extern "C" __global__ void cool(const float *x, float *y, int width, int height)
{
    const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
    if (i == 0 || j == 0 || i == width - 1 || j == height - 1) return;
    const float *at = &x[j * width + i];
    y[j * width + i] = at[0] + 0.2f * (at[-1] + at[1] + at[-width] + at[width] - 4 * at[0]);
}

// How they are run by themselves (tests/support/model_runs.h)
// run convolve_tiled 2 256 xyn: nothing
// run blur_tiled 2 32x8 xynn: nothing
