// SPDX-License-Identifier: Apache-2.0
//
// In front of every file the model machine compiles. NVRTC brings CUDA's own functions; for clang
// they are here. What device code uses of the standard headers is in hd_standard.cuh.
#pragma once
#ifndef __CUDACC_RTC__
#include <heddle/hd_types.cuh>
#include <heddle/hd_device.cuh>
#include <heddle/hd_atomics.cuh>
#include <heddle/hd_arithmetic.cuh>
#include <heddle/hd_math.cuh>
#endif
#include <heddle/hd_standard.cuh>
