// Only the first half of the bins has a copy in shared memory; the others are counted globally.
// Costs: what falls into the other half; the way to go where the bins do not all fit.
#define NEAR (BINS / 2)
extern "C" __global__ void histogram(const int *in, unsigned int *bins, int n)
{
    __shared__ unsigned int mine[NEAR];
    const int threads = gridDim.x * blockDim.x;
    for (int b = threadIdx.x; b < NEAR; b += blockDim.x) mine[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        const int bin = in[i] % BINS;
        if (bin < NEAR)
            atomicAdd(&mine[bin], 1u);
        else
            atomicAdd(&bins[bin], 1u);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < NEAR; b += blockDim.x)
        if (mine[b] > 0) atomicAdd(&bins[b], mine[b]);
}
