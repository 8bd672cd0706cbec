// SPDX-License-Identifier: Apache-2.0
//
// Transposes elements of 16 bits and of 8 bits by tiles of shared memory, one element a row of
// padding.
template <typename T> static __device__ void transpose(const T *in, T *out, int n, T (*tile)[33])
{
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    const int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(v + j) * n + u] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void transpose_halves(const unsigned short *in, unsigned short *out, int n)
{
    __shared__ unsigned short tile[32][33];
    transpose(in, out, n, tile);
}

extern "C" __global__ void transpose_bytes(const unsigned char *in, unsigned char *out, int n)
{
    __shared__ unsigned char tile[32][33];
    transpose(in, out, n, tile);
}
