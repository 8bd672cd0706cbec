// First each thread finds the winner of SECTION neighbours one after the other; the few that are left
// go on as in the doubly logarithmic method. Costs: n comparisons in all, in log log n steps.
extern "C" __global__ void sections(const int *x, int *who, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x, first = t * SECTION;
    if (first >= n) return;
    int best = first;
    for (int i = first + 1; i < first + SECTION && i < n; i++)
        if (x[i] > x[best]) best = i;
    who[t] = best;
}

extern "C" __global__ void begin(int *lost, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) lost[i] = 0;
}

extern "C" __global__ void compare(const int *x, const int *who, int *lost, int count, int group)
{
    const long long pair = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long i = pair / group, j = i / group * group + pair % group;
    if (i >= count || j >= count || i == j) return;
    const int a = x[who[i]], b = x[who[j]];
    if (a < b || (a == b && i > j)) atomicOr(&lost[i], 1);
}

extern "C" __global__ void choose(const int *who, const int *lost, int *winners, int count,
                                  int group)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && !lost[i]) winners[i / group] = who[i];
}
