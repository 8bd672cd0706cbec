template <typename T, int N> __device__ T twice(T x) { return N * x; }
template <typename T, int N = 4>
__global__ void fill(T *x) { x[threadIdx.x] = twice<T, N>(T(1)); }
namespace inner { template <class U> struct pair { U a, b; __host__ __device__ U sum() const { return a + b; } }; }
template __global__ void fill<int, 2>(int *);
void host() { fill<float, 3><<<1, 2>>>(0); fill<inner::pair<int>, (4 > 3)><<<dim3(1, 2), 64>>>(nullptr); }
