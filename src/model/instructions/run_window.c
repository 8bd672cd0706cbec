// SPDX-License-Identifier: Apache-2.0
//
// Questions about addresses: which window they are in, whose block's shared memory.
#include "model/exec/lanes.h"
#include "run.h"

// isspacep: which window a generic address is in. mode: the window's number, 0 for global.
static void is_space(machine *m, const operation *o)
{
    const uint64_t *a = SLOT(m, o->a);
    uint32_t *d = SLOT(m, o->d), holds = 0;
    const uint64_t own = (uint64_t)m->block->rank + 1;
    for (int l = 0; l < WARP; l++) {
        const uint64_t window = a[l] >> 40;
        const uint64_t rank = (a[l] & (WINDOW_BYTES - 1)) / SHARED_OF_RANK;
        const bool is_global = window == 0 || window > 3;
        bool is = o->mode == 0 ? is_global : window == o->mode;
        if (o->bytes == 1) is = is && (rank == 0 || rank == own); // of this block alone
        holds |= (uint32_t)is << l;
    }
    *d = (*d & ~m->mask) | (holds & m->mask);
}

// mapa: the same place in the shared memory of another block. mode: the address is generic.
static void map_wide(machine *m, const operation *o)
{
    const uint64_t window = o->mode ? SHARED_WINDOW : 0;
    EACH_OF(uint64_t, uint64_t, uint64_t, uint32_t, uint32_t, uint64_t, uint64_t,
            window + A % SHARED_OF_RANK + ((uint64_t)B + 1) * SHARED_OF_RANK);
}

static void map_narrow(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, A % (uint32_t)SHARED_OF_RANK + (B + 1) * (uint32_t)SHARED_OF_RANK);
}

static uint32_t rank_of(const machine *m, uint64_t address)
{
    const uint64_t rank = (address & (WINDOW_BYTES - 1)) / SHARED_OF_RANK;
    return rank == 0 ? (uint32_t)m->block->rank : (uint32_t)rank - 1;
}

static void get_rank(machine *m, const operation *o)
{
    EACH_OF(uint32_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, rank_of(m, A));
}

static void get_rank_narrow(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, rank_of(m, A));
}

run_operation *hd__model_dispatch_window(const ptx_instruction *i, operation *o)
{
    const bool shared = ptx_has(i, PTX_MOD_SHARED) || ptx_has(i, PTX_MOD_SHARED_CTA) ||
                        ptx_has(i, PTX_MOD_SHARED_CLUSTER);
    switch (i->op) {
    case PTX_OP_mapa:
        o->mode = !shared;
        return i->type[0] == PTX_U64             ? map_wide
               : i->type[0] == PTX_U32 && shared ? map_narrow
                                                 : NULL;
    case PTX_OP_getctarank: return i->type[0] == PTX_U32 && shared ? get_rank_narrow : get_rank;
    default: break;
    }
    o->bytes = ptx_has(i, PTX_MOD_SHARED) || ptx_has(i, PTX_MOD_SHARED_CTA);
    o->mode = shared                      ? SHARED_WINDOW >> 40
              : ptx_has(i, PTX_MOD_LOCAL) ? LOCAL_WINDOW >> 40
              : ptx_has(i, PTX_MOD_PARAM) ? PARAM_WINDOW >> 40
                                          : 0;
    return ptx_has(i, PTX_MOD_CONST) ? NULL : is_space;
}
