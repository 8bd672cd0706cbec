// The machine gives the number and sets itself further in one step.
// Costs: turns at the machine; each number is drawn once.
extern "C" __global__ void serve(const int *piles, int *board, int *taken, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int mine = atomicAdd(&board[0], 1);
    taken[mine]++;
}
