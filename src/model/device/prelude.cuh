// SPDX-License-Identifier: Apache-2.0
//
// In front of every file the model machine compiles. NVRTC brings CUDA's own functions; for clang
// they are here. What device code uses of the standard headers is in standard.h.
#pragma once
#ifndef __CUDACC_RTC__
#include <heddle/types.h>
#include <heddle/device.h>
#include <heddle/atomics.h>
#include <heddle/arithmetic.h>
#include <heddle/math.h>
#endif
#include <heddle/standard.h>
