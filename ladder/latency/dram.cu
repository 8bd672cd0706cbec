// A chain of atomics on lines that no cache holds: each brings a line from DRAM.
// Costs: the way to DRAM and back, one after the other.
extern "C" __global__ void chase(int *next, int *out, int steps)
{
    int at = 0;
    for (int k = 0; k < steps; k++) at = atomicAdd(&next[at], 0);
    *out = at;
}
