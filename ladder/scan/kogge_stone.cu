// Kogge and Stone 1973, Hillis and Steele 1986: in step s thread t adds what lies s to the left;
// read, barrier, write, barrier. Costs: n log2 n - (n - 1) additions, and two barriers a step.
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
    if (i < n) out[i] = x[t];
}
