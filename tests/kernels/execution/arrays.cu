// SPDX-License-Identifier: Apache-2.0
//
// Indices past the end of an array that land in another one, and near misses. "run B T: what" as in
// races.cu.

// ---- Shared memory ------------------------------------------------------------------------------

// The last thread writes behind `a`, where `b` is.
// run 1 64: out of bounds
extern "C" __global__ void overflows(int *x, int *y)
{
    __shared__ int a[64], b[64];
    const int t = threadIdx.x;
    a[t] = x[t], b[t] = x[64 + t];
    __syncthreads();
    a[t + 1] = x[128 + t]; //! out of bounds
    __syncthreads();
    y[t] = a[t] + b[t];
}

// run 1 64: nothing
extern "C" __global__ void fits(int *x, int *y)
{
    __shared__ int a[65], b[64];
    const int t = threadIdx.x;
    a[t] = x[t], b[t] = x[64 + t];
    if (t == 0) a[64] = 0;
    __syncthreads();
    a[t + 1] = x[128 + t];
    __syncthreads();
    y[t] = a[t] + b[t];
}

// Reads before the beginning.
// run 1 64: out of bounds
extern "C" __global__ void underflows(int *x, int *y)
{
    __shared__ float a[64], b[64];
    const int t = threadIdx.x;
    a[t] = (float)x[t], b[t] = (float)x[64 + t];
    __syncthreads();
    const float before_a = t > 0 ? a[t - 1] : 0;
    const float before_b = b[t - 1]; //! out of bounds
    y[t] = (int)(before_a + before_b);
}

// run 1 64: nothing
extern "C" __global__ void begins_in_time(int *x, int *y)
{
    __shared__ float a[64], b[64];
    const int t = threadIdx.x;
    a[t] = (float)x[t], b[t] = (float)x[64 + t];
    __syncthreads();
    const float before_a = t > 0 ? a[t - 1] : 0;
    const float before_b = t > 0 ? b[t - 1] : 0;
    y[t] = (int)(before_a + before_b);
}

// A loop that goes one too far, with a pointer that is counted up.
// run 1 32 xyn: out of bounds
extern "C" __global__ void counts_too_far(const int *x, int *y, int n)
{
    __shared__ int a[64], b[64];
    for (int k = threadIdx.x; k < 64; k += 32) a[k] = x[k], b[k] = x[64 + k];
    __syncthreads();
    int sum = 0;
    for (int k = 0; k <= n; k++) sum += a[k]; //! out of bounds
    y[threadIdx.x] = sum + b[threadIdx.x];
}

// run 1 32 xyn: nothing
extern "C" __global__ void counts_to_the_end(const int *x, int *y, int n)
{
    __shared__ int a[64], b[64];
    for (int k = threadIdx.x; k < 64; k += 32) a[k] = x[k], b[k] = x[64 + k];
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < n; k++) sum += a[k];
    for (int k = n - 1; k >= 0; k--) sum -= 3 * a[k];
    y[threadIdx.x] = sum + b[threadIdx.x];
}

// Atomics, with an index from memory: 999 bins at most, and 'bins' has 512.
// run 1 64: out of bounds
extern "C" __global__ void counts_in_the_next(int *x, int *y)
{
    __shared__ int bins[512], more[512];
    for (int k = threadIdx.x; k < 512; k += 64) bins[k] = more[k] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < 1000; k += 64) atomicAdd(&bins[x[k]], 1); //! out of bounds
    __syncthreads();
    y[threadIdx.x] = bins[threadIdx.x] + more[threadIdx.x];
}

// run 1 64: nothing
extern "C" __global__ void counts_in_either(int *x, int *y)
{
    __shared__ int bins[512], more[512];
    for (int k = threadIdx.x; k < 512; k += 64) bins[k] = more[k] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < 1000; k += 64) {
        int *where = x[k] < 512 ? bins + x[k] : more + x[k] - 512;
        atomicAdd(where, 1);
    }
    __syncthreads();
    y[threadIdx.x] = bins[threadIdx.x] + more[threadIdx.x];
}

