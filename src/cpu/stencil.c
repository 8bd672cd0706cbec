// SPDX-License-Identifier: Apache-2.0
#include "core/stencil.h"
#include "cpu/cpu.h"
#include "serial/serial.h"

hd_status hd__cpu_stencil(hd_context *ctx, const void *any, const char **why)
{
    return hd__serial_stencil(ctx, any, why);
}
