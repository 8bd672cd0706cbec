// SPDX-License-Identifier: Apache-2.0
//
// malloc and free of kernels.

// Every thread takes, uses and gives back; twice, so that pieces come again.
extern "C" __global__ void own(int *out)
{
    int sum = 0;
    for (int round = 0; round < 2; round++) {
        int *mine = (int *)malloc(4 * sizeof(int));
        if (mine == 0) return;
        for (int k = 0; k < 4; k++) mine[k] = threadIdx.x + k;
        for (int k = 0; k < 4; k++) sum += mine[k];
        free(mine);
    }
    free(0);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// How many pieces of 1 MB there are: 7 and a bit of the 8.
extern "C" __global__ void all(int *out)
{
    int count = 0;
    while (malloc(1 << 20) != 0) count++;
    out[0] = count;
    out[1] = malloc(0) == 0 && malloc((size_t)1 << 40) == 0;
}

extern "C" __global__ void twice(int *out)
{
    int *p = (int *)malloc(16);
    free(p);
    free(p);
    out[0] = 1;
}

extern "C" __global__ void never(int *out)
{
    free(out);
    out[0] = 1;
}

// What malloc gives was not written.
extern "C" __global__ void unwritten(int *out)
{
    int *p = (int *)malloc(64);
    if (p != 0) out[threadIdx.x] = p[threadIdx.x % 16];
}
