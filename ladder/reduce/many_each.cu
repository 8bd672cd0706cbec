// A fixed number of threads; each adds many elements, a grid's width apart, before the tree begins.
// Costs: next to nothing but loads. What is left is how many loads are under way at once.
extern "C" __global__ void reduce(const int *in, int *out, int n)
{
    __shared__ int x[BLOCK];
    const int t = threadIdx.x;
    int sum = 0;
    for (int i = blockIdx.x * BLOCK + t; i < n; i += gridDim.x * BLOCK) sum += in[i];
    x[t] = sum;
    __syncthreads();
#pragma unroll
    for (int s = BLOCK / 2; s > 32; s /= 2) {
        if (t < s) x[t] = sum += x[t + s];
        __syncthreads();
    }
    if (t >= 32) return;
    sum += x[t + 32];
#pragma unroll
    for (int s = 16; s > 0; s /= 2) {
        __syncwarp();
        x[t] = sum;
        __syncwarp();
        sum += x[t + s];
    }
    if (t == 0) out[blockIdx.x] = sum;
}
