// The block's size is known to the compiler: all steps are written out, no loop is left.
// Costs: a block still lives for two elements a thread, and the tree is most of its life.
extern "C" __global__ void reduce(const int *in, int *out, int n)
{
    __shared__ int x[BLOCK];
    const int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
    const int first = i < n ? in[i] : 0, second = i + BLOCK < n ? in[i + BLOCK] : 0;
    int sum = first + second;
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
