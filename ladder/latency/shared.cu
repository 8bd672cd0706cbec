// The same in shared memory: the atomic is done in the multiprocessor itself.
// Costs: the way to shared memory and back.
extern "C" __global__ void chase(const int *next, int *out, int steps)
{
    __shared__ int near[NEAR * APART];
    for (int k = 0; k < NEAR * APART; k++) near[k] = next[k];
    int at = 0;
    for (int k = 0; k < steps; k++) at = atomicAdd(&near[at], 0);
    *out = at;
}
