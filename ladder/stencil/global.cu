// Each thread makes one point of the Laplacian of order 8: 25 loads from global memory.
// Costs: neighbours in x share lines; those in y and z come from caches, if they are still there.
extern "C" __global__ void laplacian(const float *in, float *out, int n)
{
    const int x = blockIdx.x * 32 + threadIdx.x + R, y = blockIdx.y * 8 + threadIdx.y + R;
    const int z = blockIdx.z + R, row = n, plane = n * n;
    if (x >= n - R || y >= n - R) return;
    const int at = z * plane + y * row + x;
    const float weight[R + 1] = {WEIGHTS};
    float sum = 3 * weight[0] * in[at];
#pragma unroll
    for (int k = 1; k <= R; k++)
        sum += weight[k] * (in[at - k] + in[at + k] + in[at - k * row] + in[at + k * row] +
                            in[at - k * plane] + in[at + k * plane]);
    out[at] = sum;
}
