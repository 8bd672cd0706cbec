// Once 64 values are left one warp adds them with no barrier at all, as if its lanes kept step.
// Wrong: nothing orders the lanes of a warp but __syncwarp, which the lecture's code lacks.
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
    if (t < 32) {
        volatile int *y = x;
        y[t] += y[t + 32];
        y[t] += y[t + 16];
        y[t] += y[t + 8];
        y[t] += y[t + 4];
        y[t] += y[t + 2];
        y[t] += y[t + 1];
    }
    if (t == 0) out[blockIdx.x] = x[0];
}
