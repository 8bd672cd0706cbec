// Kogge-Stone's steps with the barriers inside the part that only some threads run.
// Wrong: threads that have left the loop never come to the barrier the others wait at.
extern "C" __global__ void scan(const int *in, int *out, int n)
{
    __shared__ int x[BLOCK];
    const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    x[t] = i < n ? in[i] : 0;
    for (int s = 1; s <= t; s *= 2) {
        __syncthreads();
        const int other = x[t - s];
        __syncthreads();
        x[t] += other;
    }
    if (i < n) out[i] = x[t];
}
