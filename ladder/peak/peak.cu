// Plain reads and copies of 16 bytes a lane, several under way: what memory gives at best.
// Costs: the bytes themselves. The sum is stored only if it is a number that it never is.
static __device__ int4 mix(int4 a, int4 b)
{
    return make_int4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w);
}

extern "C" __global__ void fill(int4 *out, long long n)
{
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
         i += (long long)gridDim.x * blockDim.x)
        out[i] = make_int4(i, i * 7, i * 13, ~i);
}

extern "C" __global__ void read(const int4 *in, int4 *out, long long n)
{
    const long long width = blockDim.x, step = ROWS * width;
    int4 sum = make_int4(0, 0, 0, 0);
    for (long long i = blockIdx.x * step + threadIdx.x; i < n; i += gridDim.x * step) {
        int4 x[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) x[r] = i + r * width < n ? __ldcs(in + i + r * width) : sum;
#pragma unroll
        for (int r = 0; r < ROWS; r++) sum = mix(sum, x[r]);
    }
    if (sum.x == 0x12345678 && sum.y == 0x1234567) *out = sum;
}

extern "C" __global__ void copy(const int4 *in, int4 *out, long long n)
{
    const long long width = blockDim.x, step = ROWS * width;
    for (long long i = blockIdx.x * step + threadIdx.x; i < n; i += gridDim.x * step) {
        int4 x[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (i + r * width < n) x[r] = __ldcs(in + i + r * width);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (i + r * width < n) __stcs(out + i + r * width, x[r]);
    }
}
