// SPDX-License-Identifier: Apache-2.0
// Random numbers as they are defined: each of its own counter.
#include "serial.h"
#include "core/convert.h"
#include "patterns/move/random.h"

// Bits of a mantissa: so many of the 64 make a float of [0, 1).
static int bits_of(hd_type type)
{
    return type == HD_F64 ? 53 : type == HD_F32 ? 24 : type == HD_F16 ? 11 : 8;
}

hd_status hd__serial_random(hd_context *ctx, const void *any, const char **why)
{
    const hd__random_job *job = any;
    (void)ctx, (void)why; // never declines
    const hd_type type = job->out.type;
    const hd__random_range range = hd__random_range_of(job);
    _Alignas(8) unsigned char element[8];
    for (int64_t i = 0; i < job->n; i++) {
        const uint64_t r = hd__random_bits(job->start, job->offset + (uint64_t)i);
        if (hd__is_float(type)) {
            double x = hd__random_normal(r);
            if (!job->normal) {
                const int bits = bits_of(type);
                x = (double)(int64_t)(r >> (64 - bits)) / (double)(INT64_C(1) << bits);
            }
            hd__convert(type, element, HD_F64, &x, 1);
        } else {
            const uint64_t x = range.low + hd__random_below(r, &range);
            hd__convert(type, element, HD_U64, &x, 1);
        }
        hd__scatter(&job->out, i, 1, element);
    }
    return HD_OK;
}
