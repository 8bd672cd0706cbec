// SPDX-License-Identifier: Apache-2.0
//
// The table of the tour's stops, and the figures of the lectures.
#include <stdio.h>
#include <string.h>

#include "tour.h"
#include "tour_patterns.h"

// ---- Figures -------------------------------------------------------------------------------

static void show_numbers(char *shown, size_t size, const int64_t *x, int64_t n)
{
    size_t used = strlen(shown);
    for (int64_t i = 0; i < n && used < size; i++)
        used +=
            (size_t)snprintf(shown + used, size - used, i == 0 ? "%lld" : " %lld", (long long)x[i]);
}

static void show_scan(hd_context *ctx, const int64_t *x, int64_t n, bool exclusive, char *shown,
                      size_t size)
{
    int64_t out[16];
    const hd_scan_options options = {.exclusive = exclusive};
    if (hd_scan(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(out, n), &options) != HD_OK)
        snprintf(shown, size, "%s", hd_error(ctx));
    else
        show_numbers(shown, size, out, n);
}

static const int64_t eight[] = {3, 1, 7, 0, 4, 1, 6, 3};
static const int64_t wants[] = {3, 5, 2, 7, 28, 4, 3, 0, 8, 1};
static const int64_t sixteen[] = {10, 1, 8, -1, 0, -2, 3, 5, -2, -3, 2, 7, 0, 11, 0, 2};

static void show_inclusive(hd_context *ctx, char *shown, size_t size)
{
    show_scan(ctx, eight, 8, false, shown, size);
}

static void show_exclusive(hd_context *ctx, char *shown, size_t size)
{
    show_scan(ctx, eight, 8, true, shown, size);
}

// A loaf of 100: who wants how much cuts where, and what is left.
static void show_bread(hd_context *ctx, char *shown, size_t size)
{
    int64_t eaten = 0;
    show_scan(ctx, wants, 10, false, shown, size);
    if (hd_reduce(ctx, HD_VIEW(wants, 10), HD_SUM, HD_VIEW(&eaten, 1), NULL) != HD_OK) return;
    const size_t used = strlen(shown);
    snprintf(shown + used, size - used, ", %lld left", (long long)(100 - eaten));
}

// Each step of the tree is a reduction of pairs: the rows of an array of two columns.
static void show_tree(hd_context *ctx, char *shown, size_t size)
{
    int64_t from[16], to[8];
    memcpy(from, sixteen, sizeof from);
    for (int64_t n = 8; n >= 1; n /= 2) {
        const hd_view pairs = hd_view_nd(HD_I64, from, 2, (int64_t[]){n, 2}, NULL);
        const hd_reduce_options options = {.axis = HD_AXIS(1)};
        if (hd_reduce(ctx, pairs, HD_SUM, HD_VIEW(to, n), &options) != HD_OK) break;
        show_numbers(shown, size, to, n);
        const size_t used = strlen(shown);
        if (n > 1) snprintf(shown + used, size - used, " | ");
        memcpy(from, to, (size_t)n * sizeof *to);
    }
}

static void show_total(hd_context *ctx, char *shown, size_t size)
{
    int64_t total = 0;
    if (hd_reduce(ctx, HD_VIEW(sixteen, 16), HD_SUM, HD_VIEW(&total, 1), NULL) != HD_OK)
        snprintf(shown, size, "%s", hd_error(ctx));
    else
        show_numbers(shown, size, &total, 1);
}

// ---- Reduce --------------------------------------------------------------------------------

static int64_t reduce_count(const tour_row *row, int64_t n)
{
    return row->segment == 0 ? 1 : (n + row->segment - 1) / row->segment;
}

static hd_status reduce_run(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    const hd_reduce_options options = {.segments = HD_REF(a->offsets)};
    return hd_reduce(ctx, a->in, row->op, a->out, row->segment ? &options : NULL);
}

static const tour_example reduce_examples[] = {
    {"sum of 10 1 8 -1 0 -2 3 5 -2 -3 2 7 0 11 0 2", "41", show_total},
    {"the tree, step by step", "11 7 -2 8 -5 9 11 2 | 18 6 4 13 | 24 17 | 41", show_tree},
    {NULL, NULL, NULL},
};

