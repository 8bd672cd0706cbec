#include "cpu/cpu.h"
#include "serial/serial.h"
hd_status hd__cpu_shuffle(hd_context *ctx, const void *any, const char **why)
{
    return hd__serial_shuffle(ctx, any, why);
}
