// Once 64 values are left one warp adds them alone, step by step written out, with __syncwarp.
// Costs: the loop above it still counts, compares and jumps.
extern "C" __global__ void reduce(const int *in, int *out, int n)
{
    extern __shared__ int x[];
    const int t = threadIdx.x, i = blockIdx.x * 2 * blockDim.x + t;
    int sum = i < n ? in[i] : 0;
    if (i + blockDim.x < n) sum += in[i + blockDim.x];
    x[t] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 32; s /= 2) {
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
