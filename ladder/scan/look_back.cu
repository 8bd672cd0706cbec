// Decoupled look-back (Merrill and Garland 2016): in one launch a block takes a ticket, publishes
// its aggregate and adds up its predecessors'. Costs: every element moves twice, the least.
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

// A word of 64 bits holds a value and what it is, so that both are seen together.
#define SECTION_SUM 1ull // of one section
#define ALL_BEFORE  2ull // of it and all before it

static __device__ void say(unsigned long long *word, unsigned long long what, int value)
{
    atomicExch(word, what << 32 | (unsigned int)value);
}

// The sum of all sections before this one. Each lane looks at another section, 32 at a time.
static __device__ int look_back(unsigned long long *words, int section)
{
    const int lane = threadIdx.x % 32;
    int sum = 0;
    for (int last = section - 1; last >= 0; last -= 32) {
        const int mine = last - lane;
        unsigned long long word = ALL_BEFORE << 32; // before the first section there is nothing
        if (mine >= 0)
            do {
                word = atomicAdd(&words[mine], 0ull);
            } while (word == 0); // not said yet
        const unsigned int whole = __ballot_sync(0xffffffffu, word >> 32 == ALL_BEFORE);
        // The nearest section that knows all before it ends the way.
        const int end = whole == 0 ? 32 : __ffs(whole);
        int part = lane < end ? (int)(unsigned int)word : 0;
#pragma unroll
        for (int s = 16; s > 0; s /= 2) part += __shfl_xor_sync(0xffffffffu, part, s);
        sum += part;
        if (whole != 0) break;
    }
    return sum;
}

extern "C" __global__ void scan(const int *in, int *out, unsigned long long *words,
                                unsigned int *next_block, int n)
{
    __shared__ int sums[32], section, before;
    const int t = threadIdx.x, warp = t / 32;
    if (t == 0) section = atomicAdd(next_block, 1u);
    __syncthreads();
    const int i = section * BLOCK + t;
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
    if (warp == BLOCK / 32 - 1) {
        if (t == BLOCK - 1) say(&words[section], section > 0 ? SECTION_SUM : ALL_BEFORE, sum);
        const int all = look_back(words, section);
        if (t == BLOCK - 1) {
            before = all;
            if (section > 0) say(&words[section], ALL_BEFORE, all + sum);
        }
    }
    __syncthreads();
    if (i < n) out[i] = before + sum;
}
