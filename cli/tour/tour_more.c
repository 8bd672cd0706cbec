// SPDX-License-Identifier: Apache-2.0
//
// Stops of the tour: map, gather, scatter, transpose, stencil, blur, unique, merge, top, maximum,
// rank.
#include "tour_patterns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <heddle_teaching.h>

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

static int64_t one(const tour_row *row, int64_t n)
{
    (void)row, (void)n;
    return 1;
}

static hd_view backwards(int64_t n)
{
    return hd_progression(n - 1, -1, n);
}

// ---- Map ----------------------------------------------------------------------------------------

HD_FUNCTION(twice_and_one, float, HD_NO_SOURCE, (float, x), { return 2 * x + 1; })
HD_FUNCTION(square, int64_t, HD_NO_SOURCE, (int64_t, x), { return x * x; })

static void show_map(hd_context *ctx, char *shown, size_t size)
{
    int64_t out[8];
    show(ctx, hd_map(ctx, HD_VIEW(eight, 8), square, HD_VIEW(out, 8), NULL), out, 8, shown, size);
}

static hd_status run_map(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    (void)row;
    return hd_map(ctx, a->in, twice_and_one, a->out, NULL);
}

// ---- Gather and scatter -------------------------------------------------------------------------

static const int64_t order[] = {7, 6, 5, 4, 3, 2, 1, 0};

static void show_gather(hd_context *ctx, char *shown, size_t size)
{
    int64_t out[8];
    const hd_status status =
        hd_gather(ctx, HD_VIEW(eight, 8), HD_VIEW(order, 8), HD_VIEW(out, 8), NULL);
    show(ctx, status, out, 8, shown, size);
}

static hd_status run_gather(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    (void)row;
    return hd_gather(ctx, a->in, backwards(hd_count(a->in)), a->out, NULL);
}

static void show_scatter(hd_context *ctx, char *shown, size_t size)
{
    int64_t out[8];
    const hd_status status =
        hd_scatter(ctx, HD_VIEW(eight, 8), HD_VIEW(order, 8), HD_VIEW(out, 8), NULL);
    show(ctx, status, out, 8, shown, size);
}

static hd_status run_scatter(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    (void)row;
    return hd_scatter(ctx, a->in, backwards(hd_count(a->in)), a->out, NULL);
}

// ---- Matrices and images ------------------------------------------------------------------------

// The largest square in v; what is left of an output is cleared, so that it can be compared whole.
static hd_view square_of(hd_view v, bool output)
{
    const int64_t n = hd_count(v), side = (int64_t)sqrt((double)n);
    const size_t element = hd_type_size(v.type);
    if (output && n > side * side)
        memset((char *)v.data + (size_t)(side * side) * element, 0,
               (size_t)(n - side * side) * element);
    return hd_view_nd(v.type, v.data, 2, (int64_t[]){side, side}, NULL);
}

static void show_transpose(hd_context *ctx, char *shown, size_t size)
{
    int64_t out[8];
    const hd_view in = hd_view_nd(HD_I64, eight, 2, (int64_t[]){2, 4}, NULL);
    const hd_view turned = hd_view_nd(HD_I64, out, 2, (int64_t[]){4, 2}, NULL);
    show(ctx, hd_transpose(ctx, in, turned, NULL), out, 8, shown, size);
}

static hd_status run_transpose(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    (void)row;
    return hd_transpose(ctx, square_of(a->in, false), square_of(a->out, true), NULL);
}

static void show_stencil(hd_context *ctx, char *shown, size_t size)
{
    static const double squares[] = {0, 1, 4, 9, 16, 25}, weights[] = {1, -2, 1};
    double y[6];
    int64_t out[6];
    const hd_status status =
        hd_stencil(ctx, HD_VIEW(squares, 6), HD_EMPTY, HD_VIEW(weights, 3), HD_VIEW(y, 6),
                   &(hd_stencil_options){.border = HD_BORDER_KEEP});
    for (int i = 0; i < 6 && status == HD_OK; i++) out[i] = (int64_t)y[i];
    show(ctx, status, out, 6, shown, size);
}

