// Cashiers count piles of money; each reads the total on the board, adds its pile and writes it back.
// Wrong: piles of those who read the same total are lost but for the last one's.
extern "C" __global__ void serve(const int *piles, int *board, int *taken, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int total = board[0];
    board[0] = total + piles[i];
    taken[i] = 0;
}
