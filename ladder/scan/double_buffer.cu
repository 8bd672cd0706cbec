// The same steps from one buffer to another and back: nobody writes where others read.
// Costs: twice the shared memory; one barrier a step is enough.
extern "C" __global__ void scan(const int *in, int *out, int n)
{
    __shared__ int x[2][BLOCK];
    const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    int from = 0;
    x[0][t] = i < n ? in[i] : 0;
    for (int s = 1; s < BLOCK; s *= 2) {
        __syncthreads();
        x[1 - from][t] = x[from][t] + (t >= s ? x[from][t - s] : 0);
        from = 1 - from;
    }
    if (i < n) out[i] = x[from][t];
}