static hd_status run_stencil(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    static const float weights[] = {0, 1, 0, 1, -4, 1, 0, 1, 0};
    (void)row;
    return hd_stencil(ctx, square_of(a->in, false), HD_EMPTY,
                      hd_view_nd(HD_F32, weights, 2, (int64_t[]){3, 3}, NULL),
                      square_of(a->out, true), NULL);
}

static hd_status run_blur(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    (void)row;
    return hd_blur(ctx, square_of(a->in, false), 1, square_of(a->out, true), NULL);
}

// A bright point becomes a hill; the sum stays.
static void show_blur(hd_context *ctx, char *shown, size_t size)
{
    float x[49] = {0}, y[49];
    int64_t out[7];
    x[24] = 1000;
    const hd_view in = hd_view_nd(HD_F32, x, 2, (int64_t[]){7, 7}, NULL);
    const hd_view hill = hd_view_nd(HD_F32, y, 2, (int64_t[]){7, 7}, NULL);
    const hd_status status =
        hd_blur(ctx, in, 1, hill, &(hd_blur_options){.border = HD_BORDER_ZERO});
    for (int i = 0; i < 7 && status == HD_OK; i++) out[i] = (int64_t)y[21 + i];
    show(ctx, status, out, 7, shown, size);
}

// ---- Unique -------------------------------------------------------------------------------------

static void show_runs(hd_context *ctx, char *shown, size_t size)
{
    static const int64_t x[] = {3, 3, 3, 1, 1, 7, 7, 7, 7};
    int64_t values[9], lengths[9], runs = 0, out[18];
    const hd_status status = hd_run_lengths(ctx, HD_VIEW(x, 9), HD_VIEW(values, 9),
                                            HD_VIEW(lengths, 9), HD_VIEW(&runs, 1), NULL);
    for (int64_t k = 0; k < runs && status == HD_OK; k++)
        out[2 * k] = lengths[k], out[2 * k + 1] = values[k];
    show(ctx, status, out, 2 * runs, shown, size);
}

// Of each run of 16 alike one is left.
static void fill_runs(hd_view in)
{
    for (int64_t i = 0; i < hd_count(in); i++) ((int32_t *)in.data)[i] = (int32_t)(i / 16);
}

static hd_status run_unique(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    int64_t count = 0;
    (void)row;
    const hd_status status = hd_unique(ctx, a->in, a->out, HD_VIEW(&count, 1), NULL);
    const int64_t rest = hd_count(a->out) - count;
    if (status == HD_OK && rest > 0)
        memset((int32_t *)a->out.data + count, 0, (size_t)rest * sizeof(int32_t));
    return status;
}

// ---- Merge and top ------------------------------------------------------------------------------

static void show_merge(hd_context *ctx, char *shown, size_t size)
{
    static const int64_t a[] = {1, 3, 4, 7}, b[] = {0, 1, 3, 6};
    int64_t out[8];
    show(ctx, hd_merge(ctx, HD_VIEW(a, 4), HD_VIEW(b, 4), HD_VIEW(out, 8), HD_NO_VALUES, NULL), out,
         8, shown, size);
}

// Two halves, each sorted.
static void fill_halves(hd_view in)
{
    const int64_t n = hd_count(in), half = n / 2;
    for (int64_t i = 0; i < n; i++)
        ((int32_t *)in.data)[i] = (int32_t)(i < half ? 2 * i : 3 * (i - half));
}

static hd_status run_merge(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    const int64_t n = hd_count(a->in), half = n / 2;
    (void)row;
    return hd_merge(ctx, hd_slice(a->in, 0, 0, half, 1), hd_slice(a->in, 0, half, n - half, 1),
                    a->out, HD_NO_VALUES, NULL);
}

#define PODIUM 16

static void show_top(hd_context *ctx, char *shown, size_t size)
{
    int64_t out[3];
    show(ctx, hd_top_k(ctx, HD_VIEW(eight, 8), 3, HD_VIEW(out, 3), HD_NO_VALUES, NULL), out, 3,
         shown, size);
}

static int64_t podium(const tour_row *row, int64_t n)
{
    (void)row;
    return n < PODIUM ? n : PODIUM;
}

