// SPDX-License-Identifier: Apache-2.0
//
// Ways that part and meet: branches, loops, returns, switches, calls, recursion, local arrays.
extern "C" __global__ void branches(const int *x, int *y)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    int v = x[t];
    if (v % 2 == 0) {
        if (v % 3 == 0)
            v = v * 7 + y[t];
        else
            v = v - y[t] * 5;
    } else {
        v = y[t] / (v | 1);
    }
    y[t] = v;
}

extern "C" __global__ void loops(const int *x, int *y)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int i = 0; i < (x[t] & 31); i++) {
        if (((i ^ x[t]) & 7) == 5) continue;
        for (int j = i; j < 40; j++) {
            if ((j * x[t] & 15) == 9) break;
            sum += j * y[(t + j) & 63];
        }
        if (sum > 20000) break;
    }
    y[64 + t] = sum;
}

extern "C" __global__ void early_return(const int *x, int *y, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    int v = x[t];
    while (v != 1) {
        if (v < 1) return;
        v = v % 2 ? 3 * v + 1 : v / 2;
        y[t]++;
    }
}

extern "C" __global__ void choices(const int *x, int *y)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    int v = y[t];
    switch (x[t] & 7) {
    case 0: v += 3; break;
    case 1: v *= 5;
    case 2: v -= x[t]; break;
    case 3: v ^= 0x55; break;
    case 4: v = v << 3; break;
    case 5: y[t] = 1; return;
    case 6: v = ~v; break;
    default: v = 0; break;
    }
    y[t] = v;
}

__device__ __noinline__ int square_plus(int a, int b)
{
    if (a > b) return a * a + b;
    return b * b - a;
}

__device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

struct pair {
    int first;
    double second;
};

__device__ __noinline__ pair both(int a, double b)
{
    pair p = {a + 1, b * 2};
    return p;
}

extern "C" __global__ void calls(const int *x, int *y)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    int v = square_plus(x[t] & 15, t);
    if (x[t] & 1) v += fibonacci(x[t] & 7);
    const pair p = both(v, 0.25 * t);
    y[t] = p.first + (int)p.second;
}

extern "C" __global__ void local_arrays(const int *x, int *y)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    int mine[20];
    for (int k = 0; k < 20; k++) mine[k] = x[(t + k) & 63] + k;
    for (int k = 0; k < 20; k++) {
        const int other = (x[t] + 3 * k) & 15;
        const int keep = mine[k];
        mine[k] = mine[other];
        mine[other] = keep;
    }
    int sum = 0;
    for (int k = 0; k < 20; k++) sum = sum * 31 + mine[k];
    y[t] = sum;
}
