// SPDX-License-Identifier: Apache-2.0
// Set operations as they are defined: the lesser of both heads is alone, two equal ones are a pair.
#include "serial/serial.h"
#include "patterns/select/flags.h"
#include "patterns/select/set.h"

// The values of an element that is kept, whose index is that in a followed by b.
static void put_values(const hd__set_job *job, int64_t index)
{
    _Alignas(HD__ALIGNMENT) unsigned char element[HD_MAX_ELEMENT];
    const bool from_b = index >= job->na;
    for (int64_t k = 0; k < job->value_count; k++) {
        hd_view value[3];
        hd__set_value(job, k, value);
        if (*job->count >= hd__room(&value[2])) continue;
        hd__gather(&value[from_b], index - (from_b ? job->na : 0), 1, element);
        hd__scatter(&value[2], *job->count, 1, element);
    }
}

static void put(const hd__set_job *job, bool keep, const void *element, int64_t index)
{
    int64_t room;
    if (!keep) return;
    if (*job->count < hd__room(&job->out)) hd__scatter(&job->out, *job->count, 1, element);
    if (*job->count < hd__room(&job->indices))
        hd__put_positions(&job->indices, *job->count, 1, &index, &room);
    put_values(job, index);
    ++*job->count;
}

hd_status hd__serial_set(hd_context *ctx, const void *any, const char **why)
{
    const hd__set_job *job = any;
    _Alignas(HD__ALIGNMENT) unsigned char x[HD_MAX_ELEMENT], y[HD_MAX_ELEMENT];
    (void)ctx, (void)why; // never declines
    *job->count = 0;
    for (int64_t i = 0, j = 0; i < job->na || j < job->nb;) {
        if (i < job->na) hd__gather(&job->a, i, 1, x);
        if (j < job->nb) hd__gather(&job->b, j, 1, y);
        if (j == job->nb || (i < job->na && hd__comes_before(job->order, job->backwards, x, y))) {
            put(job, job->keep_a, x, i++);
        } else if (i == job->na || hd__comes_before(job->order, job->backwards, y, x)) {
            put(job, job->keep_b, y, job->na + j++);
        } else {
            put(job, job->keep_pairs, x, i++);
            j++;
        }
    }
    return HD_OK;
}
