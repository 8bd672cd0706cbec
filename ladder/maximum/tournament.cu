// A tree: in each round pairs play, and the winners go on. log2 n rounds, n - 1 comparisons.
// Costs: half of the threads leave after each round.
// One round: from[2 i] against from[2 i + 1]; of equal ones the first wins.
extern "C" __global__ void play(const int *x, const int *from, int *to, int count, int first)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i >= count) return;
    const int a = first ? 2 * i : from[2 * i];
    if (2 * i + 1 == count) {
        to[i] = a;
        return;
    }
    const int b = first ? 2 * i + 1 : from[2 * i + 1];
    to[i] = x[b] > x[a] ? b : a;
}
