// Every atomic operation, by n threads on one word.
// Costs: a place in line each; compare and swap may lose its place and try again.
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void do_add(const unsigned int *in, unsigned int *word, int n)
{
    if (THREAD < n) atomicAdd(word, in[THREAD]);
}

extern "C" __global__ void do_sub(const unsigned int *in, unsigned int *word, int n)
{
    if (THREAD < n) atomicSub(word, in[THREAD]);
}

// What was there goes to the second word: no value is lost, and none is there twice.
extern "C" __global__ void do_exch(const unsigned int *in, unsigned int *word, int n)
{
    if (THREAD < n) atomicAdd(word + 1, atomicExch(word, in[THREAD]));
}

extern "C" __global__ void do_min(const unsigned int *in, unsigned int *word, int n)
{
    if (THREAD < n) atomicMin(word, in[THREAD]);
}

extern "C" __global__ void do_max(const unsigned int *in, unsigned int *word, int n)
{
    if (THREAD < n) atomicMax(word, in[THREAD]);
}

// From 0 to 99 and round again.
extern "C" __global__ void do_inc(const unsigned int *in, unsigned int *word, int n)
{
    if (THREAD < n) atomicInc(word, 99u);
}

extern "C" __global__ void do_dec(const unsigned int *in, unsigned int *word, int n)
{
    if (THREAD < n) atomicDec(word, 99u);
}

// There is no atomic product: what is not there is made of compare and swap.
extern "C" __global__ void do_cas(const unsigned int *in, unsigned int *word, int n)
{
    if (THREAD >= n) return;
    const unsigned int factor = in[THREAD] | 1u;
    unsigned int seen = 0, now; // a guess to begin with
    while ((now = atomicCAS(word, seen, seen * factor)) != seen) seen = now;
}

extern "C" __global__ void do_and(const unsigned int *in, unsigned int *word, int n)
{
    if (THREAD < n) atomicAnd(word, in[THREAD] | 0xff00ff00u);
}

extern "C" __global__ void do_or(const unsigned int *in, unsigned int *word, int n)
{
    if (THREAD < n) atomicOr(word, in[THREAD] & 0x0ff00ff0u);
}

extern "C" __global__ void do_xor(const unsigned int *in, unsigned int *word, int n)
{
    if (THREAD < n) atomicXor(word, in[THREAD]);
}
