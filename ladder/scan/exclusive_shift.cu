// An exclusive scan from the inclusive one: every thread loads its left neighbour's element.
// Costs: as Kogge-Stone with two buffers; the shift is free.
extern "C" __global__ void scan(const int *in, int *out, int n)
{
    __shared__ int x[2][BLOCK];
    const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    int from = 0;
    x[0][t] = t > 0 && i - 1 < n ? in[i - 1] : 0;
    for (int s = 1; s < BLOCK; s *= 2) {
        __syncthreads();
        x[1 - from][t] = x[from][t] + (t >= s ? x[from][t - s] : 0);
        from = 1 - from;
    }
    if (i < n) out[i] = x[from][t];
}
