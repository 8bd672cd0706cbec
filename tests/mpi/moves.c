// SPDX-License-Identifier: Apache-2.0
// Layouts, compaction and histograms over ranks, and sorts.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_test.h"

static void try_redistribute(ranks *r, hd_type type, int64_t n)
{
    const size_t size = hd_type_size(type);
    char *x = check_memory((size_t)n * size + 1), *got = check_memory((size_t)n * size + 1);
    check_fill(type, x, n, CHECK_ORDINARY, (uint64_t)check_next(&r->state));
    const part p = draw_part(r, n), q = draw_part(r, n);
    CHECK_MPI(r, hd_mpi_redistribute(r->mpi, HD_VIEW_OF(type, x + (size_t)p.begin * size, p.n),
                                     HD_VIEW_OF(type, got, q.n), NULL));
    CHECK(memcmp(got, x + (size_t)q.begin * size, (size_t)q.n * size) == 0,
          "%lld %s on rank %d of %d", (long long)n, hd_type_name(type), r->rank, r->ranks);
    int64_t first, all;
    CHECK_MPI(r, hd_mpi_layout(r->mpi, q.n, &first, &all));
    CHECK(first == q.begin && all == n, "%lld of %lld", (long long)first, (long long)all);
    free(x), free(got);
}

static void try_compact(ranks *r, int64_t n, bool even)
{
    int32_t *x = check_memory(4 * (size_t)n + 4), *want = check_memory(4 * (size_t)n + 4),
            *got = check_memory(4 * (size_t)n + 4);
    int64_t all, kept = -1, first, total;
    for (int64_t i = 0; i < n; i++) x[i] = check_below(&r->state, 3) ? 0 : (int32_t)i + 1;
    const part p = draw_part(r, n);
    CHECK_OK(r->serial,
             hd_compact(r->serial, HD_VIEW(x, n), HD_VIEW(want, n), HD_VIEW(&all, 1), NULL));
    const int64_t share = hd_mpi_even(n, r->rank + 1, r->ranks) - hd_mpi_even(n, r->rank, r->ranks);
    CHECK_MPI(r, hd_mpi_compact(r->mpi, HD_VIEW(x + p.begin, p.n), HD_VIEW(got, even ? share : p.n),
                                HD_VIEW(&kept, 1), even, NULL));
    CHECK_MPI(r, hd_mpi_layout(r->mpi, kept, &first, &total));
    CHECK(total == all, "%lld kept, expected %lld", (long long)total, (long long)all);
    if (even) CHECK(first == hd_mpi_even(all, r->rank, r->ranks), "from %lld on", (long long)first);
    CHECK(memcmp(got, want + first, 4 * (size_t)kept) == 0, "on rank %d", r->rank);
    free(x), free(want), free(got);
}

static void try_histogram(ranks *r, int64_t n, int64_t bins)
{
    uint16_t *x = check_memory(2 * (size_t)n + 2);
    int64_t *want = calloc((size_t)bins, 8), *got = calloc((size_t)bins, 8);
    int64_t outside = 0, got_outside = 0;
    check_fill(HD_U16, x, n, CHECK_ORDINARY, (uint64_t)check_next(&r->state));
    for (int64_t i = 0; i < n; i++) x[i] = (uint16_t)(x[i] % (bins + 3));
    const part p = draw_part(r, n);
    want[0] = got[0] = 5; // on every rank, and added once
    CHECK_OK(r->serial, hd_histogram(r->serial, HD_VIEW(x, n), HD_VIEW(want, bins),
                                     &(hd_histogram_options){
                                         .add = true, .outside = HD_REF(HD_VIEW(&outside, 1))}));
    CHECK_MPI(r, hd_mpi_histogram(r->mpi, HD_VIEW(x + p.begin, p.n), HD_VIEW(got, bins),
                                  &(hd_histogram_options){
                                      .add = true, .outside = HD_REF(HD_VIEW(&got_outside, 1))}));
    CHECK(memcmp(want, got, 8 * (size_t)bins) == 0, "%lld bins on rank %d", (long long)bins,
          r->rank);
    CHECK(outside == got_outside, "%lld outside, expected %lld", (long long)got_outside,
          (long long)outside);
    free(x), free(want), free(got);
}

// ---- Float weights ------------------------------------------------------------------------------

HD_FUNCTION(twice, double, HD_NO_SOURCE, (float, x), { return 2 * x; })
HD_FUNCTION(some_bin, int32_t, HD_NO_SOURCE, (float, x), { return x < 0 ? -1 : x > 0.5f ? 4 : 2; })

