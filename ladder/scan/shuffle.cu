// Warps scan in registers by shuffles, then one warp scans the warps' sums: one barrier for all.
// Costs: additions of Kogge-Stone within a warp, but shared memory holds one word a warp.
static __device__ int scan_lanes(int sum)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int s = 1; s < 32; s *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, sum, s);
        if (lane >= s) sum += other;
    }
    return sum;
}

extern "C" __global__ void scan(const int *in, int *out, int n)
{
    __shared__ int sums[32];
    const int t = threadIdx.x, warp = t / 32, i = blockIdx.x * BLOCK + t;
    int sum = scan_lanes(i < n ? in[i] : 0);
    if (t % 32 == 31) sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        const int all = scan_lanes(t < BLOCK / 32 ? sums[t] : 0);
        __syncwarp(); // redundant: a lane writes where it read itself
        sums[t] = all;
    }
    __syncthreads();
    if (warp > 0) sum += sums[warp - 1];
    if (i < n) out[i] = sum;
}
