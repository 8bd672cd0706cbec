// A block counts in shared memory and adds its sum once.
// Costs: the lanes still wait for each other, but near: about a hundredth of the way to DRAM.
extern "C" __global__ void count(unsigned int *counters, int n)
{
    __shared__ unsigned int mine;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) mine = 0;
    __syncthreads();
    if (i < n) atomicAdd(&mine, 1u);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&counters[0], mine);
}
