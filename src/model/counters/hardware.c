// SPDX-License-Identifier: Apache-2.0
//
// Joins what is known of a launch on a chip: registers, occupancy, caches, the time.
#include "hardware.h"
#include "machine_code.h"

#include <stdlib.h>
#include <string.h>

static int32_t threads_of(const launch *l)
{
    int64_t threads = 1;
    for (int k = 0; k < 3; k++) threads *= l->block[k] > 0 ? l->block[k] : 1;
    return threads > 1024 ? 1024 : (int32_t)threads;
}

static int64_t blocks_of(const launch *l)
{
    int64_t blocks = 1;
    for (int k = 0; k < 3; k++) blocks *= l->grid[k] > 0 ? l->grid[k] : 1;
    return blocks;
}

static int64_t shared_of(const hd_model_module *module, const launch *l)
{
    return module->loaded.shared_bytes + l->dynamic_bytes;
}

static int32_t warps_of(const launch *l)
{
    return (threads_of(l) + WARP - 1) / WARP;
}

// The caches plan with the estimate, so that counts are the same with ptxas and without.
bool hd__model_hardware_begin(hardware *h, hd_model *model, hd_model_module *module,
                              int32_t function, launch *l)
{
    if (!(model->options.checks & HD_MODEL_CACHES)) return true;
    h->a = hd__model_architecture(model->settings.arch);
    h->estimate = hd__model_registers_estimate(&module->text.functions[function]);
    h->planned = hd__model_occupancy(h->a, threads_of(l), h->estimate, shared_of(module, l));
    h->caches = hd__model_caches_new(h->a, &h->planned, blocks_of(l), warps_of(l));
    if (h->caches == NULL) return false;
    l->caches = h->caches;
    if (module->registers == NULL) {
        module->registers = calloc((size_t)module->text.function_count + 1, sizeof(int32_t));
        if (module->registers == NULL) return false;
        h->asking = hd__model_ptxas_begin(&h->ptxas, module->ptx, model->settings.arch);
    }
    return true;
}

static void take_answer(hardware *h, hd_model_module *module)
{
    if (!h->asking) return;
    hd__model_ptxas_end(&h->ptxas, &module->text, module->registers);
    h->asking = false;
}

void hd__model_hardware_close(hardware *h, hd_model_module *module)
{
    take_answer(h, module);
    hd__model_caches_free(h->caches);
    h->caches = NULL;
}

// ---- What the instructions come to --------------------------------------------------------------

typedef struct code_sums {
    double instructions, cycles, warp_instructions; // threads'; schedulers'; warps'
    double floats, integers;                        // operations of threads
    double requests;                                // of warps, beyond the multiprocessor
} code_sums;

static double operations_of(const ptx_instruction *i)
{
    switch (i->op) {
    case PTX_OP_fma:
    case PTX_OP_mad: return 2;
    case PTX_OP_add:
    case PTX_OP_sub:
    case PTX_OP_mul:
    case PTX_OP_div:
    case PTX_OP_min:
    case PTX_OP_max:
    case PTX_OP_sqrt:
    case PTX_OP_rsqrt:
    case PTX_OP_rcp:
    case PTX_OP_ex2:
    case PTX_OP_lg2:
    case PTX_OP_sin:
    case PTX_OP_cos: return 1;
    default: return 0;
    }
}

static void add_site(code_sums *sums, const ptx_instruction *i, const hd_model_counts *c,
                     const code_cost *cost)
{
    const bool is_float =
        i->types > 0 && hd__model_ptx_type_kind((ptx_type)i->type[0]) == PTX_FLOAT;
    const double operations = operations_of(i) * (double)c->thread_instructions;
    sums->instructions += (double)cost->instructions * (double)c->thread_instructions;
    sums->warp_instructions += (double)cost->instructions * (double)c->warp_instructions;
    sums->cycles += (double)cost->cycles * (double)c->warp_instructions;
    *(is_float ? &sums->floats : &sums->integers) += operations;
}

