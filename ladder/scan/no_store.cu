// Kogge-Stone as it should be, but nothing is stored at the end.
// Wrong: the results stay in shared memory, which is gone when the block ends.
extern "C" __global__ void scan(const int *in, int *out, int n)
{
    __shared__ int x[BLOCK];
    const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    x[t] = i < n ? in[i] : 0;
    for (int s = 1; s < BLOCK; s *= 2) {
        __syncthreads();
        const int other = t >= s ? x[t - s] : 0;
        __syncthreads();
        x[t] += other;
    }
}
