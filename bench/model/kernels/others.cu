// SPDX-License-Identifier: Apache-2.0
//
// Kernels that no rate of the model was fitted to: they were added when the others already agreed.
#define WHERE (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void dot(const float4 *x, const float4 *y, int n, float *sums)
{
    __shared__ float of_warp[8];
    float v = 0;
    for (int k = WHERE; k < n; k += gridDim.x * blockDim.x) {
        const float4 a = x[k], b = y[k];
        v += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; w++) v += of_warp[w];
        sums[blockIdx.x] = v;
    }
}

// Forces between bodies, tiles of 256 in shared memory.
extern "C" __global__ void bodies(const float4 *at, float4 *force, int n)
{
    __shared__ float4 tile[256];
    const float4 me = at[WHERE];
    float fx = 0, fy = 0, fz = 0;
    for (int first = 0; first < n; first += 256) {
        tile[threadIdx.x] = at[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 256; k++) {
            const float4 o = tile[k];
            const float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
            const float s = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            const float f = o.w * s * s * s;
            fx += f * dx;
            fy += f * dy;
            fz += f * dz;
        }
        __syncthreads();
    }
    force[WHERE] = make_float4(fx, fy, fz, 0);
}

// Bitonic sorts of 512 in shared memory.
extern "C" __global__ void bitonic(int *x)
{
    __shared__ int s[512];
    const int t = threadIdx.x;
    int *mine = x + blockIdx.x * 512;
    s[t] = mine[t];
    s[t + 256] = mine[t + 256];
    for (int k = 2; k <= 512; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            const int a = 2 * t - (t & (j - 1)), b = a + j;
            if ((s[a] > s[b]) == ((a & k) == 0)) {
                const int v = s[a];
                s[a] = s[b];
                s[b] = v;
            }
        }
    __syncthreads();
    mine[t] = s[t];
    mine[t + 256] = s[t + 256];
}

// A sparse matrix of 16 a row times a vector, a thread a row, column after column.
extern "C" __global__ void sparse(const int *column, const float *value, const float *x, float *y,
                                  int rows)
{
    float sum = 0;
    for (int k = 0; k < 16; k++) sum += value[k * rows + WHERE] * x[column[k * rows + WHERE]];
    y[WHERE] = sum;
}

extern "C" __global__ void mandelbrot(int *steps, int width)
{
    const float cx = (WHERE % width) * 3.0f / width - 2, cy = (WHERE / width) * 2.0f / width - 1;
    float x = 0, y = 0;
    int n = 0;
    while (n < 100 && x * x + y * y < 4) {
        const float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        n++;
    }
    steps[WHERE] = n;
}

// Seven points in three dimensions; blocks of 32 x 8, each walks along z.
extern "C" __global__ void heat(const float *x, float *y, int n)
{
    const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y, plane = n * n;
    if (i == 0 || j == 0 || i == n - 1 || j == n - 1) return;
    int at = j * n + i + plane;
    float below = x[at - plane], here = x[at];
    for (int k = 1; k < n - 1; k++, at += plane) {
        const float above = x[at + plane];
        y[at] = here + 0.1f * (x[at - 1] + x[at + 1] + x[at - n] + x[at + n] + below + above - 6 * here);
        below = here;
        here = above;
    }
}

// Rows of 1024: the largest, the sum of exponentials, the quotients.
extern "C" __global__ void softmax(const float *x, float *y)
{
    __shared__ float part[8];
    const float *row = x + blockIdx.x * 1024;
    const int t = threadIdx.x;
    float v[4], most = -1e30f, sum = 0;
    for (int k = 0; k < 4; k++) {
        v[k] = row[t + 256 * k];
        most = fmaxf(most, v[k]);
    }
    for (int d = 16; d > 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
    if (t % 32 == 0) part[t / 32] = most;
    __syncthreads();
    for (int w = 0; w < 8; w++) most = fmaxf(most, part[w]);
    for (int k = 0; k < 4; k++) {
        v[k] = __expf(v[k] - most);
        sum += v[k];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    __syncthreads();
    if (t % 32 == 0) part[t / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < 8; w++) sum += part[w];
    for (int k = 0; k < 4; k++) y[blockIdx.x * 1024 + t + 256 * k] = v[k] / sum;
}

// The chosen of a warp take their places by one atomic.
extern "C" __global__ void compact_warps(const unsigned *x, unsigned least, unsigned *count,
                                         unsigned *y)
{
    const unsigned v = x[WHERE], lane = threadIdx.x % 32;
    const unsigned chosen = __ballot_sync(~0u, v >= least);
    unsigned first = 0;
    if (lane == 0) first = atomicAdd(count, (unsigned)__popc(chosen));
    first = __shfl_sync(~0u, first, 0);
    if (v >= least) y[first + __popc(chosen & ((1u << lane) - 1))] = v;
}

// Four results a thread of a product of matrices, tiles of 64 x 16 and 16 x 64.
extern "C" __global__ void matrix_registers(const float *a, const float *b, float *c, int n)
{
    __shared__ float p[16][64], q[16][64];
    const int t = threadIdx.x, u = t % 16, v = t / 16;
    const int i0 = blockIdx.x * 64, j0 = blockIdx.y * 64;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < n; k0 += 16) {
        for (int k = t; k < 1024; k += 256) {
            p[k % 16][k / 16] = a[(j0 + k / 16) * n + k0 + k % 16];
            q[k / 64][k % 64] = b[(k0 + k / 64) * n + i0 + k % 64];
        }
        __syncthreads();
        for (int k = 0; k < 16; k++)
            for (int y = 0; y < 4; y++)
                for (int x = 0; x < 4; x++) sum[y][x] += p[k][v + 16 * y] * q[k][u + 16 * x];
        __syncthreads();
    }
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) c[(j0 + v + 16 * y) * n + i0 + u + 16 * x] = sum[y][x];
}

// Places of 16 bytes in any order.
extern "C" __global__ void gather_vectors(const float4 *x, const int *index, float4 *y)
{
    y[WHERE] = x[index[WHERE]];
}

// How they are run by themselves (tests/support/model_runs.h)
// run dot 2 256 xxmy: nothing
// run bodies 2 256 xym: nothing
// run bitonic 2 256 x: nothing
// run softmax 2 256 xy: nothing
// run matrix_registers 1 256 xxyn: nothing
