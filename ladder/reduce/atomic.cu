// One launch: each block adds its sum to the result with one atomic.
// Costs: as many atomics on one address as there are blocks, and the result must begin as 0.
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

extern "C" __global__ void reduce(const int *in, int *out, int n)
{
    __shared__ int x[32];
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
    sum = add_lanes(sum);
    if (t % 32 == 0) x[t / 32] = sum;
    __syncthreads();
    if (t >= 32) return;
    sum = add_lanes(t < BLOCK / 32 ? x[t] : 0);
    if (t == 0) atomicAdd(out, sum);
}
