// SPDX-License-Identifier: Apache-2.0
//
// A program as users write it: host code of all kinds around a few kernels. The model takes it as it
// is; line numbers in reports are those of this file.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <vector>
#include "host_parts.h"
#ifdef USE_OPENCV
#include <opencv2/opencv.hpp>
#endif

namespace cg = cooperative_groups;
using namespace std;
using namespace unheard_of;
using std::vector;

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t status = (call);                                                               \
        if (status != cudaSuccess) {                                                               \
            std::cerr << cudaGetErrorString(status) << "\n";                                       \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)
#define DEVICE __device__ __forceinline__

const int BLOCK = 128;
static const char *const names[] = {"one", "two"};
float *global_pointer = nullptr;
int counter{0};
std::vector<std::string> words = {"{", "}", "__global__"};
auto shout = [](const std::string &s) { std::cout << s << std::endl; };
enum { SCALE = 3 };
typedef struct pair {
    int first, second;
} pair_of_ints;

// A class of both sides: what is the host's goes, what is the device's stays.
class Timer {
public:
    Timer() : name("timer"), start(0) { std::cout << "start { " << name; }
    ~Timer() { cudaEventDestroy(event); }
    void stop();
    virtual double elapsed() const { return 1e-3 * start; }

private:
    std::string name;
    long start;
    cudaEvent_t event;
};

template <typename T> struct Scaled {
    T factor;
    Scaled() = default;
    DEVICE T operator()(T x) const { return factor * x; }
    std::string describe() const { return std::to_string(factor) + "}"; }
    static constexpr int twice(int x) { return 2 * x; }
};

constexpr int divide_up(int a, int b) { return (a + b - 1) / b; }
__constant__ int offsets[4] = {1, 2, 3, 4};
__device__ int last = -1;

template <typename T> __host__ T *upload(const std::vector<T> &v)
{
    T *p;
    CHECK(cudaMalloc(&p, v.size() * sizeof(T)));
    CHECK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

__global__ void scale(const int *in, int *out, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x; // line 81
    if (t < n) out[t] = in[t] * SCALE + offsets[t & 3] + helped(t) + divide_up(n, BLOCK);
    if (t == n - 1) last = t;
}

template <typename T, int N> __global__ void sum(const T *in, T *out)
{
    __shared__ T all[N];
    cg::thread_block block = cg::this_thread_block();
    all[threadIdx.x] = in[blockIdx.x * N + threadIdx.x];
    for (int half = N / 2; half > 0; half /= 2) {
        block.sync();
        if (threadIdx.x < half) all[threadIdx.x] += all[threadIdx.x + half];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = all[0] * T(Scaled<T>::twice(1)) / 2;
}

namespace inner {
struct shape {
    int rows, columns;
};
__global__ void fill(shape s, pair_of_ints p, float *out)
{
    const int t = threadIdx.x;
    if (t < s.rows * s.columns) out[t] = std::max(p.first, p.second) + Scaled<float>{0.5f}(t);
}
void host_only(shape s) { printf("%d\n", s.rows); }
} // namespace inner

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1000;
    vector<int> in(n);
    for (int &x : in) x = rand() % 100;
    int *d_in = upload(in), *d_out;
    CHECK(cudaMalloc(&d_out, n * sizeof(int)));
    scale<<<divide_up(n, BLOCK), BLOCK>>>(d_in, d_out, n);
    sum<int, 128><<<n / 128, 128>>>(d_in, d_out);
    sum<float, BLOCK><<<n / BLOCK, BLOCK>>>(nullptr, nullptr);
    #pragma omp parallel for
    for (int k = 0; k < 2; k++) cout << names[k] << " }" << endl;
    return EXIT_SUCCESS;
}

template <typename T> void any(T *in, T *out)
{
    sum<T, 64><<<1, 64>>>(in, out);
}
template void any<int>(int *, int *);
