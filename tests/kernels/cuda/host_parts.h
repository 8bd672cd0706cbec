// SPDX-License-Identifier: Apache-2.0
//
// A header of host.cu, with host code in it too.
#ifndef HEDDLE_TESTS_KERNELS_CUDA_HOST_PARTS_H
#define HEDDLE_TESTS_KERNELS_CUDA_HOST_PARTS_H

#include <vector>
#include <not_here/at_all.h>

std::vector<int> sorted(std::vector<int> v);

inline std::vector<int> sorted(std::vector<int> v)
{
    std::sort(v.begin(), v.end());
    return v;
}

__host__ __device__ inline int helped(int x)
{
#ifdef __CUDA_ARCH__
    return x > 5 ? 5 : x;
#else
    return std::min(x, 5);
#endif
}

#endif
