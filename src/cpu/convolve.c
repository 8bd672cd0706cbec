// SPDX-License-Identifier: Apache-2.0
#include "core/convolve.h"
#include "cpu/cpu.h"
#include "serial/serial.h"

hd_status hd__cpu_convolve(hd_context *ctx, const void *any, const char **why)
{
    return hd__serial_convolve(ctx, any, why);
}
