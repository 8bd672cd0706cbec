// SPDX-License-Identifier: Apache-2.0
//
// In front of every file the model machine compiles. NVRTC brings CUDA's own functions; for clang
// they are here. What device code uses of the standard headers is in hd_standard.h.
#pragma once
#ifndef __CUDACC_RTC__
#include <heddle/hd_types.h>
#include <heddle/hd_device.h>
#include <heddle/hd_atomics.h>
#include <heddle/hd_arithmetic.h>
#include <heddle/hd_math.h>
#endif
#include <heddle/hd_standard.h>
