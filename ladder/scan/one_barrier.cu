// Kogge-Stone in one buffer with one barrier a step, where it takes two.
// Wrong: a thread may overwrite what its right neighbour has yet to read in this step.
extern "C" __global__ void scan(const int *in, int *out, int n)
{
    __shared__ int x[BLOCK];
    const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    x[t] = i < n ? in[i] : 0;
    for (int s = 1; s < BLOCK; s *= 2) {
        __syncthreads();
        if (t >= s) x[t] += x[t - s];
    }
    if (i < n) out[i] = x[t];
}
