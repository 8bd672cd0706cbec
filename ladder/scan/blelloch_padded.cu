// The same with one word left out after every 32, so that places 2s apart lie in different banks.
// Costs: an addition and a shift for each address.
static __device__ int padded(int i)
{
    return i + i / 32;
}

extern "C" __global__ void scan(const int *in, int *out, int n)
{
    __shared__ int x[BLOCK + BLOCK / 32];
    const int t = threadIdx.x, first = blockIdx.x * BLOCK, half = BLOCK / 2;
    x[padded(t)] = first + t < n ? in[first + t] : 0;
    x[padded(t + half)] = first + t + half < n ? in[first + t + half] : 0;
    for (int s = 1; s < BLOCK; s *= 2) {
        __syncthreads();
        const int at = (t + 1) * 2 * s - 1;
        if (at < BLOCK) x[padded(at)] += x[padded(at - s)];
    }
    __syncthreads(); // redundant: thread 0 itself wrote the root
    if (t == 0) x[padded(BLOCK - 1)] = 0;
    for (int s = half; s > 0; s /= 2) {
        __syncthreads();
        const int at = (t + 1) * 2 * s - 1;
        if (at < BLOCK) {
            const int left = x[padded(at - s)];
            x[padded(at - s)] = x[padded(at)];
            x[padded(at)] += left;
        }
    }
    __syncthreads();
    if (first + t < n) out[first + t] = x[padded(t)];
    if (first + t + half < n) out[first + t + half] = x[padded(t + half)];
}
