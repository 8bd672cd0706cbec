// A passenger takes a seat only if it is still free in the same step: compare and swap.
// Costs: those who come too late look on for another one.
extern "C" __global__ void serve(const int *wishes, int *board, int *taken, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < n; k++) {
        const int seat = (wishes[i] + k) % n;
        if (atomicCAS(&taken[seat], 0, 1) != 0) continue;
        atomicAdd(&board[0], 1);
        return;
    }
}
