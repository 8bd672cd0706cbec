// SPDX-License-Identifier: Apache-2.0
//
// More arithmetic than memory: polynomials, hashes, matrices, loops of different lengths.
#define WHERE (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void polynomial(const float *x, float *y)
{
    const float v = x[WHERE];
    float sum = 1;
    for (int k = 0; k < 256; k++) sum = __fmaf_rn(sum, v, 0.5f);
    y[WHERE] = sum;
}

extern "C" __global__ void polynomial_double(const double *x, double *y)
{
    const double v = x[WHERE];
    double sum = 1;
    for (int k = 0; k < 64; k++) sum = __fma_rn(sum, v, 0.5);
    y[WHERE] = sum;
}

extern "C" __global__ void hash(const unsigned *x, unsigned *y)
{
    unsigned v = x[WHERE];
    for (int k = 0; k < 64; k++) {
        v ^= v << 13;
        v ^= v >> 17;
        v ^= v << 5;
    }
    y[WHERE] = v;
}

extern "C" __global__ void roots(const float *x, float *y)
{
    float v = x[WHERE];
    for (int k = 0; k < 8; k++) v = sqrtf(v + 1) + expf(-v);
    y[WHERE] = v;
}

// Steps of Collatz until 1: every lane has its own number of them.
extern "C" __global__ void collatz(int *steps)
{
    unsigned v = WHERE + 1;
    int n = 0;
    while (v != 1 && n < 200) {
        v = v & 1 ? 3 * v + 1 : v / 2;
        n++;
    }
    steps[WHERE] = n;
}

// Odd and even lanes go different ways.
extern "C" __global__ void two_ways(const float *x, float *y)
{
    float v = x[WHERE];
    if (threadIdx.x & 1)
        for (int k = 0; k < 32; k++) v = v * 1.25f + 0.5f;
    else
        for (int k = 0; k < 32; k++) v = v * 0.75f - 0.25f;
    y[WHERE] = v;
}

extern "C" __global__ void matrix_plain(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[j * n + k] * b[k * n + i];
    c[j * n + i] = sum;
}

extern "C" __global__ void matrix_tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float p[16][16], q[16][16];
    const int u = threadIdx.x, v = threadIdx.y;
    const int i = blockIdx.x * 16 + u, j = blockIdx.y * 16 + v;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        p[v][u] = a[j * n + k + u];
        q[v][u] = b[(k + v) * n + i];
        __syncthreads();
        for (int l = 0; l < 16; l++) sum += p[v][l] * q[l][u];
        __syncthreads();
    }
    c[j * n + i] = sum;
}

// Shared memory in vectors of 16 and 8 bytes: rows that lanes turn around.
extern "C" __global__ void shared_vectors(const float4 *x, float4 *y, int turn)
{
    __shared__ float4 s[256];
    const int t = threadIdx.x;
    s[t] = x[WHERE];
    __syncthreads();
    y[WHERE] = s[(t * turn + 1) % 256];
}

extern "C" __global__ void shared_pairs(const float2 *x, float2 *y, int turn)
{
    __shared__ float2 s[256];
    const int t = threadIdx.x;
    s[t] = x[WHERE];
    __syncthreads();
    y[WHERE] = s[(t * turn + 1) % 256];
}

// How they are run by themselves (tests/support/model_runs.h)
// run matrix_tiled 4 16x16 xxyn: nothing
// run shared_vectors 2 256 xyn: nothing
// run shared_pairs 2 256 xyn: nothing
