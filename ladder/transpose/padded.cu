// The same with rows of 33 words: a column's words lie in 32 different banks.
// Costs: 128 bytes of shared memory. Nothing is left but to keep more loads under way.
extern "C" __global__ void transpose(const float *in, float *out, int n)
{
    __shared__ float tile[32][33];
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
