// Pointer jumping (Wyllie 1979): every node adds its successor's distance and then points to the
// successor's successor. Costs: ceil(log2 n) steps, but n log n work, all of it scattered.
extern "C" __global__ void begin(const int *next, int *to, int *ranks, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    to[i] = next[i];
    ranks[i] = next[i] == i ? 0 : 1;
}

// From one pair of arrays to the other: all threads read what was before the step.
extern "C" __global__ void jump(const int *to, const int *ranks, int *new_to, int *new_ranks, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int on = to[i];
    new_ranks[i] = ranks[i] + ranks[on];
    new_to[i] = to[on];
}