// One of the rules over f32, bytes or wide integers; edges and values meet at 0 and both ends.
static hd_histogram_options draw_rule(ranks *r, hd_type type, int64_t bins, const hd_view *edges)
{
    hd_histogram_options o = {.clamp = check_below(&r->state, 2)};
    const int kind = (int)check_below(&r->state, 4);
    if (type != HD_F32 && kind < 2) o.first = type == HD_U8 ? 3 : -2;
    if (type != HD_F32 && kind >= 2) o.edges = edges;
    if (type == HD_F32 && kind == 0) o.bin = some_bin;
    if (type == HD_F32 && kind == 1) o.even = true, o.lower = -1, o.upper = 1;
    if (type == HD_F32 && kind == 2) o.even = true, o.upper = (double)bins * 0.1, o.map = twice;
    if (type == HD_F32 && kind == 3) o.edges = edges;
    if (type == HD_U8 && kind == 0) o = (hd_histogram_options){.letters = 4};
    return o;
}

static void try_weights(ranks *r, int64_t n, hd_type type, hd_type out)
{
    const size_t size = hd_type_size(type), each = hd_type_size(out);
    char *x = check_memory((size_t)n * size + 1);
    float *w = check_memory(4 * (size_t)n + 4);
    const int64_t bins = type == HD_U8 ? 7 : 1 + check_below(&r->state, 20);
    double edge[32], want[32], got[32];
    int64_t outside = 0, got_outside = 0;
    for (int k = 0; k <= 20; k++) edge[k] = (double)(k - 3) / 2;
    check_fill(type, x, n, type == HD_F32 ? CHECK_UNITS : CHECK_TIES, 4);
    for (int64_t i = 0; i < n && type == HD_F32; i++) {
        const float special[] = {0, -0.0f, 1, -1, 0.3f, (float)NAN, -1.5f, (float)INFINITY};
        if (check_below(&r->state, 3) == 0)
            memcpy(x + 4 * i, &special[check_below(&r->state, 8)], 4);
    }
    check_fill(HD_F32, w, n, CHECK_ORDINARY, (uint64_t)check_next(&r->state));
    const hd_view edges = HD_VIEW(edge, bins + 1);
    hd_histogram_options o = draw_rule(r, type, bins, &edges);
    o.add = check_below(&r->state, 2);
    o.sum = check_below(&r->state, 3) == 0 ? HD_SUM_COMPENSATED : NULL;
    const part p = draw_part(r, n);
    check_fill(out, want, bins, CHECK_ORDINARY, 5);
    if (r->rank == 0) memcpy(got, want, (size_t)bins * each);
    o.weights = HD_REF(HD_VIEW(w, n)), o.outside = HD_REF(HD_VIEW(&outside, 1));
    CHECK_OK(r->serial,
             hd_histogram(r->serial, HD_VIEW_OF(type, x, n), HD_VIEW_OF(out, want, bins), &o));
    o.weights = HD_REF(HD_VIEW(w + p.begin, p.n));
    o.outside = HD_REF(HD_VIEW(&got_outside, 1));
    CHECK_MPI(r, hd_mpi_histogram(r->mpi, HD_VIEW_OF(type, x + (size_t)p.begin * size, p.n),
                                  HD_VIEW_OF(out, got, bins), &o));
    CHECK_SAME(out, got, want, bins, "%lld weights of %s, rank %d of %d", (long long)n,
               hd_type_name(type), r->rank, r->ranks);
    CHECK(outside == got_outside, "%lld outside, expected %lld", (long long)got_outside,
          (long long)outside);
    free(x), free(w);
}

// Bins of two numbers.
static void try_two_axes(ranks *r, int64_t n)
{
    float *x = check_memory(4 * (size_t)n + 4), *w = check_memory(4 * (size_t)n + 4);
    uint8_t *y = check_memory((size_t)n + 1);
    float want[30], got[30];
    check_fill(HD_F32, x, n, CHECK_UNITS, 1), check_fill(HD_F32, w, n, CHECK_ORDINARY, 2);
    for (int64_t i = 0; i < n; i++) y[i] = (uint8_t)check_below(&r->state, 7);
    const part p = draw_part(r, n);
    const int64_t shape[2] = {5, 6};
    hd_view second = HD_VIEW(y, n), weights = HD_VIEW(w, n);
    hd_histogram_options o = {
        .even = true, .lower = -1, .upper = 1, .second = &second, .weights = &weights};
    CHECK_OK(r->serial,
             hd_histogram(r->serial, HD_VIEW(x, n), hd_view_nd(HD_F32, want, 2, shape, NULL), &o));
    second = HD_VIEW(y + p.begin, p.n), weights = HD_VIEW(w + p.begin, p.n);
    CHECK_MPI(r, hd_mpi_histogram(r->mpi, HD_VIEW(x + p.begin, p.n),
                                  hd_view_nd(HD_F32, got, 2, shape, NULL), &o));
    CHECK_SAME(HD_F32, got, want, 30, "two axes, rank %d of %d", r->rank, r->ranks);
    free(x), free(y), free(w);
}