static hd_status run_top(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    (void)row;
    return hd_top_k(ctx, a->in, hd_count(a->out), a->out, HD_NO_VALUES, NULL);
}

// ---- Maximum and rank ---------------------------------------------------------------------------

static void show_maximum(hd_context *ctx, char *shown, size_t size)
{
    static const hd_maximum_method methods[] = {HD_MAXIMUM_SQUARE, HD_MAXIMUM_TREE,
                                                HD_MAXIMUM_DOUBLE_LOG, HD_MAXIMUM_CASCADE};
    int64_t out[4];
    hd_status status = HD_OK;
    for (int k = 0; k < 4 && status == HD_OK; k++) {
        hd_maximum_result result;
        status = hd_maximum(ctx, HD_VIEW(eight, 8), &result,
                            &(hd_maximum_options){.method = methods[k]});
        out[k] = result.index;
    }
    show(ctx, status, out, 4, shown, size);
}

static hd_status run_maximum(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    hd_maximum_result result;
    (void)row;
    const hd_status status =
        hd_maximum(ctx, a->in, &result, &(hd_maximum_options){.method = HD_MAXIMUM_CASCADE});
    if (status == HD_OK) *(int64_t *)a->out.data = result.index;
    return status;
}

static void show_rank(hd_context *ctx, char *shown, size_t size)
{
    static const int64_t next[] = {3, 5, 1, 4, 2, 6, 7, 7};
    int64_t out[8];
    show(ctx, hd_list_rank(ctx, HD_VIEW(next, 8), HD_VIEW(out, 8), NULL), out, 8, shown, size);
}

// One list that leaps through memory: a step of about 0.62 n, with no divisor in common with n.
static void fill_list(hd_view in)
{
    const int64_t n = hd_count(in);
    int64_t step = (int64_t)(0.6180339887 * (double)n), a, b;
    do {
        step++;
        for (a = step, b = n; b > 0;) {
            const int64_t rest = a % b;
            a = b;
            b = rest;
        }
    } while (a != 1 && n > 1);
    int32_t *next = in.data;
    for (int64_t i = 0; i < n; i++) next[i] = (int32_t)((i + step) % n);
    if (n > 0) next[n - 1] = -1;
}

static hd_status run_rank(hd_context *ctx, const tour_row *row, const tour_arrays *a)
{
    (void)row;
    return hd_list_rank(ctx, a->in, a->out, NULL);
}

// ---- The table ----------------------------------------------------------------------------------

