// SPDX-License-Identifier: Apache-2.0
//
// One row of the tour: the same bits as the serial backend, then the time of a call beside the
// machine's measured peak for the same bytes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/support/progress.h"
#include "tour.h"

// Sizes at which the bits are compared: around the tiles of every level, and awkward.
static const int64_t check_sizes[] = {0, 1, 2, 17, 255, 257, 4099, 65537, 300007};
enum { TIMES_MAX = 51, TIMES_MIN = 7, PEAKS_KEPT = 4 };
static const double TIME_ENOUGH = 0.3; // seconds of calls for a median

static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 31;
}

// Floats in -1 .. 1, integers of few bits.
static void fill(hd_view v)
{
    const int64_t n = hd_count(v);
    uint64_t state = 1;
    for (int64_t i = 0; i < n; i++) {
        const int64_t x = (int64_t)(next_random(&state) >> 40) - (1 << 23);
        switch (v.type) {
        case HD_F32: ((float *)v.data)[i] = (float)x * 0x1p-23f; break;
        case HD_F64: ((double *)v.data)[i] = (double)x * 0x1p-23; break;
        case HD_I32: ((int32_t *)v.data)[i] = (int32_t)(x >> 8); break;
        default: ((uint8_t *)v.data)[i] = (uint8_t)x; break;
        }
    }
}

typedef struct tour_run {
    tour_arrays a;
    hd_view expected;
} tour_run;

static void leave(hd_context *ctx, tour_run *r)
{
    hd_free(ctx, &r->a.in);
    hd_free(ctx, &r->a.out);
    hd_free(ctx, &r->a.offsets);
    hd_free(ctx, &r->expected);
}

static hd_status allocate(hd_context *ctx, hd_type type, int64_t n, hd_view *v)
{
    return hd_alloc(ctx, type, 1, &n, v);
}

static hd_status enter(hd_context *ctx, const tour_stop *stop, const tour_row *row, int64_t n,
                       tour_run *r)
{
    const int64_t m = stop->out_count(row, n);
    memset(r, 0, sizeof *r);
    hd_status status = allocate(ctx, row->type, n, &r->a.in);
    if (status == HD_OK) status = allocate(ctx, row->out_type, m, &r->a.out);
    if (status == HD_OK && row->segment)
        status = allocate(ctx, HD_I64, (n + row->segment - 1) / row->segment + 1, &r->a.offsets);
    if (status != HD_OK) {
        leave(ctx, r);
        return status;
    }
    if (stop->fill != NULL)
        stop->fill(r->a.in);
    else
        fill(r->a.in);
    for (int64_t j = 0; row->segment && j < r->a.offsets.shape[0]; j++)
        ((int64_t *)r->a.offsets.data)[j] = j * row->segment < n ? j * row->segment : n;
    return HD_OK;
}

static void differ(tour_outcome *o, int64_t n, const char *what)
{
    snprintf(o->wrong, sizeof o->wrong, "n = %lld: %s", (long long)n, what);
    o->right = false;
}

static void check_size(hd_context *ctx, hd_context *serial, const tour_stop *stop,
                       const tour_row *row, int64_t n, tour_outcome *o)
{
    tour_run r;
    if (enter(ctx, stop, row, n, &r) != HD_OK) {
        differ(o, n, hd_error(ctx));
        return;
    }
    tour_arrays plain = r.a;
    if (allocate(ctx, row->out_type, hd_count(r.a.out), &r.expected) != HD_OK) {
        differ(o, n, hd_error(ctx));
    } else {
        plain.out = r.expected;
        const size_t bytes = (size_t)hd_count(r.a.out) * hd_type_size(row->out_type);
        if (stop->run(ctx, row, &r.a) != HD_OK)
            differ(o, n, hd_error(ctx));
        else if (stop->run(serial, row, &plain) != HD_OK)
            differ(o, n, hd_error(serial));
        else if (bytes > 0 && memcmp(r.a.out.data, r.expected.data, bytes) != 0)
            differ(o, n, "not the bits of the serial backend");
    }
    leave(ctx, &r);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare);
    return times[count / 2];
}

// The fastest plain way over the same arrays; looked for once for each kind and number of bytes.
static peak_way peak_of(peak_kind kind, peak_arrays arrays, int64_t bytes, int threads)
{
    static struct {
        int64_t bytes;
        peak_way way;
    } known[PEAK_KINDS][PEAKS_KEPT];
    int k = 0;
    while (k < PEAKS_KEPT - 1 && known[kind][k].bytes != 0 && known[kind][k].bytes != bytes) k++;
    if (known[kind][k].bytes != bytes) {
        known[kind][k].bytes = bytes;
        known[kind][k].way = peak_find(kind, arrays, bytes, threads);
    }
    return known[kind][k].way;
}

// Calls and plain passes take turns, so that whatever else the machine does slows both.
static void time_calls(hd_context *ctx, const tour_stop *stop, const tour_row *row,
                       const tour_run *r, tour_outcome *o)
{
    const int64_t bytes = o->elements * (int64_t)hd_type_size(row->type);
    const peak_arrays arrays = {.out = r->a.out.data, .in = r->a.in.data};
    double times[TIMES_MAX], peaks[TIMES_MAX], total = 0;
    int count = 0;
    if (stop->run(ctx, row, &r->a) != HD_OK) { // also touches every page once
        differ(o, o->elements, hd_error(ctx));
        return;
    }
    const peak_way way = peak_of(stop->peak, arrays, bytes, hd_threads(ctx));
    while (count < TIMES_MAX && (count < TIMES_MIN || total < TIME_ENOUGH)) {
        const double start = seconds_now();
        stop->run(ctx, row, &r->a);
        const double middle = seconds_now();
        peak_run(&way, arrays, bytes);
        peaks[count] = seconds_now() - middle;
        total += times[count++] = middle - start;
    }
    o->bytes = peak_traffic(stop->peak, bytes);
    o->seconds = median(times, count);
    o->bytes_per_second = (double)o->bytes / o->seconds;
    o->peak = (double)o->bytes / median(peaks, count);
}

bool tour_absent(hd_context *ctx, const tour_stop *stop)
{
    tour_run r;
    if (enter(ctx, stop, &stop->rows[0], 16, &r) != HD_OK) return false;
    const hd_status status = stop->run(ctx, &stop->rows[0], &r.a);
    leave(ctx, &r);
    return status == HD_ERROR_BACKEND;
}

tour_outcome tour_measure(hd_context *ctx, hd_context *serial, const tour_stop *stop,
                          const tour_row *row, int64_t n)
{
    tour_outcome o = {.right = true, .elements = n};
    for (size_t k = 0; k < sizeof check_sizes / sizeof *check_sizes && o.right; k++)
        check_size(ctx, serial, stop, row, check_sizes[k], &o);
    if (!o.right) return o;
    tour_run r;
    if (enter(ctx, stop, row, n, &r) != HD_OK) {
        differ(&o, n, hd_error(ctx));
        return o;
    }
    time_calls(ctx, stop, row, &r, &o);
    leave(ctx, &r);
    return o;
}
