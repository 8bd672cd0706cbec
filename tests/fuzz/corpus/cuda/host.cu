#include <stdio.h>
#include <vector>
#include "parts.h"
#define CHECK(x) do { if ((x) != cudaSuccess) exit(1); } while (0)
__global__ void scale(float *x, int n) { int i = threadIdx.x; if (i < n) x[i] *= 2; }
static void help(const char *name) { printf("usage: %s {\n", name); }
int main(int argc, char **argv)
{
    std::vector<float> v(10, 1.f);
    float *p;
    CHECK(cudaMalloc(&p, 40));
    scale<<<1, 32, 0, nullptr>>>(p, 10);
    return 0;
}
