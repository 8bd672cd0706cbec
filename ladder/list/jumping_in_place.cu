// The same in one pair of arrays, as the PRAM would do it in lockstep.
// Wrong: threads of a GPU keep no step; one reads a rank of before and a pointer of after.
extern "C" __global__ void begin(const int *next, int *to, int *ranks, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    to[i] = next[i];
    ranks[i] = next[i] == i ? 0 : 1;
}

extern "C" __global__ void jump(int *to, int *ranks, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int on = to[i];
    ranks[i] += ranks[on];
    to[i] = to[on];
}
