// SPDX-License-Identifier: Apache-2.0
// A stage on the model machine: everything is counted and checked.
#include "stage_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct own {
    hd_model *model;
    hd_model_module *module;
} own;

static hd_model *model_of(const stage *s)
{
    return ((own *)s->own)->model;
}

// Keeps the error; returns whether there was none.
static bool went(stage *s, hd_status status)
{
    if (status != HD_OK) stage_fail(s, status, hd_model_error(model_of(s)));
    return status == HD_OK;
}

static void open_model(stage *s, const char *text, const char *name, const stage_options *options)
{
    own *o = s->own = calloc(1, sizeof *o);
    const hd_model_options how = {.arch = options->arch,
                                  .threads = options->threads,
                                  .seed = options->seed,
                                  .checks = options->checks,
                                  .max_steps = options->max_steps,
                                  .compiler = options->compiler,
                                  .print = options->print,
                                  .print_user = options->print_user};
    const hd_model_load_options load = {.name = name, .define = options->define};
    const hd_status opened = o != NULL ? hd_model_open(&o->model, &how) : HD_ERROR_MEMORY;
    if (opened == HD_ERROR_MEMORY)
        stage_fail(s, opened, "no memory");
    else if (went(s, opened))
        went(s, hd_model_load_text(o->model, text, (int64_t)strlen(text), &load, &o->module));
}

static void close_model(stage *s)
{
    if (s->own != NULL) hd_model_close(model_of(s));
    free(s->own);
}

static stage_address room(stage *s, int64_t bytes)
{
    uint64_t address = 0;
    went(s, hd_model_alloc(model_of(s), bytes, &address));
    return address;
}

static void clear(stage *s, stage_address at, int64_t bytes)
{
    went(s, hd_model_fill(model_of(s), at, 0, bytes));
}

static void release(stage *s, stage_address at)
{
    went(s, hd_model_free(model_of(s), at));
}

static void write_data(stage *s, stage_address to, const void *data, int64_t bytes)
{
    went(s, hd_model_write(model_of(s), to, data, bytes));
}

static void read_data(stage *s, stage_address from, void *to, int64_t bytes)
{
    went(s, hd_model_read(model_of(s), from, to, bytes));
}

static void set(stage *s, const char *variable, const void *data, int64_t bytes)
{
    const own *o = s->own;
    uint64_t address;
    int64_t there;
    if (!went(s, hd_model_variable(o->model, o->module, variable, &address, &there))) return;
    if (there < bytes)
        stage_fail(s, HD_ERROR_SHAPE, "a variable of the kernel is too small for its data");
    else
        write_data(s, address, data, bytes);
}

// ---- Adding up ----------------------------------------------------------------------------------

static void add_counts(hd_model_counts *sum, const hd_model_counts *x)
{
    // The structure is nothing but int64_t, so that it can grow without this function.
    _Static_assert(sizeof *sum % sizeof(int64_t) == 0, "counts are whole numbers");
    int64_t a[sizeof *sum / sizeof(int64_t)], b[sizeof *sum / sizeof(int64_t)];
    memcpy(a, sum, sizeof a);
    memcpy(b, x, sizeof b);
    for (size_t k = 0; k < sizeof a / sizeof *a; k++) a[k] += b[k];
    memcpy(sum, a, sizeof a);
}

static void add_findings(stage_totals *t, const hd_model_report *r)
{
    for (int32_t k = 0; k < r->finding_count && t->finding_count < STAGE_FINDINGS; k++) {
        const hd_model_finding *f = &r->findings[k];
        stage_finding *to = &t->findings[t->finding_count++];
        to->hazard = f->hazard;
        to->line = f->line;
        to->times = f->times;
        snprintf(to->text, sizeof to->text, "%s", f->text);
    }
}

static bool is_told(const stage_totals *t, const hd_model_warning *w)
{
    for (int32_t k = 0; k < t->warning_count; k++)
        if (t->warnings[k].line == w->line && strcmp(t->warnings[k].text, w->text) == 0)
            return true;
    return false;
}

static void add_warnings(stage_totals *t, const hd_model_report *r)
{
    for (int32_t k = 0; k < r->warning_count && t->warning_count < STAGE_WARNINGS; k++) {
        const hd_model_warning *w = &r->warnings[k];
        if (is_told(t, w)) continue;
        stage_warning *to = &t->warnings[t->warning_count++];
        to->line = w->line;
        snprintf(to->text, sizeof to->text, "%s", w->text);
    }
}