// The two arrays take turns.
// run 1 64: nothing
extern "C" __global__ void takes_turns(int *x, int *y)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    const int t = threadIdx.x;
    a[t] = x[t];
    __syncthreads();
    for (int k = 1; k < 64; k *= 2) {
        to[t] = from[t] + (t >= k ? from[t - k] : 0);
        __syncthreads();
        int *other = from;
        from = to, to = other;
    }
    y[t] = from[t];
}

// Goes from one array to the other by their distance: meant so.
// run 1 64: nothing
extern "C" __global__ void goes_across(int *x, int *y)
{
    __shared__ int a[64], b[64];
    const int t = threadIdx.x;
    a[t] = x[t], b[t] = x[64 + t];
    __syncthreads();
    const long long apart = (const char *)b - (const char *)a;
    y[t] = *(const int *)((const char *)(a + t) + apart);
}

// One array of bytes, cut up by hand.
// run 1 64: nothing
extern "C" __global__ void cut_by_hand(int *x, int *y)
{
    __shared__ __align__(16) char all[64 * 4 + 64 * 8];
    int *a = (int *)all;
    double *b = (double *)(all + 64 * 4);
    const int t = threadIdx.x;
    a[t] = x[t], b[t] = x[64 + t];
    __syncthreads();
    y[t] = a[63 - t] + (int)b[63 - t];
}

// run 1 64 xyd: nothing
extern "C" __global__ void cut_of_dynamic(int *x, int *y)
{
    extern __shared__ int pool[];
    __shared__ int a[64];
    const int t = threadIdx.x;
    int *b = pool + 64, *c = b + 64;
    a[t] = x[t], pool[t] = x[t], b[t] = x[64 + t], c[t] = x[128 + t];
    __syncthreads();
    y[t] = a[63 - t] + pool[63 - t] + pool[64 + t] + c[63 - t];
}

// A static array that ends where the dynamic memory begins.
// run 1 64 xyd: out of bounds
extern "C" __global__ void into_dynamic(int *x, int *y)
{
    extern __shared__ int pool[];
    __shared__ int a[64];
    const int t = threadIdx.x;
    a[t] = x[t], pool[t] = x[64 + t];
    __syncthreads();
    y[t] = a[t + 4]; //! out of bounds, uninitialised
    y[64 + t] = pool[63 - t];
}

// Rows with padding, and four numbers at once.
// run 1 64: nothing
extern "C" __global__ void padded(int *x, int *y)
{
    __shared__ int tile[8][9], more[64];
    __shared__ int4 wide[16];
    const int t = threadIdx.x;
    tile[t / 8][t % 8] = x[t], more[t] = x[t];
    if (t < 16) wide[t] = ((const int4 *)x)[t];
    __syncthreads();
    const int4 four = wide[t % 16];
    y[t] = tile[t % 8][t / 8] + more[t] + four.x + four.w;
}

// run 1 32: out of bounds
extern "C" __global__ void four_too_far(int *x, int *y)
{
    __shared__ int4 wide[16], more[16];
    const int t = threadIdx.x;
    if (t < 16) wide[t] = ((const int4 *)x)[t], more[t] = ((const int4 *)x)[t];
    __syncthreads();
    const int4 four = wide[t]; //! out of bounds
    y[t] = four.x + four.y + four.z + four.w + more[t % 16].x;
}

// ---- Variables of the module --------------------------------------------------------------------

__device__ int first[64] = {1}, second[4096] = {2};
__constant__ int numbers[64] = {3}, others[4096] = {4};

// Far enough to be in the next one.
// run 1 64: out of bounds
extern "C" __global__ void next_variable(int *x, int *y)
{
    y[threadIdx.x] = first[threadIdx.x + 256] + second[threadIdx.x]; //! out of bounds
}

// run 1 64: nothing
extern "C" __global__ void its_variable(int *x, int *y)
{
    y[threadIdx.x] = first[threadIdx.x] + second[threadIdx.x + 256];
    y[64 + threadIdx.x] = numbers[threadIdx.x] + others[threadIdx.x + 256];
}

// run 1 64: out of bounds
extern "C" __global__ void next_constant(int *x, int *y)
{
    y[threadIdx.x] = numbers[threadIdx.x + 256] + others[threadIdx.x]; //! out of bounds
}
