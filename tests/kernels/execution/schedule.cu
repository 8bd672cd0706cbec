// SPDX-License-Identifier: Apache-2.0
//
// Calls through pointers, and blocks that wait for each other.
typedef int (*function)(int, int);
__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int subtract(int a, int b) { return a - b; }
__device__ __noinline__ int multiply(int a, int b) { return a * b; }
__device__ function table[3] = {add, subtract, multiply};

struct shape {
    __device__ virtual int area(int k) const = 0;
};
struct square : shape {
    int side;
    __device__ square(int s) : side(s) {}
    __device__ int area(int k) const override { return side * side + k; }
};
struct strip : shape {
    int length;
    __device__ strip(int l) : length(l) {}
    __device__ int area(int k) const override { return 3 * length - k; }
};

// Lanes call different functions at once; half of them then call a second one.
extern "C" __global__ void pointers(int *y)
{
    const int t = threadIdx.x;
    y[t] = table[(t * 7 + 3) % 3](t, 5);
    if (t & 1) y[t] += table[t / 2 % 3](y[t], 3);
}

extern "C" __global__ void virtuals(int *y)
{
    const int t = threadIdx.x;
    const square a(t);
    const strip b(t + 1);
    const shape *s = t % 3 ? (const shape *)&a : (const shape *)&b;
    y[t] = s->area(t);
}

extern "C" __global__ void astray(int *y)
{
    function f = (function)(unsigned long long)(0x10000 + y[0]);
    y[1] = f(1, 2);
}

// A scan with decoupled look-back: each block of 64 publishes its sum, then looks at those before it,
// as far as one that knows its prefix. A word has a sum in its upper part and what it is in two bits.
extern "C" __global__ void look_back(const int *x, volatile unsigned *state, int *y)
{
    __shared__ int part[64], before;
    const int t = threadIdx.x, block = blockIdx.x;
    part[t] = x[block * 64 + t];
    __syncthreads();
    for (int k = 1; k < 64; k *= 2) {
        const int v = t >= k ? part[t - k] : 0;
        __syncthreads();
        part[t] += v;
        __syncthreads();
    }
    if (t == 0) {
        const int all = part[63];
        int sum = 0;
        state[block] = (unsigned)all << 2 | (block == 0 ? 2 : 1);
        for (int k = block - 1; k >= 0; k--) {
            unsigned word;
            while (((word = state[k]) & 3) == 0) {}
            sum += (int)(word >> 2);
            if (word & 2) break;
        }
        before = sum;
        state[block] = (unsigned)(sum + all) << 2 | 2;
    }
    __syncthreads();
    y[block * 64 + t] = before + part[t];
}

// How they are run by themselves (tests/support/model_runs.h)
// run look_back 3 64 xyz: nothing
