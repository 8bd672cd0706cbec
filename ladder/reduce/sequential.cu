// The tree from its far end: thread t adds what lies s places on, so a warp's places are neighbours.
// Costs: half of the threads do nothing but load one element.
extern "C" __global__ void reduce(const int *in, int *out, int n)
{
    extern __shared__ int x[];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    x[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s) x[t] += x[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = x[0];
}
