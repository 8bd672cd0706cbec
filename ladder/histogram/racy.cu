// Each thread reads a bin, adds one and writes it back.
// Wrong: two threads that read before either writes count one value, not two.
extern "C" __global__ void histogram(const int *in, unsigned int *bins, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) bins[in[i] % BINS]++;
}
