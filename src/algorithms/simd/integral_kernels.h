// SPDX-License-Identifier: Apache-2.0
// The loop of summed-area tables of u8 in sums of 32 bits. integral_rows.c calls it.
#ifndef HEDDLE_ALGORITHMS_SIMD_INTEGRAL_KERNELS_H
#define HEDDLE_ALGORITHMS_SIMD_INTEGRAL_KERNELS_H

#include "algorithms/support/isa.h"

// out[x] = above[x] + in[0] + ... + in[x], modulo 2^32.
typedef void hd__integral_row(const uint8_t *in, const uint32_t *above, uint32_t *out, int64_t w);

typedef hd__integral_row *hd__integral_finder(void);

#ifdef HD_ISAS
HD_ISAS_OF(HD__ISA_DECLARE, hd__integral_finder, hd__integral_row_of)

// The one for the instruction set of a context.
static inline hd__integral_row *hd__integral_row_for(const hd_context *ctx)
{
    static hd__integral_finder *const find[] = {HD_ISAS_OF(HD__ISA_POINT, hd__integral_row_of)};
    return find[hd__isa_of(ctx)]();
}
#else
hd__integral_finder HD__OF_ISA(hd__integral_row_of);
#endif

#endif
