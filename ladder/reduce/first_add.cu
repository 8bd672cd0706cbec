// Each thread adds two elements on its way in, so half as many blocks run the tree.
// Costs: the last steps, in which one warp works and the block waits at barriers for it.
extern "C" __global__ void reduce(const int *in, int *out, int n)
{
    extern __shared__ int x[];
    const int t = threadIdx.x, i = blockIdx.x * 2 * blockDim.x + t;
    int sum = i < n ? in[i] : 0;
    if (i + blockDim.x < n) sum += in[i + blockDim.x];
    x[t] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s) x[t] = sum += x[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = sum;
}
