// The same, but a block reads eight stretches of memory that lie together, and no line is kept for later.
// Costs: the bytes themselves: DRAM opens a page once for many reads.
#define ROWS 8

static __device__ int add_lanes(int sum)
{
#pragma unroll
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    return sum;
}

static __device__ int add_four(int4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}

// The block's sum; thread 0 has it.
static __device__ int add_block(int sum)
{
    __shared__ int x[32];
    const int t = threadIdx.x;
    sum = add_lanes(sum);
    if (t % 32 == 0) x[t / 32] = sum;
    __syncthreads();
    sum = t < 32 ? add_lanes(t < BLOCK / 32 ? x[t] : 0) : 0;
    __syncthreads(); // x may be written again; redundant: here a barrier is between the two calls
    return sum;
}

__device__ unsigned int finished;

extern "C" __global__ void reduce(const int *in, int *sums, int *out, int n)
{
    __shared__ bool last;
    const int t = threadIdx.x, fours = n / 4;
    const int4 *in4 = (const int4 *)in;
    int sum = 0;
    for (int i = blockIdx.x * ROWS * BLOCK + t; i < fours; i += gridDim.x * ROWS * BLOCK) {
        int4 x[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            x[r] = i + r * BLOCK < fours ? __ldcs(in4 + i + r * BLOCK) : make_int4(0, 0, 0, 0);
#pragma unroll
        for (int r = 0; r < ROWS; r++) sum += add_four(x[r]);
    }
    if (blockIdx.x == 0 && 4 * fours + t < n) sum += in[4 * fours + t];
    sum = add_block(sum);
    if (t == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
        __threadfence(); // redundant: after an atomic the barrier does it too, as in CUDA's guide
    }
    __syncthreads();
    if (!last) return;
    sum = 0;
    for (int b = t; b < gridDim.x; b += BLOCK) sum += sums[b];
    sum = add_block(sum);
    if (t == 0) *out = sum;
}
