// SPDX-License-Identifier: Apache-2.0
//
// Stops of the tour: difference, convolve, compact, histogram, sort.
#include "tour_patterns.h"

#include <stdio.h>
#include <string.h>

#define NO_ROW                                                                                     \
    {                                                                                              \
        NULL, HD_NONE, HD_NONE, NULL, 0, false                                                     \
    }
#define NO_EXAMPLE                                                                                 \
    {                                                                                              \
        NULL, NULL, NULL                                                                           \
    }

int64_t tour_same_count(const tour_row *row, int64_t n)
{
    (void)row;
    return n;
}

// What a call left in x, or why it failed.
static void show(hd_context *ctx, hd_status status, const int64_t *x, int64_t n, char *shown,
                 size_t size)
{
    size_t used = 0;
    if (status != HD_OK) snprintf(shown, size, "%s", hd_error(ctx));
    for (int64_t i = 0; status == HD_OK && i < n && used < size; i++)
        used +=
            (size_t)snprintf(shown + used, size - used, i == 0 ? "%lld" : " %lld", (long long)x[i]);
}

static const int64_t eight[] = {3, 1, 7, 0, 4, 1, 6, 3};

// ---- Difference ----------------------------------------------------------------------------

static void show_difference(hd_context *ctx, char *shown, size_t size)
{
    static const int64_t scanned[] = {3, 4, 11, 11, 15, 16, 22, 25};
    int64_t out[8] = {0};
    show(ctx, hd_difference(ctx, HD_VIEW(scanned, 8), HD_VIEW(out, 8), NULL), out, 8, shown, size);
}

const tour_example tour_difference_examples[] = {
    {"of 3 4 11 11 15 16 22 25", "3 1 7 0 4 1 6 3", show_difference}, NO_EXAMPLE};
const tour_row tour_difference_rows[] = {
    {"i32", HD_I32, HD_I32, NULL, 0, false}, {"f32", HD_F32, HD_F32, NULL, 0, false}, NO_ROW};

hd_status tour_difference_run(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    (void)row;
    return hd_difference(ctx, a->in, a->out, NULL);
}

// ---- Convolve ------------------------------------------------------------------------------

static void show_convolve(hd_context *ctx, char *shown, size_t size)
{
    static const float mask[] = {3, 4, 5, 4, 3}, x[] = {1, 2, 3, 4, 5, 6, 7};
    float y[7];
    int64_t out[7];
    const hd_status status = hd_convolve(ctx, HD_VIEW(x, 7), HD_VIEW(mask, 5), HD_VIEW(y, 7), NULL);
    for (int i = 0; i < 7 && status == HD_OK; i++) out[i] = (int64_t)y[i];
    show(ctx, status, out, 7, shown, size);
}

const tour_example tour_convolve_examples[] = {
    {"1 2 3 4 5 6 7 with 3 4 5 4 3, zeros around", "22 38 57 76 95 90 74", show_convolve},
    NO_EXAMPLE};
const tour_row tour_convolve_rows[] = {{"five f32", HD_F32, HD_F32, NULL, 0, false}, NO_ROW};

hd_status tour_convolve_run(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    static const float mask[] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
    (void)row;
    return hd_convolve(ctx, a->in, HD_VIEW(mask, 5), a->out, NULL);
}

// ---- Compact -------------------------------------------------------------------------------

static void show_compact(hd_context *ctx, char *shown, size_t size)
{
    int64_t out[8], count = 0;
    const hd_status status =
        hd_compact(ctx, HD_VIEW(eight, 8), HD_VIEW(out, 8), HD_VIEW(&count, 1), NULL);
    show(ctx, status, out, count, shown, size);
}

HD_FUNCTION(is_positive, bool, HD_NO_SOURCE, (int32_t, x), { return x > 0; })

const tour_example tour_compact_examples[] = {
    {"what is not zero of 3 1 7 0 4 1 6 3", "3 1 7 4 1 6 3", show_compact}, NO_EXAMPLE};
const tour_row tour_compact_rows[] = {{"i32 above zero", HD_I32, HD_I32, NULL, 0, false}, NO_ROW};

// Behind the last one stays what was there: cleared, so that outputs can be compared whole.
hd_status tour_compact_run(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    const hd_compact_options options = {.keep = is_positive};
    int64_t count = 0;
    (void)row;
    const hd_status status = hd_compact(ctx, a->in, a->out, HD_VIEW(&count, 1), &options);
    const int64_t rest = hd_count(a->out) - count;
    if (status == HD_OK && rest > 0)
        memset((int32_t *)a->out.data + count, 0, (size_t)rest * sizeof(int32_t));
    return status;
}

// ---- Histogram -----------------------------------------------------------------------------

static void show_letters(hd_context *ctx, char *shown, size_t size)
{
    static const char text[] = "Programming Massively Parallel Processors";
    int64_t out[7];
    const hd_histogram_options options = {.letters = 4};
    const hd_view bytes = HD_VIEW_OF(HD_U8, text, (int64_t)strlen(text));
    show(ctx, hd_histogram(ctx, bytes, HD_VIEW(out, 7), &options), out, 7, shown, size);
}

const tour_example tour_histogram_examples[] = {
    {"letters of \"Programming Massively Parallel Processors\" by four", "5 5 6 10 10 1 1",
     show_letters},
    NO_EXAMPLE};
const tour_row tour_histogram_rows[] = {{"bytes", HD_U8, HD_U64, NULL, 0, false}, NO_ROW};

int64_t tour_histogram_count(const tour_row *row, int64_t n)
{
    (void)row, (void)n;
    return 256;
}

hd_status tour_histogram_run(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    (void)row;
    return hd_histogram(ctx, a->in, a->out, NULL);
}

// ---- Sort ----------------------------------------------------------------------------------

static void show_sort(hd_context *ctx, char *shown, size_t size)
{
    int64_t out[8];
    const hd_status status = hd_sort(ctx, HD_VIEW(eight, 8), HD_VIEW(out, 8), HD_NO_VALUES, NULL);
    show(ctx, status, out, 8, shown, size);
}

const tour_example tour_sort_examples[] = {{"3 1 7 0 4 1 6 3", "0 1 1 3 3 4 6 7", show_sort},
                                           NO_EXAMPLE};
const tour_row tour_sort_rows[] = {{"f32", HD_F32, HD_F32, NULL, 0, false},
                                   {"i32", HD_I32, HD_I32, NULL, 0, false},
                                   {"u8", HD_U8, HD_U8, NULL, 0, false},
                                   NO_ROW};

hd_status tour_sort_run(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    (void)row;
    return hd_sort(ctx, a->in, a->out, HD_NO_VALUES, NULL);
}
