// Brent and Kung 1982: an upsweep of partial sums, then a downsweep: at most 2 (n - 1) additions.
// Costs: twice as many steps, few threads in the middle ones, and places 2s apart share banks.
extern "C" __global__ void scan(const int *in, int *out, int n)
{
    __shared__ int x[BLOCK];
    const int t = threadIdx.x, first = blockIdx.x * BLOCK, half = BLOCK / 2;
    x[t] = first + t < n ? in[first + t] : 0;
    x[t + half] = first + t + half < n ? in[first + t + half] : 0;
    for (int s = 1; s < BLOCK; s *= 2) {
        __syncthreads();
        const int at = (t + 1) * 2 * s - 1;
        if (at < BLOCK) x[at] += x[at - s];
    }
    for (int s = BLOCK / 4; s > 0; s /= 2) {
        __syncthreads();
        const int at = (t + 1) * 2 * s - 1;
        if (at + s < BLOCK) x[at + s] += x[at];
    }
    __syncthreads();
    if (first + t < n) out[first + t] = x[t];
    if (first + t + half < n) out[first + t + half] = x[t + half];
}
