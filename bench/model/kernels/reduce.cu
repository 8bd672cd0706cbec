// SPDX-License-Identifier: Apache-2.0
//
// Sums of blocks, from the first way of the lectures to shuffles and vectors. Blocks of any power
// of two; the shared memory is the launch's.
extern __shared__ int part[];

extern "C" __global__ void reduce_modulo(const int *x, int *sums)
{
    const int t = threadIdx.x;
    part[t] = x[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0) part[t] += part[t + stride];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

extern "C" __global__ void reduce_strided(const int *x, int *sums)
{
    const int t = threadIdx.x;
    part[t] = x[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        const int k = 2 * stride * t;
        if (k < blockDim.x) part[k] += part[k + stride];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

extern "C" __global__ void reduce_sequential(const int *x, int *sums)
{
    const int t = threadIdx.x;
    part[t] = x[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride) part[t] += part[t + stride];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

extern "C" __global__ void reduce_first_add(const int *x, int *sums)
{
    const int t = threadIdx.x, k = blockIdx.x * blockDim.x * 2 + t;
    part[t] = x[k] + x[k + blockDim.x];
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride) part[t] += part[t + stride];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

static __device__ int warp_sum(int v)
{
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    return v;
}

static __device__ int block_sum(int v)
{
    __shared__ int of_warp[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    v = warp_sum(v);
    if (lane == 0) of_warp[warp] = v;
    __syncthreads();
    if (warp == 0) v = warp_sum(lane < blockDim.x / 32 ? of_warp[lane] : 0);
    return v;
}

extern "C" __global__ void reduce_shuffle(const int *x, int n, int *sums)
{
    int v = 0;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)
        v += x[k];
    v = block_sum(v);
    if (threadIdx.x == 0) sums[blockIdx.x] = v;
}

extern "C" __global__ void reduce_vector(const int4 *x, int n, int *total)
{
    int v = 0;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
        const int4 four = x[k];
        v += four.x + four.y + four.z + four.w;
    }
    v = block_sum(v);
    if (threadIdx.x == 0) atomicAdd(total, v);
}

extern "C" __global__ void reduce_double(const double *x, double *sums)
{
    __shared__ double wide[256];
    const int t = threadIdx.x;
    wide[t] = x[blockIdx.x * 256 + t];
    __syncthreads();
    for (int stride = 128; stride > 0; stride /= 2) {
        if (t < stride) wide[t] += wide[t + stride];
        __syncthreads(); // redundant: in the last round
    }
    if (t == 0) sums[blockIdx.x] = wide[0];
}

// How they are run by themselves (tests/support/model_runs.h)
// run reduce_modulo 4 64 xyd: nothing
// run reduce_strided 4 64 xyd: nothing
// run reduce_sequential 4 64 xyd: nothing
// run reduce_first_add 4 64 xyd: nothing
// run reduce_shuffle 2 64 xny: nothing
// run reduce_vector 2 64 xny: nothing
// run reduce_double 2 256 xy: nothing
