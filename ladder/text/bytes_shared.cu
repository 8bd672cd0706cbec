// The 256 bins in shared memory first: a copy a block, a kilobyte each.
// Costs: a byte a load: a warp asks for 32 bytes at a time.
extern "C" __global__ void letters(const unsigned char *text, unsigned int *bins, int n)
{
    __shared__ unsigned int mine[256];
    const int threads = gridDim.x * blockDim.x;
    for (int b = threadIdx.x; b < 256; b += blockDim.x) mine[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        atomicAdd(&mine[text[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        if (mine[b] > 0) atomicAdd(&bins[b], mine[b]);
}