const tour_stop tour_more[] = {
    {.name = "map",
     .about = "A function of every element, each for itself.",
     .examples =
         (const tour_example[]){{"squares of 3 1 7 0 4 1 6 3", "9 1 49 0 16 1 36 9", show_map},
                                {NULL, NULL, NULL}},
     .rows = (const tour_row[]){{"2 x + 1, f32", HD_F32, HD_F32, NULL, 0, false}, {.title = NULL}},
     .peak = PEAK_COPY,
     .out_count = tour_same_count,
     .run = run_map},
    {.name = "gather",
     .about = "out[i] = in[index[i]]: everyone fetches.",
     .examples =
         (const tour_example[]){{"3 1 7 0 4 1 6 3 from behind", "3 6 1 4 0 7 1 3", show_gather},
                                {NULL, NULL, NULL}},
     .rows =
         (const tour_row[]){{"f32, backwards", HD_F32, HD_F32, NULL, 0, false}, {.title = NULL}},
     .peak = PEAK_COPY,
     .out_count = tour_same_count,
     .run = run_gather},
    {.name = "scatter",
     .about = "out[index[i]] = in[i]: everyone sends.",
     .examples = (const tour_example[]){{"3 1 7 0 4 1 6 3 to the other end", "3 6 1 4 0 7 1 3",
                                         show_scatter},
                                        {NULL, NULL, NULL}},
     .rows =
         (const tour_row[]){{"f32, backwards", HD_F32, HD_F32, NULL, 0, false}, {.title = NULL}},
     .peak = PEAK_COPY,
     .out_count = tour_same_count,
     .run = run_scatter},
    {.name = "transpose",
     .about = "Rows become columns, a tile at a time.",
     .examples =
         (const tour_example[]){{"3 1 7 0 over 4 1 6 3, turned", "3 4 1 1 7 6 0 3", show_transpose},
                                {NULL, NULL, NULL}},
     .rows =
         (const tour_row[]){{"a square of f32", HD_F32, HD_F32, NULL, 0, false}, {.title = NULL}},
     .peak = PEAK_COPY,
     .out_count = tour_same_count,
     .run = run_transpose},
    {.name = "stencil",
     .about = "Each point from its neighbours: finite differences.",
     .examples = (const tour_example[]){{"second differences of squares, edges kept",
                                         "0 2 2 2 2 25", show_stencil},
                                        {NULL, NULL, NULL}},
     .rows = (const tour_row[]){{"five points of f32", HD_F32, HD_F32, NULL, 0, false},
                                {.title = NULL}},
     .peak = PEAK_COPY,
     .out_count = tour_same_count,
     .run = run_stencil},
    {.name = "blur",
     .about = "A picture through a Gaussian lens, rows and then columns.",
     .examples = (const tour_example[]){{"a point of 1000, sigma 1: the row through it",
                                         "1 21 96 159 96 21 1", show_blur},
                                        {NULL, NULL, NULL}},
     .rows = (const tour_row[]){{"sigma 1, f32", HD_F32, HD_F32, NULL, 0, false}, {.title = NULL}},
     .peak = PEAK_COPY,
     .out_count = tour_same_count,
     .run = run_blur},
    {.name = "unique",
     .about = "Of neighbours that are alike one stays; how many they were is a run length.",
     .examples = (const tour_example[]){{"lengths and values of 3 3 3 1 1 7 7 7 7", "3 3 2 1 4 7",
                                         show_runs},
                                        {NULL, NULL, NULL}},
     .rows = (const tour_row[]){{"i32, 16 alike", HD_I32, HD_I32, NULL, 0, false}, {.title = NULL}},
     .peak = PEAK_COPY,
     .out_count = tour_same_count,
     .run = run_unique,
     .fill = fill_runs},
    {.name = "merge",
     .about = "Two sorted arrays become one.",
     .examples = (const tour_example[]){{"1 3 4 7 and 0 1 3 6", "0 1 1 3 3 4 6 7", show_merge},
                                        {NULL, NULL, NULL}},
     .rows =
         (const tour_row[]){{"two halves of i32", HD_I32, HD_I32, NULL, 0, false}, {.title = NULL}},
     .peak = PEAK_COPY,
     .out_count = tour_same_count,
     .run = run_merge,
     .fill = fill_halves},
    {.name = "top",
     .about = "The greatest few, without sorting the others.",
     .examples =
         (const tour_example[]){{"the three greatest of 3 1 7 0 4 1 6 3", "7 6 4", show_top},
                                {NULL, NULL, NULL}},
     .rows = (const tour_row[]){{"16 greatest of f32", HD_F32, HD_F32, NULL, 0, false},
                                {.title = NULL}},
     .peak = PEAK_READ,
     .out_count = podium,
     .run = run_top},
    {.name = "maximum",
     .about = "Where the greatest is, as the PRAM would find it.",
     .examples =
         (const tour_example[]){{"in 3 1 7 0 4 1 6 3, by four methods", "2 2 2 2", show_maximum},
                                {NULL, NULL, NULL}},
     .rows =
         (const tour_row[]){{"f32, by cascading", HD_F32, HD_I64, NULL, 0, false}, {.title = NULL}},
     .peak = PEAK_READ,
     .out_count = one,
     .run = run_maximum},
    {.name = "rank",
     .about = "How far each node of a linked list is from its end.",
     .examples =
         (const tour_example[]){{"of the list 3 5 1 4 2 6 7 7", "7 3 4 6 5 2 1 0", show_rank},
                                {NULL, NULL, NULL}},
     .rows = (const tour_row[]){{"a list that leaps, i32", HD_I32, HD_I64, NULL, 0, false},
                                {.title = NULL}},
     .peak = PEAK_READ,
     .out_count = tour_same_count,
     .run = run_rank,
     .fill = fill_list},
    {.name = NULL},
};
