// Letters in seven bins of four letters each, a to d, e to h, and so on, large or small.
// Costs: an atomic a letter, and seven places for all of them.
extern "C" __global__ void letters(const unsigned char *text, unsigned int *bins, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int letter = (text[i] | 32) - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&bins[letter / 4], 1u);
}
