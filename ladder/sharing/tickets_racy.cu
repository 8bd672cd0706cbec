// Customers draw numbers: each reads the next one from the machine and sets it one further.
// Wrong: several get the same number, and numbers are missing at the end.
extern "C" __global__ void serve(const int *piles, int *board, int *taken, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int mine = board[0];
    board[0] = mine + 1;
    taken[mine]++;
}
