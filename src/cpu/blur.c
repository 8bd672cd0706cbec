// SPDX-License-Identifier: Apache-2.0
#include "core/blur.h"
#include "cpu/cpu.h"
#include "serial/serial.h"

hd_status hd__cpu_blur(hd_context *ctx, const void *any, const char **why)
{
    return hd__serial_blur(ctx, any, why);
}
