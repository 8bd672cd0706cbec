// Each thread adds up all elements of its section from the first one to its own.
// Costs: n (n + 1) / 2 additions for n results: the parallel scan that does not care.
extern "C" __global__ void scan(const int *in, int *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int sum = 0;
    for (int k = blockIdx.x * blockDim.x; k <= i; k++) sum += in[k];
    out[i] = sum;
}
