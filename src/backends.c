// SPDX-License-Identifier: Apache-2.0
// The list of all backends, in the order in which HD_AUTO asks them. This is the only file that
// knows them all; nothing includes it, and core finds it by the name it declares in core/backend.h.
#include "cpu/runtime/cpu.h"
#include "gpu/gpu.h"
#include "serial/serial.h"

const hd__backend *const hd__backends[] = {
    &hd__cpu_backend, &hd__serial_backend, &hd__gpu_cuda_backend, &hd__gpu_model_backend, NULL,
};
