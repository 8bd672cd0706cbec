// SPDX-License-Identifier: Apache-2.0
//
// Atomics on few addresses: `red` drops what was there, `atom` uses it. Word k is `stride` words
// from word k - 1; a thread takes word (its number >> shift) & mask, `rounds` times. What ptxas
// cannot see to be one address it does not add up within the warp.
#define ARGUMENTS                                                                                  \
    int shift, int mask, int stride, unsigned lanes, int rounds
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#define PLACE  (((THREAD >> shift) & mask) * stride)
#define TAKES_PART (lanes >> (threadIdx.x & 31) & 1)

#define RED(name, type, call)                                                                      \
    extern "C" __global__ void name(type *w, ARGUMENTS)                                            \
    {                                                                                              \
        type *p = w + PLACE;                                                                       \
        if (TAKES_PART)                                                                            \
            for (int k = 0; k < rounds; k++) call;                                                 \
    }

// Nothing ever finds the number it is compared with.
#define ATOM(name, type, call)                                                                     \
    extern "C" __global__ void name(type *w, ARGUMENTS)                                            \
    {                                                                                              \
        type *p = w + PLACE;                                                                       \
        int found = 0;                                                                             \
        if (TAKES_PART)                                                                            \
            for (int k = 0; k < rounds; k++) found += (call) == (type)-77;                         \
        if (found > 0) w[0] = (type)5;                                                             \
    }

RED(red_i32, int, atomicAdd(p, 1 + k))
RED(red_max, int, atomicMax(p, (int)threadIdx.x))
RED(red_or, unsigned, atomicOr(p, threadIdx.x))
RED(red_u64, unsigned long long, atomicAdd(p, 1ull + k))
RED(red_f32, float, atomicAdd(p, 1.0f))
RED(red_f64, double, atomicAdd(p, 1.0))
ATOM(atom_i32, int, atomicAdd(p, 1 + k))
ATOM(atom_u64, unsigned long long, atomicAdd(p, 1ull + k))
ATOM(atom_f32, float, atomicAdd(p, 1.0f))
ATOM(atom_f64, double, atomicAdd(p, 1.0))
ATOM(atom_exch, int, atomicExch(p, (int)threadIdx.x))
ATOM(atom_inc, unsigned, atomicInc(p, 99u))
ATOM(atom_cas, int, atomicCAS(p, -1, (int)threadIdx.x)) // never equal: one try

// One address that ptxas sees: the warp adds up first, where the operation lets it.
extern "C" __global__ void same_i32(int *w)
{
    atomicAdd(w, 1);
}

extern "C" __global__ void same_u64(unsigned long long *w)
{
    atomicAdd(w, 1ull);
}

extern "C" __global__ void same_f32(float *w)
{
    atomicAdd(w, 1.0f);
}

extern "C" __global__ void same_ticket(int *w, int *y)
{
    y[THREAD] = atomicAdd(w, 1);
}

// Compare and swap until it succeeds.
extern "C" __global__ void cas_loop(int *w, ARGUMENTS)
{
    int *p = w + PLACE;
    if (!TAKES_PART) return;
    for (int k = 0; k < rounds; k++) {
        int seen = *p, was;
        do {
            was = seen;
            seen = atomicCAS(p, was, was + 1);
        } while (seen != was);
    }
}

#define SHARED(name, type, call)                                                                   \
    extern "C" __global__ void name(type *w, ARGUMENTS)                                            \
    {                                                                                              \
        __shared__ type s[1024];                                                                   \
        int found = 0;                                                                             \
        for (int k = threadIdx.x; k < 1024; k += blockDim.x) s[k] = (type)0;                       \
        __syncthreads();                                                                           \
        type *p = s + ((threadIdx.x >> shift) & mask) * stride;                                    \
        if (TAKES_PART)                                                                            \
            for (int k = 0; k < rounds; k++) call;                                                 \
        __syncthreads();                                                                           \
        if (threadIdx.x == 0) w[blockIdx.x] = s[0] + (type)(found > 0);                            \
    }

SHARED(shared_one, unsigned, atomicAdd(p, 1u)) // counted in one go
SHARED(shared_i32, int, atomicAdd(p, 1 + k))
SHARED(shared_atom_i32, int, found += atomicAdd(p, 1 + k) == -77)
SHARED(shared_max, int, atomicMax(p, (int)threadIdx.x))
SHARED(shared_u64, unsigned long long, atomicAdd(p, 1ull + k))
SHARED(shared_f32, float, atomicAdd(p, 1.0f))
