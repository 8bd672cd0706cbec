// A tile of 32 x 32 turns over in shared memory, so that both reads and writes go along rows.
// Costs: a column of the tile lies in one bank: 32 lanes stand in line for it.
extern "C" __global__ void transpose(const float *in, float *out, int n)
{
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int k = threadIdx.y; k < 32; k += 8) {
        const int y = blockIdx.y * 32 + k;
        if (x < n && y < n) tile[k][threadIdx.x] = in[(long long)y * n + x];
    }
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    for (int k = threadIdx.y; k < 32; k += 8) {
        const int y = blockIdx.x * 32 + k;
        if (x < n && y < n) out[(long long)y * n + x] = tile[threadIdx.x][k];
    }
}
