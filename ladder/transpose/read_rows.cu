// Thread (x, y) reads along rows and writes down columns.
// Costs: a warp's 32 writes go to 32 sectors, of which each gets 4 bytes of 32.
extern "C" __global__ void transpose(const float *in, float *out, int n)
{
    const int x = blockIdx.x * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8) {
        const int y = blockIdx.y * 32 + threadIdx.y + k;
        if (x < n && y < n) out[(long long)x * n + y] = in[(long long)y * n + x];
    }
}
