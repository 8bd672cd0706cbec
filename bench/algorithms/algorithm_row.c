// SPDX-License-Identifier: Apache-2.0
//
// Arrays, numbers and the check of the rows of algorithms.
#include "algorithm_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096

void *algorithm_begin(bench_row *row, data *d, const char *work, size_t state_bytes)
{
    algorithm_row *a = calloc(1, state_bytes);
    row->state = a;
    if (!a) return NULL;
    d->fill = FILL_NONE;
    a->peer.work = work;
    row->job.more = &a->peer;
    row->check = algorithm_check;
    row->host_only = true;
    return a;
}

void *algorithm_array(algorithm_row *a, int64_t n, size_t size)
{
    const size_t bytes = ((size_t)n * size / PAGE + 1) * PAGE;
    void *p = a->owned_count < ROW_ARRAYS ? aligned_alloc(PAGE, bytes) : NULL;
    if (p)
        a->owned[a->owned_count++] = memset(p, 0, bytes);
    else
        a->no_memory = true;
    return p;
}

void algorithm_input(algorithm_row *a, int k, const void *data, int32_t type, int64_t n)
{
    a->peer.array[k] = (peer_array){data, n, type};
    if (k >= a->peer.arrays) a->peer.arrays = k + 1;
}

void algorithm_output(bench_row *row, data *d, int64_t out_n)
{
    algorithm_row *a = row->state;
    row_set(row, PEER_ALGORITHM, d->in, d->out, out_n);
    a->peer.out_n = a->want_n = out_n;
    a->want = algorithm_array(a, out_n, data_type_size(row->job.out_type));
}

void algorithm_peak(bench_row *row, peak_kind peak, int64_t bytes, int64_t peak_bytes)
{
    row->peak = peak, row->bytes = bytes, row->peak_bytes = peak_bytes;
}

void algorithm_on_device(bench_row *row, int k, hd_view *view)
{
    const double in = (double)row->job.n * (double)data_type_size(row->job.type);
    row->view[k] = view;
    row->host_only = false;
    row->peak_scale = (double)row->bytes / (row->peak == PEAK_READ ? in : 2 * in);
}

hd_view algorithm_at(hd_view shape, hd_view at)
{
    shape.data = at.data, shape.space = at.space, shape.device = at.device;
    return shape;
}

void algorithm_finish(bench_row *row)
{
    algorithm_row *a = row->state;
    for (int k = 0; a && k < a->owned_count; k++) free(a->owned[k]);
    free(a);
    row->state = NULL;
}

// ---- Numbers --------------------------------------------------------------------------------

void algorithm_store(void *x, int32_t type, int64_t i, double value)
{
    if (type == PEER_F64)
        ((double *)x)[i] = value;
    else
        ((float *)x)[i] = (float)value;
}

double algorithm_load(const void *x, int32_t type, int64_t i)
{
    return type == PEER_F64 ? ((const double *)x)[i] : (double)((const float *)x)[i];
}

void algorithm_fill(void *x, int32_t type, int64_t n, int64_t sequence)
{
    for (int64_t i = 0; i < n; i++)
        algorithm_store(x, type, i, algorithm_signed((sequence << 40) + i));
}

// ---- The check ------------------------------------------------------------------------------

static bool all_close(const algorithm_row *a, const void *got, int32_t type)
{
    double most = 0;
    for (int64_t i = 0; i < a->want_n; i++) { // fmax here is more than gcc 12 for aarch64 compiles
        const double size = fabs(algorithm_load(a->want, type, i));
        if (size > most) most = size;
    }
    for (int64_t i = 0; i < a->want_n; i++) {
        const double apart = fabs(algorithm_load(got, type, i) - algorithm_load(a->want, type, i));
        if (!(apart <= a->tolerance * most)) return false;
    }
    return true;
}

bool algorithm_check(const bench_row *row)
{
    const algorithm_row *a = row->state;
    const int32_t type = row->job.out_type;
    if (a->tolerance > 0) return all_close(a, row->job.out, type);
    return memcmp(row->job.out, a->want, (size_t)a->want_n * data_type_size(type)) == 0;
}