// The samples of a report go with it, and so do the names of its files.
static void keep(hd_model_sample *worst, const hd_model_sample *s, int64_t cost, int64_t least)
{
    if (cost <= least) return;
    *worst = *s;
    worst->file = NULL;
}

static void add_samples(stage_totals *t, const hd_model_report *r)
{
    for (int32_t k = 0; k < r->sample_count; k++) {
        const hd_model_sample *s = &r->samples[k];
        hd_model_sample *g = &t->global_sample, *b = &t->shared_sample;
        if (s->shared)
            keep(b, s, s->conflicts, b->bytes > 0 ? b->conflicts : 0);
        else
            keep(g, s, s->sectors - s->ideal_sectors,
                 g->bytes > 0 ? g->sectors - g->ideal_sectors : 0);
    }
}

const char *const stage_parts[7] = {"DRAM",    "the L2",  "the L1",         "issuing",
                                    "latency", "atomics", "starting blocks"};

void stage_add(stage_totals *t, const hd_model_report *r)
{
    const double parts[] = {r->memory_seconds, r->l2_seconds,      r->l1_seconds,
                            r->issue_seconds,  r->latency_seconds, r->atomic_seconds,
                            r->block_seconds};
    int64_t blocks = 1, threads = 1;
    for (int k = 0; k < 3; k++) {
        blocks *= r->shape.grid[k] > 0 ? r->shape.grid[k] : 1;
        threads *= r->shape.block[k] > 0 ? r->shape.block[k] : 1;
    }
    add_counts(&t->counts, &r->total);
    t->work += r->total.thread_instructions;
    t->span += (double)r->total.warp_instructions / (double)(blocks * ((threads + 31) / 32));
    t->threads += blocks * threads;
    for (int k = 0; k < 7; k++) t->parts[k] += parts[k];
    t->dram_bytes += r->dram_bytes;
    t->l2_hits += r->l2_hits;
    t->l2_misses += r->l2_misses;
    t->predicted_seconds += r->predicted_seconds;
    t->host_seconds += r->seconds;
    if (t->launches == 0) {
        t->registers = r->registers;
        t->resident_warps = r->resident_warps;
        t->occupancy = r->occupancy;
        t->occupancy_limit = r->occupancy_limit != NULL ? r->occupancy_limit : "";
        t->bound = r->bound != NULL ? r->bound : "";
    }
    add_findings(t, r);
    add_warnings(t, r);
    add_samples(t, r);
}

// A kernel that is not the ladder's own may want other arguments than it gets: more bytes of one
// than there are must not be read. How many there are the model looks at.
static bool arguments_fit(stage *s, const char *kernel, const char *format, int32_t count)
{
    const own *o = s->own;
    char text[256];
    if (hd_model_parameters(o->module, kernel) != count) return true;
    for (int32_t k = 0; k < count; k++) {
        const char kind = format[k];
        const int64_t got = kind == 'p' || kind == 'l' ? 8 : 4;
        const int64_t wanted = hd_model_parameter_bytes(o->module, kernel, k);
        if (wanted == got) continue;
        snprintf(text, sizeof text, "argument %d of %s has %lld bytes, and gets %s of %d",
                 (int)k + 1, kernel, (long long)wanted,
                 kind == 'p'   ? "a pointer"
                 : kind == 'l' ? "a long long"
                 : kind == 'f' ? "a float"
                               : "an int",
                 (int)got);
        stage_fail(s, HD_ERROR_ARGUMENT, text);
        return false;
    }
    return true;
}

static void launch(stage *s, const char *kernel, const stage_shape *shape, const char *format,
                   const void *const *arguments, int32_t count)
{
    const own *o = s->own;
    if (!arguments_fit(s, kernel, format, count)) return;
    const hd_model_report *report;
    hd_model_shape on = {.shared = shape->shared};
    memcpy(on.grid, shape->grid, sizeof on.grid);
    memcpy(on.block, shape->block, sizeof on.block);
    if (went(s, hd_model_launch(o->model, o->module, kernel, on, arguments, count, &report)))
        stage_add(&s->sum, report);
}

const stage_driver stage_model = {open_model, close_model, room, clear, release,
                                  write_data, read_data,   set,  launch};
