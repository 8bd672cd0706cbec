// SPDX-License-Identifier: Apache-2.0
//
// The occupancy calculator: registers are given out to warps in chunks of 256, to four warps alike;
// shared memory in units, with what the driver keeps of every block.
#include "occupancy.h"

#define WARP_LANES     32
#define REGISTER_CHUNK 256 // of a warp
#define SCHEDULERS     4   // a multiprocessor's warps and registers are split among them
#define FEWEST         16  // registers a thread on sm_90 and newer
#define ENOUGH         0x7fffffff

static int64_t round_up(int64_t n, int64_t to)
{
    return (n + to - 1) / to * to;
}

static int32_t blocks_by_registers(const architecture *a, int32_t warps, int32_t registers)
{
    if (registers <= 0) return ENOUGH;
    if (a->arch >= 90 && registers < FEWEST) registers = FEWEST;
    const int64_t of_warp = round_up((int64_t)registers * WARP_LANES, REGISTER_CHUNK);
    const int64_t fit = a->registers / SCHEDULERS / of_warp * SCHEDULERS; // warps
    return (int32_t)(fit / warps);
}

// KiB of shared memory that the driver sets aside, out of the sizes it may choose; the rest is the
// L1's. On sm_90 it was seen to leave room for twice the blocks while that is little, and 32 KiB
// for kernels that need none.
static int32_t carve_out(const architecture *a, int64_t needed)
{
    static const int32_t sizes[] = {32, 64, 100, 132, 164, 196, 228};
    for (int k = 0; k < (int)(sizeof sizes / sizeof *sizes); k++)
        if (sizes[k] <= a->shared_kib && (int64_t)sizes[k] * 1024 >= needed) return sizes[k];
    return a->shared_kib;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

// What is scarcest; of equals the one that a change of the launch would lift.
static const char *name_limit(const occupancy *o)
{
    if (o->by_registers == o->blocks && o->by_registers < o->by_threads) return "registers";
    if (o->by_shared == o->blocks && o->by_shared < o->by_threads) return "shared memory";
    if (o->by_blocks == o->blocks && o->by_blocks < o->by_threads) return "blocks";
    return "threads";
}

occupancy hd__model_occupancy(const architecture *a, int32_t threads, int32_t registers,
                              int64_t shared)
{
    occupancy o = {.by_blocks = a->blocks};
    const int32_t warps = (threads + WARP_LANES - 1) / WARP_LANES;
    const int64_t of_block = round_up(shared, a->shared_unit) + a->shared_reserved;
    o.by_threads = warps > 0 ? a->threads / WARP_LANES / warps : 0;
    o.by_registers = warps > 0 ? blocks_by_registers(a, warps, registers) : 0;
    o.by_shared = of_block > 0 ? (int32_t)((int64_t)a->shared_kib * 1024 / of_block) : ENOUGH;
    if (shared > (int64_t)a->block_shared_kib * 1024) o.by_shared = 0;
    o.blocks = least(least(o.by_threads, o.by_blocks), least(o.by_registers, o.by_shared));
    o.warps = o.blocks * warps;
    o.share = (double)o.warps / (double)(a->threads / WARP_LANES);
    o.limit = name_limit(&o);
    const int64_t twice = of_block * least(2 * o.blocks, a->blocks);
    o.l1_bytes =
        (a->l1_kib - carve_out(a, twice < 132 * 1024 ? twice : of_block * o.blocks * 9 / 8)) * 1024;
    return o;
}
