// One launch: the block that finishes last adds the sums of all blocks, in the order of the blocks.
// Costs: a fence and one atomic a block. Floats come out the same every time, which atomics' do not.
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
    const int t = threadIdx.x, width = gridDim.x * BLOCK, fours = n / 4;
    const int4 *in4 = (const int4 *)in;
    int sum = 0, i = blockIdx.x * BLOCK + t;
    for (; i + 3 * width < fours; i += 4 * width) {
        const int4 a = in4[i], b = in4[i + width], c = in4[i + 2 * width], d = in4[i + 3 * width];
        sum += (add_four(a) + add_four(b)) + (add_four(c) + add_four(d));
    }
    for (; i < fours; i += width) sum += add_four(in4[i]);
    i = 4 * fours + blockIdx.x * BLOCK + t;
    if (i < n) sum += in[i];
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
