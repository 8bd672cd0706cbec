// SPDX-License-Identifier: Apache-2.0
//
// Questions about addresses, and blocks of a cluster by their shared memory.
#include "model/lanes.h"
#include "model/run.h"

// isspacep: which window a generic address is in. mode: the window's number, 0 for global.
static void is_space(machine *m, const operation *o)
{
    const uint64_t *a = SLOT(m, o->a);
    uint32_t *d = SLOT(m, o->d), holds = 0;
    for (int l = 0; l < WARP; l++) {
        const uint64_t window = a[l] >> 40;
        const bool is_global = window == 0 || window > 3;
        holds |= (uint32_t)(o->mode == 0 ? is_global : window == o->mode) << l;
    }
    *d = (*d & ~m->mask) | (holds & m->mask);
}

run_operation *hd__choose_async(const ptx_instruction *i, operation *o)
{
    if (i->op != PTX_OP_isspacep) return NULL;
    o->mode = ptx_has(i, PTX_MOD_SHARED) || ptx_has(i, PTX_MOD_SHARED_CTA) ? SHARED_WINDOW >> 40
              : ptx_has(i, PTX_MOD_LOCAL)                                  ? LOCAL_WINDOW >> 40
              : ptx_has(i, PTX_MOD_PARAM)                                  ? PARAM_WINDOW >> 40
                                                                           : 0;
    return is_space;
}
