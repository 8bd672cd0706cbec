// The threads' own bins are added over the warp by shuffles, over the block in shared memory.
// Costs: one atomic a bin and a block: the reduction does the rest.
extern "C" __global__ void histogram(const int *in, unsigned int *bins, int n)
{
    __shared__ unsigned int sums[BINS];
    unsigned int mine[BINS];
    const int threads = gridDim.x * blockDim.x;
    if (threadIdx.x < BINS) sums[threadIdx.x] = 0;
    for (int b = 0; b < BINS; b++) mine[b] = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        const int bin = in[i] % BINS;
#pragma unroll
        for (int b = 0; b < BINS; b++) mine[b] += b == bin;
    }
    __syncthreads();
#pragma unroll
    for (int b = 0; b < BINS; b++) {
        unsigned int sum = mine[b];
        for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
        if (threadIdx.x % 32 == 0) atomicAdd(&sums[b], sum);
    }
    __syncthreads();
    if (threadIdx.x < BINS) atomicAdd(&bins[threadIdx.x], sums[threadIdx.x]);
}
