// SPDX-License-Identifier: Apache-2.0
// Asking the probe of a user's file, and the names of the flags behind what it found.
#include "probe.h"
#include "core/system/float_state.h"

#include <stdio.h>

static const struct {
    uint32_t found;
    const char *flags;
} causes[] = {
    {HD__FOUND_CONTRACTION, "-ffp-contract=fast (a product is fused with a sum)"},
    {HD__FOUND_WIDER, "-mfpmath=387 or -ffp-eval-method (floats are computed in more precision)"},
    {HD__FOUND_REGROUPING, "-fassociative-math (sums or products are regrouped)"},
    {HD__FOUND_RECIPROCALS, "-freciprocal-math (a quotient becomes a product)"},
    {HD__FOUND_UNSIGNED_ZEROS, "-fno-signed-zeros (the sign of a zero is lost)"},
    {HD__FOUND_FINITE_ONLY, "-ffinite-math-only (NaN and infinity are taken for impossible)"},
    {HD__FOUND_FLUSHING, "-fdenormal-fp-math (subnormal numbers become zero)"},
    {HD__FOUND_FLOAT_CONSTANTS, "-fsingle-precision-constant (0.1 is taken for 0.1f)"},
};

// In the state that the contract is written for: a caller's own would be taken for a flag.
static uint32_t run(const hd__probe *probe)
{
    HD__FLOAT_STATE;
    return probe->run();
}

static hd_status refuse(hd_context *ctx, const char *call, const char *kind, const char *name,
                        uint32_t found)
{
    char text[1024];
    int length = 0;
    for (size_t k = 0; k < sizeof causes / sizeof *causes; k++)
        if (found & causes[k].found)
            length += snprintf(text + length, sizeof text - (size_t)length, "%s%s",
                               length > 0 ? ", " : "", causes[k].flags);
    return hd__fail(ctx, HD_ERROR_OPERATOR,
                    "%s: %s %s is from a file compiled with a flag that changes its bits: %s; "
                    "expected a file compiled without (-ffast-math sets most of them)",
                    call, kind, name != NULL ? name : "(no name)", text);
}

hd_status hd__run_probe(hd_context *ctx, const char *call, const char *kind, const char *name,
                        hd__probe *probe)
{
    uint32_t state = __atomic_load_n(&probe->state, __ATOMIC_RELAXED);
    if (state == 0) { // threads may ask at once: they all get the same answer
        const uint32_t found = run(probe);
        state = found != 0 ? found : HD__PROBE_CLEAN;
        __atomic_store_n(&probe->state, state, __ATOMIC_RELAXED);
    }
    return state == HD__PROBE_CLEAN ? HD_OK : refuse(ctx, call, kind, name, state);
}
