// A block adds its elements by a tree in shared memory: thread t works where t is a multiple of 2s.
// Costs: in every warp a few lanes work and all wait, to the last step; modulo is slow as well.
extern "C" __global__ void reduce(const int *in, int *out, int n)
{
    extern __shared__ int x[];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    x[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        if (t % (2 * s) == 0) x[t] += x[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = x[0];
}
