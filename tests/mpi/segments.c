// SPDX-License-Identifier: Apache-2.0
// Reductions and scans over segments and by key, which cross ranks, against the calls over the
// whole. Offsets lie on the ranks in a layout of their own.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_test.h"

HD_MONOID(fade, double, HD_NO_SOURCE, HD_ASSOCIATIVE, 1.0, { return 0.5 * a + b; })
HD_SOURCE(
    segment_lines, typedef struct { int32_t scale, shift; } segment_line;)
HD_OPERATOR(behind, segment_line, segment_lines, HD_ASSOCIATIVE, {
    segment_line c;
    c.scale = (int32_t)((uint32_t)a.scale * (uint32_t)b.scale);
    c.shift = (int32_t)((uint32_t)a.shift * (uint32_t)b.scale + (uint32_t)b.shift);
    return c;
})
HD_FUNCTION(times, float, HD_NO_SOURCE, (float, a, float, b), { return a * b; })
HD_COMPARISON(by_tens, int32_t, HD_NO_SOURCE, { return a / 10 < b / 10; })

typedef struct slice_case {
    const hd_operator *op;
    hd_type type, out;
    bool product; // with a second row of f32
} slice_case;

enum { CASES = 17 };

static slice_case case_of(int k)
{
    const hd_type line = HD_STRUCT(segment_line);
    const slice_case all[CASES] = {{HD_SUM, HD_F32, HD_F32, false},
                                   {HD_SUM, HD_I32, HD_I64, false},
                                   {fade, HD_F64, HD_F64, false},
                                   {HD_SUM, HD_F32, HD_F32, true},
                                   {HD_MAX, HD_F16, HD_F16, false},
                                   {HD_ARGMIN, HD_I16, HD_I64, false},
                                   {HD_VARIANCE, HD_F64, HD_F64, false},
                                   {HD_SUM_EXACT, HD_F32, HD_F32, false},
                                   {HD_SUM_COMPENSATED, HD_F32, HD_F32, false},
                                   {HD_MIN, HD_U8, HD_U8, false},
                                   {HD_DOT, HD_F32, HD_F64, true},
                                   {behind, line, line, false},
                                   {HD_MEAN, HD_F32, HD_F64, false},
                                   {HD_MEAN, HD_F32, HD_F32, true},
                                   {HD_MEAN, HD_I32, HD_F32, false},
                                   {HD_MEAN, HD_F16, HD_F16, false},
                                   {HD_MEAN, HD_U64, HD_F64, false}};
    return all[k % CASES];
}

typedef struct whole {
    slice_case c;
    int64_t n, m; // elements; offsets, or, by key, runs
    char *x, *want, *got, *want_value, *got_value;
    float *y;
    int64_t *offset;
    part p, q; // of elements, of offsets
} whole;

