// The padded tile without its barrier.
// Wrong: a warp reads columns that other warps may not have written yet.
extern "C" __global__ void transpose(const float *in, float *out, int n)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int k = threadIdx.y; k < 32; k += 8) {
        const int y = blockIdx.y * 32 + k;
        if (x < n && y < n) tile[k][threadIdx.x] = in[(long long)y * n + x];
    }
    x = blockIdx.y * 32 + threadIdx.x;
    for (int k = threadIdx.y; k < 32; k += 8) {
        const int y = blockIdx.x * 32 + k;
        if (x < n && y < n) out[(long long)y * n + x] = tile[threadIdx.x][k];
    }
}
