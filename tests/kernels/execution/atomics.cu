// SPDX-License-Identifier: Apache-2.0
//
// Every atomic operation; counters[...] are the places, values[...] what each thread brings.
extern "C" __global__ void atomics_int(int *at, const int *values)
{
    const int v = values[blockIdx.x * blockDim.x + threadIdx.x];
    atomicAdd(&at[0], v);
    atomicSub(&at[1], v);
    atomicMin(&at[2], v);
    atomicMax(&at[3], v);
    atomicAnd(&at[4], v);
    atomicOr(&at[5], v);
    atomicXor(&at[6], v);
    atomicInc((unsigned *)&at[7], 100);
    atomicDec((unsigned *)&at[8], 90);
    atomicMin((unsigned *)&at[9], (unsigned)v);
    atomicMax((unsigned *)&at[10], (unsigned)v);
    int seen = at[11], was;
    do {
        was = seen;
        seen = atomicCAS(&at[11], was, was + 3);
    } while (seen != was);
    if (atomicExch(&at[12], 1) == 0) atomicAdd(&at[13], 1);
}

extern "C" __global__ void atomics_wide(unsigned long long *at, const int *values)
{
    const unsigned long long v = (unsigned long long)(long long)values[blockIdx.x * blockDim.x + threadIdx.x];
    atomicAdd(&at[0], v);
    atomicMin(&at[1], v);
    atomicMax(&at[2], v);
    atomicAnd(&at[3], v);
    atomicOr(&at[4], v);
    atomicXor(&at[5], v);
    atomicMin((long long *)&at[6], (long long)v);
    atomicMax((long long *)&at[7], (long long)v);
    unsigned long long seen = at[8], was;
    do {
        was = seen;
        seen = atomicCAS(&at[8], was, was + 5);
    } while (seen != was);
}

extern "C" __global__ void atomics_float(float *f, double *d, const int *values)
{
    const int v = values[blockIdx.x * blockDim.x + threadIdx.x] & 255;
    atomicAdd(f, (float)v);
    atomicAdd(d, (double)v / 4);
}

extern "C" __global__ void histogram(const int *x, int *bins)
{
    __shared__ int mine[8];
    if (threadIdx.x < 8) mine[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&mine[x[blockIdx.x * blockDim.x + threadIdx.x] & 7], 1);
    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

extern "C" __global__ void chain(int *at, int spread)
{
    atomicAdd(&at[threadIdx.x % spread], 1);
}

// How they are run by themselves (tests/support/model_runs.h)
// run histogram 3 64: nothing