static void draw_moves(ranks *r, int k)
{
    const int64_t n = check_below(&r->state, k % 2 ? 30 : 2000);
    try_redistribute(r, check_type((int)check_below(&r->state, 13)), n);
    try_compact(r, n, k % 3 != 0);
    try_histogram(r, n, 1 + check_below(&r->state, 50));
}

void test_moves(ranks *r)
{
    const int tries = test_all() ? 2000 : r->ranks <= 2 ? 40 : 4;
    for (int k = 0; k < tries; k++) draw_moves(r, k);
    static const hd_type types[] = {HD_F32, HD_U8, HD_I64};
    for (int k = 0; k < (r->ranks <= 2 ? 60 : 12); k++)
        try_weights(r, check_below(&r->state, 900), types[k % 3], k % 2 ? HD_F32 : HD_F64);
    for (int k = 0; k < 3; k++) try_two_axes(r, check_below(&r->state, 900));
}

// ---- Sort ---------------------------------------------------------------------------------------

static void try_sort(ranks *r, hd_type type, int64_t n, check_pattern pattern, bool descending)
{
    const size_t size = hd_type_size(type), bytes = (size_t)n * size + 8;
    char *x = check_memory(bytes), *want = check_memory(bytes), *got = check_memory(bytes);
    int64_t *id = check_memory(8 * (size_t)n + 8), *want_id = check_memory(8 * (size_t)n + 8),
            *got_id = check_memory(8 * (size_t)n + 8);
    check_fill(type, x, n, pattern, (uint64_t)check_next(&r->state));
    for (int64_t i = 0; i < n; i++) id[i] = i;
    const part p = draw_part(r, n), q = draw_part(r, n);
    const bool values = check_below(&r->state, 2);
    CHECK_OK(r->serial, hd_sort(r->serial, HD_VIEW_OF(type, x, n), HD_VIEW_OF(type, want, n),
                                HD_VALUES(HD_VIEW(id, n), HD_VIEW(want_id, n)),
                                &(hd_sort_options){.descending = descending}));
    const hd_views pairs = HD_VALUES(HD_VIEW(id + p.begin, p.n), HD_VIEW(got_id, q.n));
    CHECK_MPI(r, hd_mpi_sort(r->mpi, HD_VIEW_OF(type, x + (size_t)p.begin * size, p.n),
                             HD_VIEW_OF(type, got, q.n), values ? pairs : HD_NO_VALUES,
                             &(hd_mpi_sort_options){.descending = descending}));
    CHECK(memcmp(got, want + (size_t)q.begin * size, (size_t)q.n * size) == 0,
          "%lld %s, %s, %s, rank %d of %d", (long long)n, hd_type_name(type),
          check_pattern_name(pattern), descending ? "falling" : "rising", r->rank, r->ranks);
    if (values)
        CHECK(memcmp(got_id, want_id + q.begin, 8 * (size_t)q.n) == 0, "stable, rank %d of %d",
              r->rank, r->ranks);
    free(x), free(want), free(got), free(id), free(want_id), free(got_id);
}

static void draw_sort(ranks *r, int k)
{
    static const check_pattern patterns[] = {CHECK_ORDINARY, CHECK_TIES, CHECK_SPECIAL, CHECK_WIDE};
    const int64_t n = check_below(&r->state, k % 4 == 0 ? 10 : 3000);
    try_sort(r, check_type(k % 13), n, patterns[check_below(&r->state, 4)], k % 2);
}

void draw_move(ranks *r)
{
    const int k = (int)check_below(&r->state, 1000);
    draw_moves(r, k);
    draw_sort(r, k);
}

void test_sort(ranks *r)
{
    const int tries = test_all() ? 2000 : r->ranks <= 2 ? 104 : 26;
    for (int k = 0; k < tries; k++) draw_sort(r, k);
    // Longer than a block of what stays on a rank, of few and of many different keys.
    for (int k = 0; k < 2 && r->ranks <= 3; k++)
        try_sort(r, HD_F64, 120007, k ? CHECK_TIES : CHECK_ORDINARY, k);
}
