// SPDX-License-Identifier: Apache-2.0
// Sort as it is defined: the indices of each row or segment by a stable merge sort that compares
// keys, by value or by a user's comparison, then everything moved by them.
#include "serial/serial.h"
#include "core/convert.h"
#include "patterns/scan/head_flags.h"
#include "patterns/sort/sort.h"

#include <math.h>

typedef struct sorter {
    const hd__sort_job *job;
    size_t size;         // of a key
    unsigned char *keys; // all of them, one after another
    int64_t *order, *spare;
} sorter;

// ---- The order of two keys --------------------------------------------------------------------

static double float_of(hd_type type, const void *key)
{
    double x;
    hd__convert(HD_F64, &x, type, key, 1);
    return x;
}

// Negative, zero or positive as a comes before b, with it, or after it, going up.
static int compare_floats(double a, double b)
{
    if (a != b) return a < b ? -1 : 1;
    return (signbit(a) == 0) - (signbit(b) == 0); // -0 before +0
}

static int compare_integers(hd_type type, const void *a, const void *b)
{
    int64_t x, y;
    hd__convert(HD_I64, &x, type, a, 1);
    hd__convert(HD_I64, &y, type, b, 1);
    if (hd__kind_of(type) == HD__UNSIGNED)
        return ((uint64_t)x > (uint64_t)y) - ((uint64_t)x < (uint64_t)y);
    return (x > y) - (x < y);
}

static bool after(const sorter *s, int64_t i, int64_t j)
{
    const void *a = s->keys + (size_t)i * s->size, *b = s->keys + (size_t)j * s->size;
    const hd_type type = s->job->keys.type;
    const hd_comparison *own = s->job->order;
    int order;
    if (own != NULL) return s->job->descending ? hd__precedes(own, a, b) : hd__precedes(own, b, a);
    if (hd__is_float(type)) {
        const double x = float_of(type, a), y = float_of(type, b);
        if (x != x || y != y) return x != x && y == y; // NaN last, both ways
        order = compare_floats(x, y);
    } else if (type == HD_BOOL) {
        order = (*(const uint8_t *)a != 0) - (*(const uint8_t *)b != 0);
    } else {
        order = compare_integers(type, a, b);
    }
    return s->job->descending ? order < 0 : order > 0;
}

// ---- Rows -------------------------------------------------------------------------------------

// Sorts order[low .. high - 1].
static void merge_sort(sorter *s, int64_t low, int64_t high)
{
    if (high - low < 2) return;
    const int64_t middle = low + (high - low) / 2;
    merge_sort(s, low, middle);
    merge_sort(s, middle, high);
    for (int64_t i = low, j = middle, k = low; k < high; k++) {
        const bool right = i == middle || (j < high && after(s, s->order[i], s->order[j]));
        s->spare[k] = right ? s->order[j++] : s->order[i++];
    }
    for (int64_t k = low; k < high; k++) s->order[k] = s->spare[k];
}

static void sort_segments(sorter *s)
{
    const hd_view *segments = &s->job->segments;
    for (int64_t j = 0; j + 1 < segments->shape[0]; j++) {
        int64_t ends[2];
        hd__offsets(segments, j, 2, ends);
        merge_sort(s, ends[0], ends[1]);
    }
}

// ---- Moving -----------------------------------------------------------------------------------

// out[i] = in[order[i]], by way of `room` for all of them: in and out may be one.
static void move(const sorter *s, const hd_view *in, const hd_view *out, unsigned char *room)
{
    const size_t size = hd__size_of(in->type);
    for (int64_t i = 0; i < s->job->n; i++) hd__gather(in, s->order[i], 1, room + (size_t)i * size);
    if (in->type == HD_BOOL && out == &s->job->out && s->job->order == NULL)
        for (int64_t i = 0; i < s->job->n; i++) room[i] = room[i] != 0;
    hd__scatter(out, 0, s->job->n, room);
}

static void put_indices(const sorter *s)
{
    const hd__sort_job *job = s->job;
    for (int64_t i = 0; i < job->n; i++) {
        const int64_t within = s->order[i] - i / job->length * job->length;
        uint64_t index;
        hd__convert(job->indices.type, &index, HD_I64, &within, 1);
        hd__scatter(&job->indices, i, 1, &index);
    }
}

static size_t widest(const hd__sort_job *job)
{
    size_t most = hd__size_of(job->keys.type);
    for (int64_t k = 0; k < job->value_count; k++) {
        const size_t size = hd__size_of(job->values[2 * k].type);
        if (size > most) most = size;
    }
    return most;
}

hd_status hd__serial_sort(hd_context *ctx, const void *any, const char **why)
{
    const hd__sort_job *job = any;
    (void)why; // never declines
    if (!hd__is_empty(&job->segments))
        HD_TRY(hd__check_all_offsets(ctx, "hd_sort", &job->segments, job->n));
    if (job->n == 0) return HD_OK;
    const size_t n = (size_t)job->n, size = hd__size_of(job->keys.type);
    unsigned char *memory = hd__scratch(ctx, n * (2 * sizeof(int64_t) + size + widest(job)));
    if (memory == NULL) return HD_ERROR_MEMORY;
    int64_t *order = (int64_t *)memory;
    sorter s = {job, size, (unsigned char *)(order + 2 * n), order, order + n};
    unsigned char *room = s.keys + size * n;
    hd__gather(&job->keys, 0, job->n, s.keys);
    for (int64_t i = 0; i < job->n; i++) s.order[i] = i;
    if (!hd__is_empty(&job->segments))
        sort_segments(&s);
    else
        for (int64_t at = 0; at < job->n; at += job->length) merge_sort(&s, at, at + job->length);
    if (!hd__is_empty(&job->out)) move(&s, &job->keys, &job->out, room);
    for (int64_t k = 0; k < job->value_count; k++) {
        hd_view in, out;
        hd__sort_value(job, k, &in, &out);
        move(&s, &in, &out, room);
    }
    if (!hd__is_empty(&job->indices)) put_indices(&s);
    return HD_OK;
}
