// SPDX-License-Identifier: Apache-2.0
//
// Ways to reach memory.
#define WHERE (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void fill(float *y, float v) { y[WHERE] = v; }
extern "C" __global__ void copy(const float *x, float *y) { y[WHERE] = x[WHERE]; }
extern "C" __global__ void copy_vector(const float4 *x, float4 *y) { y[WHERE] = x[WHERE]; }
extern "C" __global__ void copy_bytes(const unsigned char *x, unsigned char *y)
{
    y[WHERE] = x[WHERE];
}
extern "C" __global__ void copy_double(const double *x, double *y) { y[WHERE] = x[WHERE]; }
extern "C" __global__ void saxpy(float a, const float *x, float *y) { y[WHERE] += a * x[WHERE]; }

// Reads x[offset + stride k].
extern "C" __global__ void read_strided(const float *x, float *y, int stride, int offset)
{
    y[WHERE] = x[WHERE * stride + offset];
}

extern "C" __global__ void write_strided(const float *x, float *y, int stride)
{
    y[WHERE * stride] = x[WHERE];
}

extern "C" __global__ void gather(const float *x, const int *index, float *y)
{
    y[WHERE] = x[index[WHERE]];
}

extern "C" __global__ void scatter(const float *x, const int *index, float *y)
{
    y[index[WHERE]] = x[WHERE];
}

// Each thread walks a section of its own: neighbours are `each` words apart.
extern "C" __global__ void read_sections(const float *x, float *sums, int each)
{
    float sum = 0;
    for (int k = 0; k < each; k++) sum += x[WHERE * each + k];
    sums[WHERE] = sum;
}

// Structures of three words.
extern "C" __global__ void lengths(const float3 *x, float *y)
{
    const float3 p = x[WHERE];
    y[WHERE] = p.x * p.x + p.y * p.y + p.z * p.z;
}

// A few words that all read, through the read-only cache.
extern "C" __global__ void table_read_only(const int *__restrict__ x, const float *__restrict__ t,
                                           float *__restrict__ y)
{
    float sum = 0;
    const int first = x[WHERE];
    for (int k = 0; k < 8; k++) sum += __ldg(&t[(first + 97 * k) % 4096]);
    y[WHERE] = sum;
}

__constant__ float table[1024];

extern "C" __global__ void table_constant(float *y)
{
    float sum = 0;
    for (int k = 0; k < 64; k++) sum += table[(blockIdx.x + k) % 1024];
    y[WHERE] = sum;
}

extern "C" __global__ void table_constant_lanes(float *y)
{
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += table[(threadIdx.x * 5 + k) % 1024];
    y[WHERE] = sum;
}

// An array of the thread's own, at places known only when it runs.
extern "C" __global__ void local_array(const int *x, int *y)
{
    int mine[32];
    const int v = x[WHERE];
    for (int k = 0; k < 32; k++) mine[k] = v * k;
    int at = v & 31;
    for (int k = 0; k < 16; k++) {
        mine[at] += k;
        at = (at * 5 + 3) & 31;
    }
    y[WHERE] = mine[at] + mine[v >> 5 & 31];
}
