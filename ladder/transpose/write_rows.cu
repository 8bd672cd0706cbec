// Thread (x, y) reads down columns and writes along rows.
// Costs: as many sectors the other way round; a cache can keep what reads bring too much of.
extern "C" __global__ void transpose(const float *in, float *out, int n)
{
    const int x = blockIdx.x * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8) {
        const int y = blockIdx.y * 32 + threadIdx.y + k;
        if (x < n && y < n) out[(long long)y * n + x] = in[(long long)x * n + y];
    }
}
