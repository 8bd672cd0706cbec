// Passengers book seats: each looks for a free one from its wish on, and marks it as taken.
// Wrong: between the look and the mark others take the same seat.
extern "C" __global__ void serve(const int *wishes, int *board, int *taken, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < n; k++) {
        const int seat = (wishes[i] + k) % n;
        if (taken[seat] != 0) continue;
        taken[seat]++;
        board[0] = n;
        return;
    }
}
