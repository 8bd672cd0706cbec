// A block loads its pixels and a border of R into shared memory once.
// Costs: (2 R + 1)^2 products a pixel are left, all from shared memory.
__constant__ float weights[2 * R + 1];

extern "C" __global__ void blur(const float *in, float *out, int n)
{
    __shared__ float tile[8 + 2 * R][32 + 2 * R];
    const int left = blockIdx.x * 32 - R, top = blockIdx.y * 8 - R;
    for (int j = threadIdx.y; j < 8 + 2 * R; j += 8)
        for (int i = threadIdx.x; i < 32 + 2 * R; i += 32)
            tile[j][i] = in[min(max(top + j, 0), n - 1) * n + min(max(left + i, 0), n - 1)];
    __syncthreads();
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= n || y >= n) return;
    float sum = 0;
    for (int j = 0; j <= 2 * R; j++)
        for (int i = 0; i <= 2 * R; i++)
            sum += tile[threadIdx.y + j][threadIdx.x + i] * (weights[j] * weights[i]);
    out[y * n + x] = sum;
}