static hd_view part_of(hd_type type, const void *x, int64_t begin, int64_t n)
{
    return hd_view_of(type, (const char *)x + (size_t)begin * hd_type_size(type), n);
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Few or many offsets, some of them equal, which leave elements out at either end, or none.
static void draw_offsets(ranks *r, whole *w)
{
    const int64_t most[] = {4, 30, w->n + 2};
    const bool all = check_below(&r->state, 3) == 0;
    w->m = 1 + check_below(&r->state, most[check_below(&r->state, 3)]);
    w->offset = check_memory(8 * (size_t)w->m);
    for (int64_t j = 0; j < w->m; j++) w->offset[j] = check_below(&r->state, w->n + 1);
    if (all) w->offset[0] = 0, w->offset[w->m - 1] = w->n;
    qsort(w->offset, (size_t)w->m, 8, ascending);
    w->q = draw_part(r, w->m);
}

static void draw_whole(ranks *r, int k, int64_t n, whole *w)
{
    *w = (whole){.c = case_of(k), .n = n};
    const size_t in = (size_t)n * hd_type_size(w->c.type) + 16,
                 out = (size_t)(n + 40) * hd_type_size(w->c.out) + 16;
    w->x = check_memory(in);
    w->y = check_memory(4 * (size_t)n + 4);
    w->want = check_memory(out), w->got = check_memory(out);
    w->want_value = check_memory(in + 80), w->got_value = check_memory(in + 80);
    const uint64_t seed = (uint64_t)check_next(&r->state);
    if (w->c.type < HD_STRUCTURE)
        check_fill(w->c.type, w->x, n, CHECK_ORDINARY, seed);
    else
        check_fill(HD_I32, w->x, 2 * n, CHECK_ORDINARY, seed);
    check_fill(HD_F32, w->y, n, CHECK_ORDINARY, 3);
    w->p = draw_part(r, n);
}

static void free_whole(whole *w)
{
    free(w->x), free(w->y), free(w->want), free(w->got), free(w->want_value), free(w->got_value);
    free(w->offset);
}

static void compare(const ranks *r, const whole *w, int64_t from, int64_t n, const char *what)
{
    const size_t size = hd_type_size(w->c.out), value = hd_type_size(w->c.type);
    if (w->c.out < HD_STRUCTURE)
        CHECK_SAME(w->c.out, w->got, w->want + (size_t)from * size, n,
                   "%s, %s of %lld in %lld, from %lld, rank %d of %d", what,
                   hd_operator_name(w->c.op), (long long)w->n, (long long)w->m, (long long)from,
                   r->rank, r->ranks);
    else
        CHECK(memcmp(w->got, w->want + (size_t)from * size, (size_t)n * size) == 0,
              "%s of %lld in %lld, rank %d of %d", what, (long long)w->n, (long long)w->m, r->rank,
              r->ranks);
    if (w->c.op == HD_ARGMIN)
        CHECK_SAME(w->c.type, w->got_value, w->want_value + (size_t)from * value, n, "%s: values",
                   what);
}

// ---- Reductions ---------------------------------------------------------------------------------

static void try_reduce_segments(ranks *r, int k, int64_t n)
{
    whole w;
    const double init = 0.25;
    draw_whole(r, k, n, &w);
    draw_offsets(r, &w);
    const bool arg = w.c.op == HD_ARGMIN;
    const int64_t mine = w.q.n - (w.q.n > 0 && w.q.begin + w.q.n == w.m);
    const hd_view all = HD_VIEW(w.y, n), here = HD_VIEW(w.y + w.p.begin, w.p.n);
    const hd_view want_value = hd_view_of(w.c.type, w.want_value, w.m - 1),
                  got_value = hd_view_of(w.c.type, w.got_value, mine);
    const int32_t one[2] = {1, 0};
    hd_reduce_options o = {.segments = HD_REF(HD_VIEW(w.offset, w.m)),
                           .map = w.c.product && w.c.op != HD_DOT ? times : NULL,
                           .with = {&all, w.c.product},
                           .init = w.c.op == fade && k % 2 ? (const void *)&init
                                   : w.c.op == behind      ? one
                                                           : NULL,
                           .values = arg ? &want_value : NULL};
    CHECK_OK(r->serial, hd_reduce(r->serial, hd_view_of(w.c.type, w.x, n), w.c.op,
                                  hd_view_of(w.c.out, w.want, w.m - 1), &o));
    o.segments = HD_REF(HD_VIEW(w.offset + w.q.begin, w.q.n));
    o.with.view = &here;
    o.values = arg ? &got_value : NULL;
    CHECK_MPI(r, hd_mpi_reduce(r->mpi, part_of(w.c.type, w.x, w.p.begin, w.p.n), w.c.op,
                               hd_view_of(w.c.out, w.got, mine), &o));
    compare(r, &w, w.q.begin, mine, "segments");
    free_whole(&w);
}

// Keys in runs, in one of several types, some with NaN or a comparison.
static hd_view draw_keys(ranks *r, int64_t n, const hd_comparison **comparison)
{
    static const hd_type types[] = {HD_I32, HD_F32, HD_U8, HD_STRUCT_OF(12)};
    const hd_type type = types[check_below(&r->state, 4)];
    const int64_t longest[] = {2, 20, n + 1}, most = longest[check_below(&r->state, 3)];
    const size_t size = hd_type_size(type);
    char *key = check_memory((size_t)n * size + 1);
    memset(key, 0, (size_t)n * size);
    int32_t value = 0;
    for (int64_t i = 0, left = 0; i < n; i++, left--) {
        if (left == 0) left = 1 + check_below(&r->state, most), value = (value + 3) % 97;
        const float number = check_below(&r->state, 50) ? (float)value : (float)NAN;
        if (type == HD_F32)
            memcpy(key + (size_t)i * size, &number, 4);
        else
            memcpy(key + (size_t)i * size, &value, size < 4 ? size : 4);
    }
    *comparison = type == HD_I32 && check_below(&r->state, 2) ? by_tens : NULL;
    return hd_view_of(type, key, n);
}

static void try_reduce_keys(ranks *r, int k, int64_t n)
{
    whole w;
    const hd_comparison *comparison;
    int64_t begin = 0, total = 0, mine = -1, first;
    draw_whole(r, k, n, &w);
    const hd_view keys = draw_keys(r, n, &comparison);
    const size_t size = hd_type_size(keys.type);
    char *want_key = check_memory((size_t)n * size + 1),
         *got_key = check_memory((size_t)n * size + 1);
    const hd_view all = HD_VIEW(w.y, n), here = HD_VIEW(w.y + w.p.begin, w.p.n);
    const hd_view want_value = hd_view_of(w.c.type, w.want_value, n),
                  got_value = hd_view_of(w.c.type, w.got_value, w.p.n);
    const bool arg = w.c.op == HD_ARGMIN;
    hd_reduce_options o = {.keys = &keys,
                           .comparison = comparison,
                           .keys_out = HD_REF(hd_view_of(keys.type, want_key, n)),
                           .runs = HD_REF(HD_VIEW(&w.m, 1)),
                           .map = w.c.product && w.c.op != HD_DOT ? times : NULL,
                           .with = {&all, w.c.product},
                           .values = arg ? &want_value : NULL};
    CHECK_OK(r->serial, hd_reduce(r->serial, hd_view_of(w.c.type, w.x, n), w.c.op,
                                  hd_view_of(w.c.out, w.want, n), &o));
    o.keys = HD_REF(part_of(keys.type, keys.data, w.p.begin, w.p.n));
    o.keys_out = HD_REF(hd_view_of(keys.type, got_key, w.p.n));
    o.runs = HD_REF(HD_VIEW(&mine, 1));
    o.with.view = &here;
    o.values = arg ? &got_value : NULL;
    CHECK_MPI(r, hd_mpi_reduce(r->mpi, part_of(w.c.type, w.x, w.p.begin, w.p.n), w.c.op,
                               hd_view_of(w.c.out, w.got, w.p.n), &o));
    CHECK_MPI(r, hd_mpi_layout(r->mpi, mine, &begin, &total));
    CHECK(total == w.m, "%lld runs, expected %lld", (long long)total, (long long)w.m);
    CHECK_MPI(r, hd_mpi_layout(r->mpi, w.p.n, &first, &total));
    if (total == n && mine <= w.p.n) {
        compare(r, &w, begin, mine, "keys");
        CHECK(memcmp(got_key, want_key + (size_t)begin * size, (size_t)mine * size) == 0,
              "keys of %lld runs, rank %d of %d", (long long)w.m, r->rank, r->ranks);
    }
    free(keys.data), free(want_key), free(got_key);
    free_whole(&w);
}

// ---- Scans --------------------------------------------------------------------------------------

static void try_scan(ranks *r, int k, int64_t n, bool by_key)
{
    whole w;
    const hd_comparison *comparison = NULL;
    draw_whole(r, k, n, &w);
    if (!by_key) draw_offsets(r, &w);
    const hd_view keys = by_key ? draw_keys(r, n, &comparison) : HD_EMPTY,
                  all_offsets = HD_VIEW(w.offset, w.m);
    const bool arg = w.c.op == HD_ARGMIN, exclusive = check_below(&r->state, 2) && w.c.op != behind;
    const bool in_place =
        w.c.type == w.c.out && check_below(&r->state, 2) && w.c.type < HD_STRUCTURE;
    const double init = 0.25;
    const hd_view all = HD_VIEW(w.y, n), here = HD_VIEW(w.y + w.p.begin, w.p.n);
    const hd_view want_value = hd_view_of(w.c.type, w.want_value, n),
                  got_value = hd_view_of(w.c.type, w.got_value, w.p.n);
    hd_scan_options o = {.exclusive = exclusive,
                         .segments = by_key ? NULL : &all_offsets,
                         .keys = by_key ? &keys : NULL,
                         .comparison = comparison,
                         .init = w.c.op == fade && k % 2 ? &init : NULL,
                         .map = w.c.product && w.c.op != HD_DOT ? times : NULL,
                         .with = {&all, w.c.product},
                         .values = arg ? &want_value : NULL};
    CHECK_OK(r->serial, hd_scan(r->serial, hd_view_of(w.c.type, w.x, n), w.c.op,
                                hd_view_of(w.c.out, w.want, n), &o));
    const hd_view offsets = HD_VIEW(w.offset + w.q.begin, w.q.n),
                  mine = by_key ? part_of(keys.type, keys.data, w.p.begin, w.p.n) : HD_EMPTY;
    o.segments = by_key ? NULL : &offsets;
    o.keys = by_key ? &mine : NULL;
    o.with.view = &here;
    o.values = arg ? &got_value : NULL;
    const hd_view in = part_of(w.c.type, w.x, w.p.begin, w.p.n),
                  out = hd_view_of(w.c.out, w.got, w.p.n);
    CHECK_MPI(r, hd_mpi_scan(r->mpi, in, w.c.op, in_place ? in : out, &o));
    if (in_place) memcpy(w.got, in.data, (size_t)w.p.n * hd_type_size(w.c.out));
    compare(r, &w, w.p.begin, w.p.n, exclusive ? "exclusive scan" : "scan");
    free(keys.data);
    free_whole(&w);
}

// ---- What is refused ----------------------------------------------------------------------------

static void fails(const ranks *r, hd_status got, hd_status status, const char *text)
{
    CHECK(got == status && strstr(hd_mpi_error(r->mpi), text) != NULL,
          "%s: \"%s\"; expected \"%s\"", hd_status_name(got), hd_mpi_error(r->mpi), text);
}

static void test_refused(const ranks *r)
{
    float x[4] = {1, 2, 3, 4}, y[8];
    int64_t bad[2] = {3 * (r->rank + 1), r->rank == r->ranks - 1 ? 99 + 4 * r->ranks : 3},
            good[2] = {4 * r->rank, 4 * r->rank + 2}, key[4] = {1, 1, 2, 2}, runs;
    segment_line line[4] = {{1, 1}}, sum[2];
    const hd_view in = HD_VIEW(x, 4);
    hd_reduce_options o = {.segments = HD_REF(HD_VIEW(bad, 2))};
    if (r->ranks == 1) bad[0] = 0;
    const char *wrong =
        r->ranks == 1 ? "offset 1 is 103; expected 0 to 4" : "rank 1: hd_mpi_reduce";
    fails(r, hd_mpi_reduce(r->mpi, in, HD_SUM, HD_VIEW(y, 2), &o), HD_ERROR_VALUE, wrong);
    fails(r,
          hd_mpi_scan(r->mpi, in, HD_SUM, HD_VIEW(y, 4),
                      &(hd_scan_options){.segments = HD_REF(HD_VIEW(bad, 2))}),
          HD_ERROR_VALUE, "offset");
    o = (hd_reduce_options){.segments = HD_REF(HD_VIEW(good, 2))};
    fails(r, hd_mpi_reduce(r->mpi, in, HD_SUM, HD_VIEW(y, 7), &o), HD_ERROR_SHAPE,
          "one for each offset");
    o.keys = HD_REF(HD_VIEW(key, 4));
    fails(r, hd_mpi_reduce(r->mpi, in, HD_SUM, HD_VIEW(y, 4), &o), HD_ERROR_ARGUMENT, "exclude");
    o = (hd_reduce_options){.keys = HD_REF(HD_VIEW(key, 4)), .runs = HD_REF(HD_VIEW(&runs, 1))};
    fails(r, hd_mpi_reduce(r->mpi, in, HD_SUM, HD_VIEW(y, 1), &o), HD_ERROR_SHAPE, "runs of keys");
    o.keys = HD_REF(HD_VIEW(key, 3));
    fails(r, hd_mpi_reduce(r->mpi, in, HD_SUM, HD_VIEW(y, 4), &o), HD_ERROR_SHAPE, "3 keys");
    fails(r,
          hd_mpi_scan(r->mpi, in, HD_MEAN, HD_VIEW(y, 4),
                      &(hd_scan_options){.keys = HD_REF(HD_VIEW(key, 4)), .init = x}),
          HD_ERROR_ARGUMENT, "takes no init");
    good[1] = good[0];
    const int64_t results = r->rank == r->ranks - 1 ? 1 : 2;
    const hd_type type = HD_STRUCT(segment_line);
    fails(r,
          hd_mpi_reduce(r->mpi, hd_view_of(type, line, 4), behind, hd_view_of(type, sum, results),
                        &(hd_reduce_options){.segments = HD_REF(HD_VIEW(good, 2))}),
          HD_ERROR_VALUE, "segment 0 has no elements");
}

void test_segments(ranks *r)
{
    const int tries = r->ranks == 1 ? 60 : r->ranks == 2 ? 150 : r->ranks <= 7 ? 40 : 20;
    for (int k = 0; k < tries; k++) {
        const int64_t limit[] = {6, 60, 1500}, n = check_below(&r->state, limit[k % 3]);
        try_reduce_segments(r, k, n);
        try_reduce_keys(r, k + (k % CASES == 11), n); // a run has elements: no need of an identity
        try_scan(r, k, n, false);
        try_scan(r, k, n, true);
    }
    try_scan(r, 0, 70001, false);
    try_reduce_segments(r, 0, 70001);
    test_refused(r);
}
