// SPDX-License-Identifier: Apache-2.0
// A stage over the model machine: see stage.h.
#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ARGUMENTS 16

struct stage {
    hd_model *model;
    hd_model_module *module;
    hd_status status;
    char error[600];
    stage_totals sum;
};

static void fail(stage *s, hd_status status, const char *text)
{
    if (s->status != HD_OK) return;
    s->status = status;
    snprintf(s->error, sizeof s->error, "%s", text);
}

// Keeps the first error; returns whether the stage is still good.
static bool went(stage *s, hd_status status)
{
    if (status != HD_OK) fail(s, status, hd_model_error(s->model));
    return s->status == HD_OK;
}

void stage_open(stage **out, const char *text, const char *name, const stage_options *options)
{
    stage *s = *out = calloc(1, sizeof *s);
    if (s == NULL) return;
    s->sum.occupancy_limit = s->sum.bound = "";
    const hd_model_options how = {.arch = options->arch,
                                  .threads = options->threads,
                                  .seed = options->seed,
                                  .checks = options->checks,
                                  .compiler = options->compiler,
                                  .print = options->print,
                                  .print_user = options->print_user};
    const hd_model_load_options load = {.name = name, .define = options->define};
    const hd_status opened = hd_model_open(&s->model, &how);
    if (opened == HD_ERROR_MEMORY)
        fail(s, opened, "no memory");
    else if (went(s, opened))
        went(s, hd_model_load_text(s->model, text, (int64_t)strlen(text), &load, &s->module));
}

void stage_close(stage *s)
{
    if (s == NULL) return;
    hd_model_close(s->model);
    free(s);
}

bool stage_failed(const stage *s)
{
    return s->status != HD_OK;
}

hd_status stage_status(const stage *s)
{
    return s->status;
}

const char *stage_error(const stage *s)
{
    return s->error;
}

const stage_totals *stage_sum(const stage *s)
{
    return &s->sum;
}

stage_address stage_room(stage *s, int64_t bytes)
{
    uint64_t address = 0;
    if (s->status == HD_OK) went(s, hd_model_alloc(s->model, bytes, &address));
    return address;
}

stage_address stage_zeros(stage *s, int64_t bytes)
{
    const stage_address at = stage_room(s, bytes);
    if (s->status == HD_OK) went(s, hd_model_fill(s->model, at, 0, bytes));
    return at;
}

void stage_write(stage *s, stage_address to, const void *data, int64_t bytes)
{
    if (s->status == HD_OK) went(s, hd_model_write(s->model, to, data, bytes));
}

stage_address stage_data(stage *s, const void *data, int64_t bytes)
{
    const stage_address at = stage_room(s, bytes);
    stage_write(s, at, data, bytes);
    return at;
}

void stage_free(stage *s, stage_address at)
{
    if (s->status == HD_OK) went(s, hd_model_free(s->model, at));
}

void stage_read(stage *s, stage_address from, void *to, int64_t bytes)
{
    if (s->status == HD_OK) went(s, hd_model_read(s->model, from, to, bytes));
}

void stage_set(stage *s, const char *variable, const void *data, int64_t bytes)
{
    uint64_t address;
    int64_t room;
    if (s->status != HD_OK) return;
    if (!went(s, hd_model_variable(s->model, s->module, variable, &address, &room))) return;
    if (room < bytes)
        fail(s, HD_ERROR_SHAPE, "a variable of the kernel is too small for its data");
    else
        stage_write(s, address, data, bytes);
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

static void add_report(stage_totals *t, const hd_model_report *r)
{
    int64_t threads = 1;
    for (int k = 0; k < 3; k++)
        threads *= (int64_t)(r->shape.grid[k] > 0 ? r->shape.grid[k] : 1) *
                   (r->shape.block[k] > 0 ? r->shape.block[k] : 1);
    t->threads += threads;
    add_counts(&t->counts, &r->total);
    t->work += r->work;
    t->steps += r->steps;
    t->dram_bytes += r->dram_bytes;
    t->predicted_seconds += r->predicted_seconds;
    t->host_seconds += r->seconds;
    if (t->launches++ == 0) {
        t->registers = r->registers;
        t->resident_warps = r->resident_warps;
        t->occupancy = r->occupancy;
        t->occupancy_limit = r->occupancy_limit != NULL ? r->occupancy_limit : "";
        t->bound = r->bound != NULL ? r->bound : "";
    }
    add_findings(t, r);
}

// ---- Launching ----------------------------------------------------------------------------------

typedef union argument {
    uint64_t address;
    int32_t i32;
    int64_t i64;
    float f32;
} argument;

static argument next_argument(char kind, va_list *list)
{
    argument a = {.address = 0};
    if (kind == 'p') a.address = va_arg(*list, stage_address);
    if (kind == 'i') a.i32 = va_arg(*list, int32_t);
    if (kind == 'l') a.i64 = va_arg(*list, int64_t);
    if (kind == 'f') a.f32 = (float)va_arg(*list, double);
    return a;
}

void stage_launch(stage *s, const char *kernel, stage_shape shape, const char *format, ...)
{
    if (s->status != HD_OK) return;
    argument values[MOST_ARGUMENTS];
    const void *pointers[MOST_ARGUMENTS];
    int32_t count = 0;
    va_list list;
    va_start(list, format);
    for (; format[count] != 0 && count < MOST_ARGUMENTS; count++) {
        values[count] = next_argument(format[count], &list);
        pointers[count] = &values[count];
    }
    va_end(list);
    const hd_model_report *report;
    hd_model_shape on = {.shared = shape.shared};
    memcpy(on.grid, shape.grid, sizeof on.grid);
    memcpy(on.block, shape.block, sizeof on.block);
    const hd_status status =
        hd_model_launch(s->model, s->module, kernel, on, pointers, count, &report);
    if (went(s, status)) add_report(&s->sum, report);
}
