// SPDX-License-Identifier: Apache-2.0
//
// Kernels of the lectures that are wrong as printed, each with the lines that the model must name.
// What the compiler refuses is in test_model_lectures.c. See races.cu for what the comments mean.
#define SECTION_SIZE 64

// The barriers are inside a loop that threads leave at different times, and `*` stands for `-`.
// run 1 64: barrier
extern "C" __global__ void scan_kernel_v1(int *X, int *Y)
{
    __shared__ int XY[SECTION_SIZE];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    XY[threadIdx.x] = X[i];
    for (unsigned stride = 1; stride <= threadIdx.x; stride *= 2) {
        __syncthreads(); //! barrier
        int in1 = XY[threadIdx.x * stride]; //! out of bounds
        __syncthreads(); //! barrier
        XY[threadIdx.x] += in1; //! race
    }
    Y[i] = XY[threadIdx.x];
}

// The `*` alone: a loop that all leave together.
// run 1 64: out of bounds
extern "C" __global__ void scan_times(int *X, int *Y)
{
    __shared__ int XY[SECTION_SIZE];
    XY[threadIdx.x] = X[threadIdx.x];
    for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
        __syncthreads();
        int in1 = stride <= threadIdx.x ? XY[threadIdx.x * stride] : 0; //! out of bounds
        __syncthreads();
        XY[threadIdx.x] += in1;
    }
    Y[threadIdx.x] = XY[threadIdx.x];
}

// run 1 64: nothing
extern "C" __global__ void scan_minus(int *X, int *Y)
{
    __shared__ int XY[SECTION_SIZE];
    XY[threadIdx.x] = X[threadIdx.x];
    for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
        __syncthreads();
        int in1 = stride <= threadIdx.x ? XY[threadIdx.x - stride] : 0;
        __syncthreads();
        XY[threadIdx.x] += in1;
    }
    Y[threadIdx.x] = XY[threadIdx.x];
}

// The barrier inside a divergent loop, alone.
// run 1 64: barrier
extern "C" __global__ void work_inefficient_scan_kernel(int *X, int *Y)
{
    __shared__ int XY[SECTION_SIZE];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    XY[threadIdx.x] = X[i];
    for (unsigned stride = 1; stride <= threadIdx.x; stride *= 2) {
        __syncthreads(); //! barrier
        int in1 = XY[threadIdx.x - stride];
        __syncthreads(); //! barrier
        XY[threadIdx.x] += in1;
    }
    __syncthreads(); //! barrier
    Y[i] = XY[threadIdx.x];
}

// Nothing between threads that count.
// run 4 64: race
extern "C" __global__ void hist(const int *d_vals, int *d_bins)
{
    const int id = blockDim.x * blockIdx.x + threadIdx.x;
    const int val = d_vals[id];
    const int bin = val % 16;
    d_bins[bin]++; //! race
}

// run 4 64: nothing
extern "C" __global__ void hist_corrected(const int *d_vals, int *d_bins)
{
    const int id = blockDim.x * blockIdx.x + threadIdx.x;
    atomicAdd(&d_bins[d_vals[id] % 16], 1);
}

// Letters are not taken from 'a' on, and every other character counts too: seven bins are overrun.
// run 2 64: out of bounds
extern "C" __global__ void histo_kernel(const unsigned char *buffer, unsigned *histo)
{
    __shared__ unsigned private_histo[7];
    const int size = 1000;
    if (threadIdx.x < 7) private_histo[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < size; i += blockDim.x * gridDim.x)
        atomicAdd(&private_histo[buffer[i] / 4], 1); //! out of bounds
    __syncthreads();
    if (threadIdx.x < 7) atomicAdd(&histo[threadIdx.x], private_histo[threadIdx.x]);
}

// run 2 64: nothing
extern "C" __global__ void histo_of_letters(const unsigned char *buffer, unsigned *histo)
{
    __shared__ unsigned private_histo[7];
    const int size = 1000;
    if (threadIdx.x < 7) private_histo[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < size; i += blockDim.x * gridDim.x) {
        const int letter = buffer[i] - 'a';
        if (letter >= 0 && letter < 26) atomicAdd(&private_histo[letter / 4], 1);
    }
    __syncthreads();
    if (threadIdx.x < 7) atomicAdd(&histo[threadIdx.x], private_histo[threadIdx.x]);
}

// The last warp "is by definition synchronized".
__device__ void warpReduce(volatile int *sdata, int tid)
{
    sdata[tid] += sdata[tid + 32]; //! race
    sdata[tid] += sdata[tid + 16]; //! race
    sdata[tid] += sdata[tid + 8]; //! race
    sdata[tid] += sdata[tid + 4]; //! race
    sdata[tid] += sdata[tid + 2]; //! race
    sdata[tid] += sdata[tid + 1]; //! race
}

// run 2 128: race
extern "C" __global__ void reduce4(int *g_idata, int *g_odata)
{
    __shared__ int sdata[128];
    const unsigned tid = threadIdx.x;
    sdata[tid] = g_idata[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid < 32) warpReduce(sdata, tid);
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

// run 2 128: nothing
extern "C" __global__ void reduce4_synchronised(int *g_idata, int *g_odata)
{
    __shared__ int sdata[128];
    const unsigned tid = threadIdx.x;
    sdata[tid] = g_idata[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        int sum = sdata[tid] + sdata[tid + 32];
        for (int s = 16; s > 0; s /= 2) {
            sdata[tid] = sum;
            __syncwarp();
            const int other = sdata[tid + s];
            __syncwarp(); // redundant: in the last round
            sum += other;
        }
        if (tid == 0) g_odata[blockIdx.x] = sum;
    }
}
