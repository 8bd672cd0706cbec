#define KERNEL extern "C" __global__ void
#define LINE(a, b) \
    a##b; \
    int c
#if defined(__CUDACC__) && !defined(OTHER)
#include <cuda_fp16.h>
#else
#error "no" // a comment
#endif
constexpr int size = 1 << 4;
__constant__ float mask[size];
KERNEL one(float *x) { x[0] = mask[size - 1]; }
enum class color : int { red, green = 3, };
using word = unsigned int; typedef struct { int x; } thing;
__device__ word count; static __device__ thing things[3] = {{1}, {2}, {3}};
