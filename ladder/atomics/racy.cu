// All threads count in one word: read it, add one, write it back.
// Wrong: whoever reads before another has written overwrites what that one counted.
extern "C" __global__ void count(unsigned int *counters, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) counters[0] = counters[0] + 1;
}
