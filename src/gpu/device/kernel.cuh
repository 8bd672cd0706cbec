// SPDX-License-Identifier: Apache-2.0
// What every kernel includes first. Two headers are generated for each call (codegen/emit_kernel.c)
// and stand where they are included: kernel_config.h has the kernel's configuration as macros,
// kernel_types.h the types of elements and results, the operator, and the functions that read and
// write them.
#pragma once
#include "kernel_config.h"
#include "device/base.cuh"
#include "device/numbers.cuh"
#include "kernel_types.h"
