// Each cashier adds its pile to the board in one step that nobody can come between.
// Costs: they take turns at the board.
extern "C" __global__ void serve(const int *piles, int *board, int *taken, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&board[0], piles[i]);
    taken[i] = 0;
}
