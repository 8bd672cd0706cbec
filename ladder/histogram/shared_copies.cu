// Each block counts in a copy of its own in shared memory, and adds that to the result.
// Costs: shared atomics are near, but values that are alike still wait for each other.
extern "C" __global__ void histogram(const int *in, unsigned int *bins, int n)
{
    __shared__ unsigned int mine[BINS];
    const int threads = gridDim.x * blockDim.x;
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) mine[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        atomicAdd(&mine[in[i] % BINS], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        if (mine[b] > 0) atomicAdd(&bins[b], mine[b]);
}
