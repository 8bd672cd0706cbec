// Each thread makes one pixel of the blurred image; image and weights come from global memory.
// Costs: two loads for each of the (2 R + 1)^2 products.
extern "C" __global__ void blur(const float *in, const float *weights, float *out, int n)
{
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= n || y >= n) return;
    float sum = 0;
    for (int j = -R; j <= R; j++)
        for (int i = -R; i <= R; i++) {
            const int row = min(max(y + j, 0), n - 1), column = min(max(x + i, 0), n - 1);
            sum += in[row * n + column] * (weights[j + R] * weights[i + R]);
        }
    out[y * n + x] = sum;
}