static const tour_row reduce_rows[] = {
    {"sum f32", HD_F32, HD_F32, HD_SUM, 0, false},
    {"sum f64", HD_F64, HD_F64, HD_SUM, 0, false},
    {"sum i32, in 64 bits", HD_I32, HD_I64, HD_SUM, 0, false},
    {"max f32", HD_F32, HD_F32, HD_MAX, 0, false},
    {"argmax f32", HD_F32, HD_I64, HD_ARGMAX, 0, false},
    {"variance f32", HD_F32, HD_F32, HD_VARIANCE, 0, false},
    {"sum u8, in 64 bits", HD_U8, HD_U64, HD_SUM, 0, false},
    {"sum f32 of segments of 16", HD_F32, HD_F32, HD_SUM, 16, false},
    {NULL, HD_NONE, HD_NONE, NULL, 0, false},
};

// ---- Scan ----------------------------------------------------------------------------------

static int64_t scan_count(const tour_row *row, int64_t n)
{
    (void)row;
    return n;
}

static hd_status scan_run(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    hd_scan_options options = {.exclusive = row->exclusive};
    options.segments = row->segment ? HD_REF(a->offsets) : NULL;
    return hd_scan(ctx, a->in, row->op, a->out, &options);
}

static const tour_example scan_examples[] = {
    {"inclusive, of 3 1 7 0 4 1 6 3", "3 4 11 11 15 16 22 25", show_inclusive},
    {"exclusive, of 3 1 7 0 4 1 6 3", "0 3 4 11 11 15 16 22", show_exclusive},
    {"bread of 100, cut for 3 5 2 7 28 4 3 0 8 1", "3 8 10 17 45 49 52 52 60 61, 39 left",
     show_bread},
    {NULL, NULL, NULL},
};

static const tour_row scan_rows[] = {
    {"sum i32", HD_I32, HD_I32, HD_SUM, 0, false},
    {"sum f32", HD_F32, HD_F32, HD_SUM, 0, false},
    {"sum f64", HD_F64, HD_F64, HD_SUM, 0, false},
    {"max i32, exclusive", HD_I32, HD_I32, HD_MAX, 0, true},
    {"sum f32 in segments of 16", HD_F32, HD_F32, HD_SUM, 16, false},
    {NULL, HD_NONE, HD_NONE, NULL, 0, false},
};

const tour_stop tour_stops[] = {
    {"reduce",
     "One value from many: neighbours are combined in pairs, the pairs in pairs, up a tree.",
     reduce_examples, reduce_rows, PEAK_READ, reduce_count, reduce_run, NULL},
    {"scan", "Every prefix at once: element i becomes the reduction of the elements up to i.",
     scan_examples, scan_rows, PEAK_COPY, scan_count, scan_run, NULL},
    {"difference", "What scan does, undone: each element less the one before it.",
     tour_difference_examples, tour_difference_rows, PEAK_COPY, tour_same_count,
     tour_difference_run, NULL},
    {"convolve", "Each element from its neighbours, weighted by a mask of five.",
     tour_convolve_examples, tour_convolve_rows, PEAK_COPY, tour_same_count, tour_convolve_run,
     NULL},
    {"compact", "The elements that are not zero, moved together in their order.",
     tour_compact_examples, tour_compact_rows, PEAK_COPY, tour_same_count, tour_compact_run, NULL},
    {"histogram", "How many there are of each value, counted by every thread for itself.",
     tour_histogram_examples, tour_histogram_rows, PEAK_READ, tour_histogram_count,
     tour_histogram_run, NULL},
    {"sort", "In order, digit by digit; equal elements keep theirs.", tour_sort_examples,
     tour_sort_rows, PEAK_COPY, tour_same_count, tour_sort_run, NULL},
    {NULL, NULL, NULL, NULL, PEAK_READ, NULL, NULL, NULL},
};

const tour_stop *tour_stop_number(int k)
{
    const int first = sizeof tour_stops / sizeof *tour_stops - 1;
    const tour_stop *s = k < first ? &tour_stops[k] : &tour_more[k - first];
    return s->name != NULL ? s : NULL;
}
