// SPDX-License-Identifier: Apache-2.0
// Gather and scatter by global index, and transposed matrices, against the calls over the whole.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_test.h"

// A part of a row of the whole.
static hd_view part_of(hd_type type, const void *x, part p)
{
    return hd_view_of(type, (const char *)x + (size_t)p.begin * hd_type_size(type), p.n);
}

static void *random_elements(ranks *r, hd_type type, int64_t n)
{
    void *x = check_memory((size_t)n * hd_type_size(type) + 1);
    const int64_t bytes = n * (int64_t)hd_type_size(type);
    if (type < HD_STRUCTURE)
        check_fill(type, x, n, CHECK_ORDINARY, (uint64_t)check_next(&r->state));
    else
        check_fill(HD_U8, x, bytes, CHECK_ORDINARY, (uint64_t)check_next(&r->state));
    return x;
}

// m indices into n elements, in one of the integer types: a few of them or many different ones, in
// order or not, some out of range.
static void *random_index(ranks *r, hd_type type, int64_t m, int64_t n, bool bad)
{
    int64_t *wide = check_memory(8 * (size_t)m + 8);
    void *index = check_memory(8 * (size_t)m + 8);
    const int kind = (int)check_below(&r->state, 4);
    const int64_t range = kind == 0 && n > 3 ? 3 : n;
    for (int64_t i = 0; i < m; i++) {
        wide[i] = kind == 1 && m > 0 ? i * n / m : range > 0 ? check_below(&r->state, range) : -1;
        if (kind == 2 && n > 0) wide[i] = n - 1 - wide[i] / 2;
        if (bad && check_below(&r->state, 9) == 0) wide[i] = n + check_below(&r->state, 5);
        if (bad && check_below(&r->state, 9) == 0) wide[i] = -1 - check_below(&r->state, 5);
    }
    CHECK_OK(r->serial,
             hd_map(r->serial, HD_VIEW(wide, m), NULL, hd_view_of(type, index, m), NULL));
    free(wide);
    return index;
}

static hd_type index_type(ranks *r, int64_t n)
{
    static const hd_type types[] = {HD_I64, HD_I32, HD_U64, HD_U32, HD_I16, HD_U8};
    return types[check_below(&r->state, n < 100 ? 6 : n < 30000 ? 5 : 4)];
}

static hd_type element_type(ranks *r)
{
    const int64_t k = check_below(&r->state, 15);
    return k < 13 ? check_type((int)k) : k == 13 ? HD_STRUCT_OF(12) : HD_STRUCT_OF(40);
}

// ---- Gather -------------------------------------------------------------------------------------

static void try_gather(ranks *r, int64_t n, int64_t m, bool bad)
{
    const hd_type type = element_type(r), with = index_type(r, n);
    const size_t size = hd_type_size(type);
    char *x = random_elements(r, type, n), *want = check_memory((size_t)m * size + 1),
         *got = check_memory((size_t)m * size + 1);
    void *index = random_index(r, with, m, n, bad);
    const part p = draw_part(r, n), q = draw_part(r, m);
    int64_t want_bad = -2, got_bad = -2;
    const hd_view w = HD_VIEW(&want_bad, 1), g = HD_VIEW(&got_bad, 1);
    CHECK_OK(r->serial, hd_gather(r->serial, hd_view_of(type, x, n), hd_view_of(with, index, m),
                                  hd_view_of(type, want, m), &(hd_gather_options){.bad = &w}));
    CHECK_MPI(r, hd_mpi_gather(r->mpi, part_of(type, x, p), part_of(with, index, q),
                               hd_view_of(type, got, q.n), &(hd_gather_options){.bad = &g}));
    CHECK(memcmp(got, want + (size_t)q.begin * size, (size_t)q.n * size) == 0,
          "%lld of %lld %s by %s, rank %d of %d", (long long)m, (long long)n, hd_type_name(type),
          hd_type_name(with), r->rank, r->ranks);
    CHECK(got_bad == want_bad, "bad at %lld, expected %lld", (long long)got_bad,
          (long long)want_bad);
    const hd_status status =
        hd_mpi_gather(r->mpi, part_of(type, x, p), part_of(with, index, q),
                      hd_view_of(type, got, q.n), &(hd_gather_options){.checked = true});
    char text[64];
    snprintf(text, sizeof text, "hd_mpi_gather: index %lld is ", (long long)want_bad);
    CHECK(status == (want_bad < 0 ? HD_OK : HD_ERROR_VALUE) &&
              (want_bad < 0 || strstr(hd_mpi_error(r->mpi), text) != NULL),
          "%s: %s; expected \"%s\"", hd_status_name(status), hd_mpi_error(r->mpi), text);
    free(x), free(want), free(got), free(index);
}