static const site_table *instruction_table(const launch_states *s)
{
    for (int k = 0; s->observers[k] != NULL; k++)
        if (s->observers[k] == &hd__model_instruction_counts) return s->states[k];
    return NULL;
}

static bool sum_code(code_sums *sums, const launch_states *s, const architecture *a)
{
    const site_table *table = instruction_table(s);
    for (int32_t f = 0; table != NULL && f < s->module->text->function_count; f++) {
        const program *p = &s->module->programs[f];
        if (p->code == NULL) continue;
        code_cost *costs = malloc(((size_t)p->text->length + 1) * sizeof *costs);
        if (costs == NULL || !hd__model_code_costs(p->text, a, costs)) {
            free(costs);
            return false;
        }
        for (int32_t k = 0; k < p->length && k < p->text->length; k++)
            add_site(sums, p->code[k].text, &table->at[p->code[k].site], &costs[k]);
        free(costs);
    }
    return true;
}

// ---- The report ---------------------------------------------------------------------------------

static void report_caches(hd_model_report *r, const cache_counts *c)
{
    r->l1_hits = c->l1_hits, r->l1_misses = c->l1_misses;
    r->l2_hits = c->l2_hits, r->l2_misses = c->l2_misses;
    r->constant_hits = c->constant_hits, r->constant_misses = c->constant_misses;
    r->dram_read = c->dram_read, r->dram_written = c->dram_written;
    r->dram_bytes = c->dram_read + c->dram_written;
    r->l2_bytes = (c->l2_reads + c->l2_writes + c->l2_atomics) * CACHE_SECTOR;
}

static void report_occupancy(hd_model_report *r, const occupancy *o, int32_t registers)
{
    r->registers = registers;
    r->resident_blocks = o->blocks, r->resident_warps = o->warps;
    r->occupancy = o->share, r->occupancy_limit = o->limit;
}

static void report_time(hd_model_report *r, const prediction *p, const code_sums *sums)
{
    const double operations = sums->floats > 0 ? sums->floats : sums->integers;
    r->machine_instructions = (int64_t)(sums->instructions + 0.5);
    r->intensity = r->dram_bytes > 0 ? operations / (double)r->dram_bytes : 0;
    r->predicted_seconds = p->seconds, r->bound = p->bound;
    r->memory_seconds = p->memory, r->l2_seconds = p->l2, r->l1_seconds = p->l1;
    r->issue_seconds = p->issue, r->latency_seconds = p->latency;
    r->atomic_seconds = p->atomics, r->block_seconds = p->blocks;
}

bool hd__model_hardware_end(hardware *h, hd_model *model, hd_model_module *module, int32_t function,
                            const launch_states *s)
{
    hd_model_report *r = &model->report;
    code_sums sums = {0};
    cache_counts counts;
    if (h->caches == NULL) return true;
    take_answer(h, module);
    if (!hd__model_caches_counts(h->caches, &counts) || !sum_code(&sums, s, h->a)) return false;
    const int32_t known = module->registers[function];
    const occupancy o = hd__model_occupancy(
        h->a, threads_of(s->launch), known > 0 ? known : h->estimate, shared_of(module, s->launch));
    const double warps = (double)blocks_of(s->launch) * warps_of(s->launch);
    const hd_model_counts *c = &r->total;
    const workload w = {
        .a = h->a,
        .occupancy = &o,
        .caches = counts,
        .blocks = blocks_of(s->launch),
        .warps = warps_of(s->launch),
        .cycles = sums.cycles,
        .longest = sums.warp_instructions / warps,
        .requests = (double)(c->global_loads + c->local_requests) / warps,
        .wavefronts = (double)(c->wavefronts + counts.wavefronts),
        .barriers = (double)c->barriers / warps,
        .constant_passes =
            (double)(counts.constant_hits + counts.constant_misses - c->constant_requests),
    };
    const prediction p = hd__model_predict(&w);
    report_caches(r, &counts);
    report_occupancy(r, &o, known > 0 ? known : -h->estimate);
    report_time(r, &p, &sums);
    return true;
}
