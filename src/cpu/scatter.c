#include "cpu/cpu.h"
#include "serial/serial.h"
hd_status hd__cpu_scatter(hd_context *ctx, const void *any, const char **why)
{
    return hd__serial_scatter(ctx, any, why);
}