HD_FUNCTION(add_twice, double, HD_NO_SOURCE, (float, x, double, y), { return x + 2 * y; })

// Rows of a matrix; and a function of the elements.
static void try_gather_options(ranks *r, int64_t n, int64_t m, int64_t width)
{
    float *x = random_elements(r, HD_F32, n * width + n),
          *got = check_memory(4 * (size_t)(m * width) + 4),
          *want = check_memory(4 * (size_t)(m * width) + 4);
    double *y = random_elements(r, HD_F64, m), *sum = check_memory(8 * (size_t)m + 8),
           *want_sum = check_memory(8 * (size_t)m + 8);
    int64_t *index = random_index(r, HD_I64, m, n, true);
    const part p = draw_part(r, n), q = draw_part(r, m);
    const hd_gather_options rows = {.axis = HD_AXIS(0)};
    const hd_view in = hd_view_nd(HD_F32, x, 2, (int64_t[]){n, width}, NULL);
    CHECK_OK(r->serial, hd_gather(r->serial, in, HD_VIEW(index, m),
                                  hd_view_nd(HD_F32, want, 2, (int64_t[]){m, width}, NULL), &rows));
    CHECK_MPI(r,
              hd_mpi_gather(r->mpi, hd_slice(in, 0, p.begin, p.n, 1), HD_VIEW(index + q.begin, q.n),
                            hd_view_nd(HD_F32, got, 2, (int64_t[]){q.n, width}, NULL), &rows));
    CHECK(memcmp(got, want + q.begin * width, 4 * (size_t)(q.n * width)) == 0,
          "%lld rows of %lld on rank %d", (long long)m, (long long)width, r->rank);
    CHECK_OK(r->serial, hd_gather(r->serial, HD_VIEW(x, n), HD_VIEW(index, m), HD_VIEW(want_sum, m),
                                  &(hd_gather_options){.function = add_twice,
                                                       .with = HD_VIEWS(HD_VIEW(y, m))}));
    CHECK_MPI(r, hd_mpi_gather(r->mpi, HD_VIEW(x + p.begin, p.n), HD_VIEW(index + q.begin, q.n),
                               HD_VIEW(sum, q.n),
                               &(hd_gather_options){.function = add_twice,
                                                    .with = HD_VIEWS(HD_VIEW(y + q.begin, q.n))}));
    CHECK_SAME(HD_F64, sum, want_sum + q.begin, q.n, "a function of %lld", (long long)m);
    free(x), free(got), free(want), free(y), free(sum), free(want_sum), free(index);
}

// ---- Scatter ------------------------------------------------------------------------------------

HD_OPERATOR(last, int32_t, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a > 0 && b < 0 ? a : b; })
HD_FUNCTION(product, float, HD_NO_SOURCE, (float, x, float, y), { return x * y; })

typedef struct scatter_case {
    const hd_operator *op;
    hd_type in, out;
    bool with; // a second row, of f32
    const hd_function *map;
} scatter_case;

enum { SCATTERS = 9 };

static scatter_case scatter_case_of(int k)
{
    const hd_type bytes = HD_STRUCT_OF(12);
    const scatter_case all[SCATTERS] = {
        {NULL, HD_F64, HD_F64, false, NULL},   {HD_SUM, HD_F32, HD_F32, false, NULL},
        {HD_SUM, HD_F32, HD_F64, false, NULL}, {HD_DOT, HD_F32, HD_F32, true, NULL},
        {last, HD_I32, HD_I32, false, NULL},   {NULL, bytes, bytes, false, NULL},
        {HD_MAX, HD_U8, HD_U8, false, NULL},   {HD_SUM, HD_F32, HD_F32, true, product},
        {NULL, HD_F32, HD_F32, true, product}};
    return all[k % SCATTERS];
}

