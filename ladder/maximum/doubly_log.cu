// Valiant 1975: groups of 2, 2, 4, 16, 256, ...: each of g has g^2 threads by then and compares all
// its pairs in one step, which leaves its winner. Costs: log log n rounds, in each n comparisons.
extern "C" __global__ void begin(int *lost, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) lost[i] = 0;
}

// All pairs within each group of `group` candidates; candidate k is who[k], or k in the first round.
extern "C" __global__ void compare(const int *x, const int *who, int *lost, int count, int group,
                                   int first)
{
    const long long pair = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long i = pair / group, j = i / group * group + pair % group;
    if (i >= count || j >= count || i == j) return;
    const int a = x[first ? i : who[i]], b = x[first ? j : who[j]];
    if (a < b || (a == b && i > j)) atomicOr(&lost[i], 1);
}

extern "C" __global__ void choose(const int *who, const int *lost, int *winners, int count,
                                  int group, int first)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && !lost[i]) winners[i / group] = first ? i : who[i];
}
