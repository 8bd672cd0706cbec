// Each block sorts its bins, one bit after the other, each time zeros before ones; then it counts runs.
// Costs: five splits a tile, whatever the values are; one atomic a run, and no line at any of them.
#define WARPS (BLOCK / 32)

extern "C" __global__ void histogram(const int *in, unsigned int *bins, int n)
{
    __shared__ int key[BLOCK], zeros_of[WARPS], begin[BINS + 1];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    for (int tile = blockIdx.x * BLOCK; tile < n; tile += gridDim.x * BLOCK) {
        int k = tile + t < n ? in[tile + t] % BINS : BINS; // behind the end: a bin after the last
        for (int bit = 0; 1 << bit <= BINS; bit++) {
            const bool zero = (k >> bit & 1) == 0;
            const unsigned int zeros = __ballot_sync(0xffffffffu, zero);
            if (lane == 0) zeros_of[warp] = __popc(zeros);
            __syncthreads();
            int before = __popc(zeros & ((1u << lane) - 1)), all = 0;
            for (int w = 0; w < WARPS; w++) {
                if (w < warp) before += zeros_of[w];
                all += zeros_of[w];
            }
            key[zero ? before : all + t - before] = k;
            __syncthreads();
            k = key[t];
        }
        if (t == 0 || key[t - 1] != k) begin[k] = t;
        __syncthreads();
        const bool last = t == BLOCK - 1 || key[t + 1] != k;
        if (last && k < BINS) atomicAdd(&bins[k], (unsigned int)(t + 1 - begin[k]));
        __syncthreads(); // redundant: the next tile has one before it writes what is read here
    }
}