static void try_scatter(ranks *r, const scatter_case *c, int64_t n, int64_t m, bool bad)
{
    const hd_type by = index_type(r, n);
    const size_t size = hd_type_size(c->out);
    char *x = random_elements(r, c->in, m), *want = random_elements(r, c->out, n),
         *got = check_memory((size_t)n * size + 1);
    float *y = random_elements(r, HD_F32, m);
    void *index = random_index(r, by, m, n, bad);
    const bool one = check_below(&r->state, 3) == 0; // of y for all
    const part p = draw_part(r, n), q = draw_part(r, m);
    memcpy(got, want, (size_t)n * size);
    int64_t want_bad = -2, got_bad = -2;
    const hd_view w = HD_VIEW(&want_bad, 1), g = HD_VIEW(&got_bad, 1);
    const hd_view all = HD_VIEW(y, one ? 1 : m), mine = one ? all : HD_VIEW(y + q.begin, q.n);
    hd_scatter_options o = {.combine = c->op, .map = c->map, .bad = &w, .with = {&all, c->with}};
    CHECK_OK(r->serial, hd_scatter(r->serial, hd_view_of(c->in, x, m), hd_view_of(by, index, m),
                                   hd_view_of(c->out, want, n), &o));
    o.bad = &g, o.with.view = &mine;
    CHECK_MPI(r, hd_mpi_scatter(r->mpi, part_of(c->in, x, q), part_of(by, index, q),
                                part_of(c->out, got, p), &o));
    CHECK(memcmp(got + (size_t)p.begin * size, want + (size_t)p.begin * size, (size_t)p.n * size) ==
              0,
          "%lld %s into %lld by %s, rank %d of %d", (long long)m,
          c->op ? hd_operator_name(c->op) : "written", (long long)n, hd_type_name(by), r->rank,
          r->ranks);
    CHECK(got_bad == want_bad, "bad at %lld, expected %lld", (long long)got_bad,
          (long long)want_bad);
    free(x), free(want), free(got), free(y), free(index);
}

// A histogram as a scatter of ones.
static void try_ones(ranks *r, int64_t n, int64_t m)
{
    int64_t *index = random_index(r, HD_I64, m, n, false), *want = calloc((size_t)n + 1, 8),
            *got = calloc((size_t)n + 1, 8);
    const part p = draw_part(r, n), q = draw_part(r, m);
    const int64_t one = 1;
    CHECK_OK(r->serial, hd_scatter(r->serial, hd_constant(one, m), HD_VIEW(index, m),
                                   HD_VIEW(want, n), &(hd_scatter_options){.combine = HD_SUM}));
    CHECK_MPI(r, hd_mpi_scatter(r->mpi, hd_constant(one, q.n), HD_VIEW(index + q.begin, q.n),
                                HD_VIEW(got, p.n), &(hd_scatter_options){.combine = HD_SUM}));
    CHECK(memcmp(got, want + p.begin, 8 * (size_t)p.n) == 0, "%lld ones", (long long)m);
    free(index), free(want), free(got);
}

// ---- Transpose ----------------------------------------------------------------------------------

static void try_transpose(ranks *r, int64_t rows, int64_t columns)
{
    const hd_type type = element_type(r);
    const size_t size = hd_type_size(type), bytes = (size_t)(rows * columns) * size;
    char *x = random_elements(r, type, rows * columns), *want = check_memory(bytes + 1),
         *got = check_memory(bytes + 1);
    const part p = draw_part(r, rows), q = draw_part(r, columns);
    const hd_view in = hd_view_nd(type, x, 2, (int64_t[]){rows, columns}, NULL);
    CHECK_OK(r->serial,
             hd_transpose(r->serial, in,
                          hd_view_nd(type, want, 2, (int64_t[]){columns, rows}, NULL), NULL));
    CHECK_MPI(r, hd_mpi_transpose(r->mpi, hd_slice(in, 0, p.begin, p.n, 1),
                                  hd_view_nd(type, got, 2, (int64_t[]){q.n, rows}, NULL), NULL));
    CHECK(memcmp(got, want + (size_t)(q.begin * rows) * size, (size_t)(q.n * rows) * size) == 0,
          "%lld x %lld %s on rank %d of %d", (long long)rows, (long long)columns,
          hd_type_name(type), r->rank, r->ranks);
    free(x), free(want), free(got);
}

// ---- All of them --------------------------------------------------------------------------------

static void draw_moved(ranks *r, int k)
{
    const scatter_case c = scatter_case_of(k);
    const int64_t n = check_below(&r->state, k % 3 ? 900 : 20), m = check_below(&r->state, 900);
    try_gather(r, n, m, k % 2);
    try_scatter(r, &c, n, m, k % 4 == 3);
    try_transpose(r, check_below(&r->state, 40), check_below(&r->state, k % 3 ? 40 : 4));
}

void draw_by_index(ranks *r)
{
    draw_moved(r, (int)check_below(&r->state, 1000));
}

void test_by_index(ranks *r)
{
    const int tries = test_all() ? 2000 : r->ranks <= 2 ? 40 : r->ranks <= 7 ? 14 : 7;
    for (int k = 0; k < tries; k++) draw_moved(r, k);
    for (int k = 0; k < 3; k++) {
        const int64_t n = check_below(&r->state, 200), m = check_below(&r->state, 200);
        try_gather_options(r, n, m, check_below(&r->state, 7));
        try_ones(r, n, m);
    }
}
