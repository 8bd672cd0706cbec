// SPDX-License-Identifier: Apache-2.0
// Whether an operator, function or comparison of the user's was compiled so that its bits are the
// promised ones: what the probe of its file says (heddle_probe.h), asked once a file.
#ifndef HEDDLE_CORE_OPERATORS_PROBE_H
#define HEDDLE_CORE_OPERATORS_PROBE_H

#include "core/context.h"
#include "state.h"

// Runs the probe, keeps the answer in it, and refuses (HD_ERROR_OPERATOR) what it finds fault with.
// `kind` and `name` say in the error which operator, function or comparison it is.
hd_status hd__run_probe(hd_context *ctx, const char *call, const char *kind, const char *name,
                        hd__probe *probe);

// The same; one that ran before costs one load. NULL: there is none.
static inline hd_status hd__check_probe(hd_context *ctx, const char *call, const char *kind,
                                        const char *name, hd__probe *probe)
{
    if (probe == NULL || __atomic_load_n(&probe->state, __ATOMIC_RELAXED) == HD__PROBE_CLEAN)
        return HD_OK;
    return hd__run_probe(ctx, call, kind, name, probe);
}

// Refuses what headers with another layout of operators, functions and comparisons made, and what
// later ones may put where this version has nothing.
static inline hd_status hd__check_abi(hd_context *ctx, const char *call, const char *kind,
                                      uint32_t abi, const void *const *reserved, int count)
{
    if (abi != HD__ABI)
        return hd__fail(ctx, HD_ERROR_OPERATOR,
                        "%s: the %s was compiled with headers of another version (%u; expected %u)",
                        call, kind, (unsigned)abi, (unsigned)HD__ABI);
    for (int k = 0; k < count; k++)
        if (reserved[k] != NULL)
            return hd__fail(ctx, HD_ERROR_OPERATOR,
                            "%s: the %s has reserved[%d] set; expected NULL", call, kind, k);
    return HD_OK;
}
#define HD__CHECK_ABI(ctx, call, kind, x)                                                          \
    hd__check_abi((ctx), (call), (kind), (x)->abi, (x)->reserved,                                  \
                  (int)(sizeof(x)->reserved / sizeof *(x)->reserved))

#endif
