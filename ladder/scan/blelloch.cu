// Blelloch 1990: an upsweep; then from a 0 at the root each node gives its sum to the left and adds
// it to the right. Costs: an exclusive scan in 2 (n - 1) additions; the banks as in Brent-Kung.
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
    __syncthreads(); // redundant: thread 0 itself wrote the root
    if (t == 0) x[BLOCK - 1] = 0;
    for (int s = half; s > 0; s /= 2) {
        __syncthreads();
        const int at = (t + 1) * 2 * s - 1;
        if (at < BLOCK) {
            const int left = x[at - s];
            x[at - s] = x[at];
            x[at] += left;
        }
    }
    __syncthreads();
    if (first + t < n) out[first + t] = x[t];
    if (first + t + half < n) out[first + t + half] = x[t + half];
}
