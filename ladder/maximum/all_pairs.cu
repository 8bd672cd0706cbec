// Shiloach and Vishkin 1981: n^2 threads compare every pair in one step; who loses is crossed out.
// Costs: n^2 comparisons. Many threads cross out the same one with the same value: a common write.
extern "C" __global__ void begin(int *may_be, int *at, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) may_be[i] = 1;
    if (i == 0) *at = n;
}

extern "C" __global__ void compare(const int *x, int *may_be, int n)
{
    const long long pair = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (pair >= (long long)n * n) return;
    const int i = (int)(pair / n), j = (int)(pair % n);
    // of equal ones the first wins
    if (x[i] < x[j] || (x[i] == x[j] && i > j)) atomicAnd(&may_be[i], 0);
}

extern "C" __global__ void choose(const int *may_be, int *at, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && may_be[i]) *at = i;
}
