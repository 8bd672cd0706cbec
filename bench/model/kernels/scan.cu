// SPDX-License-Identifier: Apache-2.0
//
// Prefix sums of blocks of 256.
extern "C" __global__ void scan_kogge_stone(const int *x, int *y)
{
    __shared__ int s[256];
    const int t = threadIdx.x, k = blockIdx.x * 256 + t;
    s[t] = x[k];
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        const int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
    }
    y[k] = s[t];
}

extern "C" __global__ void scan_two_buffers(const int *x, int *y)
{
    __shared__ int s[2][256];
    const int t = threadIdx.x, k = blockIdx.x * 256 + t;
    int from = 0;
    s[0][t] = x[k];
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
        from = 1 - from;
    }
    y[k] = s[from][t];
}

extern "C" __global__ void scan_blelloch(const int *x, int *y)
{
    __shared__ int s[512];
    const int t = threadIdx.x, k = blockIdx.x * 512;
    int offset = 1;
    s[2 * t] = x[k + 2 * t];
    s[2 * t + 1] = x[k + 2 * t + 1];
    for (int d = 256; d > 0; d /= 2) {
        __syncthreads(); // redundant: before the first round, of own elements
        if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) s[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        offset /= 2;
        __syncthreads(); // redundant: before the first round, of the one thread
        if (t < d) {
            const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, v = s[a];
            s[a] = s[b];
            s[b] += v;
        }
    }
    __syncthreads(); // redundant: the last round wrote own elements
    y[k + 2 * t] = s[2 * t];
    y[k + 2 * t + 1] = s[2 * t + 1];
}

extern "C" __global__ void scan_shuffle(const int *x, int *y)
{
    __shared__ int sums[8];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int k = blockIdx.x * 256 + threadIdx.x;
    int v = x[k];
    for (int d = 1; d < 32; d *= 2) {
        const int u = __shfl_up_sync(~0u, v, d);
        if (lane >= d) v += u;
    }
    if (lane == 31) sums[warp] = v;
    __syncthreads();
    int before = 0;
    for (int w = 0; w < 8; w++) before += w < warp ? sums[w] : 0;
    y[k] = v + before;
}

// How they are run by themselves (tests/support/model_runs.h)
// run scan_kogge_stone 2 256 xy: nothing
// run scan_two_buffers 2 256 xy: nothing
// run scan_blelloch 2 256 xy: nothing
// run scan_shuffle 2 256 xy: nothing
