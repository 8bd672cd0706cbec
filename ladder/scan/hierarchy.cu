// All of the input: sections are scanned and their sums kept, the sums are scanned by one block, and
// each section adds what lies before it. Costs: three launches; every element moves four times.
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

// The inclusive scan of one value a thread. Calls may follow each other.
static __device__ int scan_block(int sum)
{
    __shared__ int sums[32];
    const int t = threadIdx.x, warp = t / 32;
    sum = scan_lanes(sum);
    if (t % 32 == 31) sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        const int all = scan_lanes(t < BLOCK / 32 ? sums[t] : 0);
        __syncwarp(); // redundant: a lane writes where it read itself
        sums[t] = all;
    }
    __syncthreads();
    if (warp > 0) sum += sums[warp - 1];
    __syncthreads(); // redundant: here other barriers are between two calls
    return sum;
}

extern "C" __global__ void scan_sections(const int *in, int *out, int *sums, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    const int sum = scan_block(i < n ? in[i] : 0);
    if (i < n) out[i] = sum;
    if (threadIdx.x == BLOCK - 1) sums[blockIdx.x] = sum;
}

extern "C" __global__ void scan_sums(int *sums, int n)
{
    __shared__ int before;
    if (threadIdx.x == 0) before = 0;
    __syncthreads(); // redundant: those of scan_block are before the next read
    for (int first = 0; first < n; first += BLOCK) {
        const int i = first + threadIdx.x;
        int sum = scan_block(i < n ? sums[i] : 0);
        sum += before;
        if (i < n) sums[i] = sum;
        __syncthreads();
        if (threadIdx.x == BLOCK - 1) before = sum;
        __syncthreads(); // redundant: likewise
    }
}

extern "C" __global__ void add_sums(int *out, const int *sums, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0) out[i] += sums[blockIdx.x - 1];
}
