// SPDX-License-Identifier: Apache-2.0
// What stages have in common: the first error stays, and arguments are gathered.
#include "stage_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

void stage_open(stage **out, const char *text, const char *name, const stage_options *options)
{
    stage *s = *out = calloc(1, sizeof *s);
    if (s == NULL) return;
    s->driver = options->cuda ? &stage_cuda : &stage_model;
    s->sum.occupancy_limit = s->sum.bound = "";
    s->driver->open(s, text, name, options);
}

void stage_close(stage *s)
{
    if (s == NULL) return;
    s->driver->close(s);
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

void stage_begin(stage *s)
{
    memset(&s->sum, 0, sizeof s->sum);
    s->sum.occupancy_limit = s->sum.bound = "";
}

void stage_chain(stage *s, double cycles)
{
    const double seconds = cycles * 1e-6 / (double)hd__model_architecture(90)->mhz;
    if (s->status != HD_OK || s->driver != &stage_model) return;
    s->sum.predicted_seconds += seconds - s->sum.parts[STAGE_LATENCY];
    s->sum.parts[STAGE_LATENCY] = seconds;
    s->sum.bound = "latency";
}

stage_address stage_room(stage *s, int64_t bytes)
{
    return s->status == HD_OK ? s->driver->room(s, bytes) : 0;
}

stage_address stage_zeros(stage *s, int64_t bytes)
{
    const stage_address at = stage_room(s, bytes);
    if (s->status == HD_OK) s->driver->clear(s, at, bytes);
    return at;
}

void stage_write(stage *s, stage_address to, const void *data, int64_t bytes)
{
    if (s->status == HD_OK) s->driver->write(s, to, data, bytes);
}

stage_address stage_data(stage *s, const void *data, int64_t bytes)
{
    const stage_address at = stage_room(s, bytes);
    stage_write(s, at, data, bytes);
    return at;
}

void stage_free(stage *s, stage_address at)
{
    if (s->status == HD_OK) s->driver->free(s, at);
}

void stage_read(stage *s, stage_address from, void *to, int64_t bytes)
{
    if (s->status == HD_OK) s->driver->read(s, from, to, bytes);
}

void stage_set(stage *s, const char *variable, const void *data, int64_t bytes)
{
    if (s->status == HD_OK) s->driver->set(s, variable, data, bytes);
}

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
    argument values[STAGE_ARGUMENTS];
    const void *pointers[STAGE_ARGUMENTS];
    int32_t count = 0;
    va_list list;
    va_start(list, format);
    for (; format[count] != 0 && count < STAGE_ARGUMENTS; count++) {
        values[count] = next_argument(format[count], &list);
        pointers[count] = &values[count];
    }
    va_end(list);
    for (int k = 0; k < 3; k++) {
        if (shape.grid[k] < 1) shape.grid[k] = 1;
        if (shape.block[k] < 1) shape.block[k] = 1;
    }
    s->driver->launch(s, kernel, &shape, format, pointers, count);
    if (s->status == HD_OK) s->sum.launches++;
}
