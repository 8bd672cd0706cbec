// SPDX-License-Identifier: Apache-2.0
//
// How long a launch takes: what each part of the chip would need alone, and all of them together,
// which overlap but not wholly. Rates that the table of architectures does not have were measured
// on an H200 (model-hardware.md) and are kept as cycles, so that they scale with the clock.
#include "hardware.h"

#include <math.h>

#define BLOCK_CYCLES     1.15  // between the starts of two blocks, on the whole chip
#define ATOMIC_CYCLES    1.45  // between two atomics on the same 512 bytes
#define SWAP_CYCLES      515.0 // from a compare and swap that succeeds on a word to the next
#define SWAP_TRIES       0.13  // of n threads that swap one word at once, n^2 times this in all
#define FLOAT_CYCLES     3.48  // between two atomic additions of floats to the same word
#define PART_WEIGHT      3.0   // a sector written in part, in whole sectors
#define WAVEFRONT_CYCLES 1.2   // of shared memory or the L1
#define CONSTANT_CYCLES  3.6   // a word of constant memory that is not asked for by all lanes
#define START_SECONDS    2e-6  // of a launch
#define MEMORY_CYCLES    500.0 // until a load from DRAM is there
#define NEAR_CYCLES      25.0  // the same from the L1
#define BARRIER_CYCLES   28.0
#define STEP_CYCLES      2.1 // from an instruction of a warp to its next, on the average
#define AT_ONCE          4.0 // loads of a warp under way together
#define OVERLAP          2.2 // exponent of the sum: 1 would be one after another

// Threads that compare and swap one word until they succeed: all that are there try, few get their
// way. Warps of the model take turns and hardly meet, so that its own tries say little.
static double swap_cycles(const workload *w, double threads_at_once)
{
    const double n = (double)w->caches.hottest_swaps;
    const double crowd = n < threads_at_once ? n : threads_at_once;
    return n * SWAP_CYCLES + SWAP_TRIES * crowd * (2 * n - crowd) * ATOMIC_CYCLES;
}

static void alone(const workload *w, prediction *p)
{
    const architecture *a = w->a;
    const cache_counts *c = &w->caches;
    const double cycle = 1e-6 / (double)a->mhz;
    const double busy = w->blocks < a->multiprocessors ? (double)w->blocks : a->multiprocessors;
    const double at_once = (double)(w->occupancy->blocks > 0 ? w->occupancy->blocks : 1) * busy;
    const double waves = ceil((double)w->blocks / at_once);
    const double sectors = (double)(c->l2_reads + c->l2_writes + c->l2_atomics) +
                           (PART_WEIGHT - 1) * (double)c->l2_parts;
    p->memory = (double)(c->dram_read + c->dram_written) / (1e9 * a->dram_gb);
    p->l2 = sectors * CACHE_SECTOR / (1e9 * a->l2_gb);
    p->l1 =
        (WAVEFRONT_CYCLES * w->wavefronts + CONSTANT_CYCLES * w->constant_passes) / busy * cycle;
    p->issue = w->cycles / (4 * busy) * cycle;
    p->atomics = fmax((double)c->hottest * ATOMIC_CYCLES, (double)c->hottest_floats * FLOAT_CYCLES);
    p->atomics = cycle * fmax(p->atomics, swap_cycles(w, at_once * 32.0 * w->warps));
    p->blocks = (double)w->blocks * BLOCK_CYCLES * cycle;
    const double loads = (double)(c->l1_hits + c->l1_misses);
    const double far = loads > 0 ? w->requests * (double)c->l1_misses / loads : 0;
    p->latency = waves * cycle *
                 (STEP_CYCLES * w->longest + BARRIER_CYCLES * w->barriers + MEMORY_CYCLES +
                  (MEMORY_CYCLES * far + NEAR_CYCLES * (w->requests - far)) / AT_ONCE);
}

// The parts overlap, though not wholly: a sum of powers. Atomics on one place come one by one, and
// mostly when the rest is done.
prediction hd__model_predict(const workload *w)
{
    prediction p = {0};
    alone(w, &p);
    const struct {
        double seconds;
        const char *name;
    } parts[] = {{p.memory, "memory"}, {p.l2, "L2"},           {p.l1, "L1"},
                 {p.issue, "issue"},   {p.latency, "latency"}, {p.blocks, "blocks"}};
    double most = p.atomics, sum = 0;
    p.bound = "atomics";
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        sum += pow(parts[k].seconds, OVERLAP);
        if (parts[k].seconds < most) continue;
        most = parts[k].seconds;
        p.bound = parts[k].name;
    }
    p.seconds = START_SECONDS + p.atomics + pow(sum, 1 / OVERLAP);
    return p;
}
