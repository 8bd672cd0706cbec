// SPDX-License-Identifier: Apache-2.0
// The table of the cpu backend, and the grain size: how many threads an input is worth.
#include "cpu.h"
#include "isa.h"

#include <stdlib.h>

#define PATTERN(name, NAME) extern HD__WEAK hd__run hd__cpu_##name;
#include "core/patterns.def"
#undef PATTERN
extern HD__WEAK __typeof__(hd__cpu_reduce_row) hd__cpu_reduce_row;
extern HD__WEAK __typeof__(hd__cpu_scan_row) hd__cpu_scan_row;
extern HD__WEAK __typeof__(hd__cpu_sort_row) hd__cpu_sort_row;
extern HD__WEAK __typeof__(hd__cpu_compact_row) hd__cpu_compact_row;
extern HD__WEAK __typeof__(hd__cpu_partition_row) hd__cpu_partition_row;
extern HD__WEAK __typeof__(hd__cpu_scatter_row) hd__cpu_scatter_row;
extern HD__WEAK __typeof__(hd__cpu_gather_row) hd__cpu_gather_row;
extern HD__WEAK __typeof__(hd__cpu_histogram_row) hd__cpu_histogram_row;

// The instruction set is the caller's, that of HEDDLE_ISA, or the best of this machine.
static hd_status choose_isa(hd_context *ctx, const hd_context_options *options)
{
    const char *name = options->isa != NULL ? options->isa : getenv("HEDDLE_ISA");
    const hd__cpu_isa *isa =
        name != NULL && name[0] != 0 ? hd__cpu_isa_named(name) : hd__cpu_isa_best();
    if (isa == NULL)
        return hd__fail(ctx, HD_ERROR_BACKEND,
                        "hd_open: instruction set '%.40s' is not built in, or not of this machine; "
                        "the best here is '%s'",
                        name, hd__cpu_isa_best()->name);
    ctx->isa = isa->name;
    ctx->state[HD_CPU] = (void *)(uintptr_t)isa->table;
    return HD_OK;
}

const hd__backend hd__cpu_backend = {
    .name = "cpu",
    .id = HD_CPU,
    .automatic = true,
    .has_threads = true,
    .open = choose_isa,
    .run =
        {
#define PATTERN(name, NAME) [HD__##NAME##_PATTERN] = hd__cpu_##name,
#include "core/patterns.def"
#undef PATTERN
        },
    .reduce_row = hd__cpu_reduce_row,
    .scan_row = hd__cpu_scan_row,
    .sort_row = hd__cpu_sort_row,
    .compact_row = hd__cpu_compact_row,
    .partition_row = hd__cpu_partition_row,
    .scatter_row = hd__cpu_scatter_row,
    .gather_row = hd__cpu_gather_row,
    .histogram_row = hd__cpu_histogram_row,
    .tuning = &hd__cpu_tuning_table,
    .tune = hd__cpu_tune_once,
};

int hd__cpu_threads_for(const hd_context *ctx, int64_t n, size_t size)
{
    const int64_t grain = hd__cpu_tune.grain_bytes;
    const int64_t bytes = n > INT64_MAX / HD_MAX_ELEMENT ? INT64_MAX : n * (int64_t)size;
    if (bytes < grain) return 1;
    const int64_t most = bytes / (grain / 4);
    return most < ctx->threads ? (int)most : ctx->threads;
}

size_t hd__cpu_element_cost(const hd__reader *in)
{
    const bool light = in->direct && in->fold->op != HD__USER_OP;
    return in->fold->element_size * (size_t)(light ? 1 : hd__cpu_tune.user_operator_cost);
}
