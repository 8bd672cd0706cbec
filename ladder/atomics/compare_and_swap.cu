// The same by hand: read, and swap in the sum if the word is still what was read; else try again.
// Costs: every failure is another round trip. Any operation can be made atomic so.
extern "C" __global__ void count(unsigned int *counters, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned int seen = atomicAdd(&counters[0], 0u);
    for (;;) {
        const unsigned int found = atomicCAS(&counters[0], seen, seen + 1);
        if (found == seen) return;
        seen = found;
    }
}
