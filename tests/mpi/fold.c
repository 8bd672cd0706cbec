// SPDX-License-Identifier: Apache-2.0
// Reductions and scans over ranks, operators with an order among them.
#include <stdlib.h>
#include <string.h>

#include "mpi_test.h"

HD_MONOID(fall, double, HD_NO_SOURCE, HD_ASSOCIATIVE, 1.0, { return 0.5 * a + b; })
HD_FUNCTION(product, double, HD_NO_SOURCE, (double, a, double, b), { return a * b; })

typedef struct fold_case {
    const hd_operator *op;
    hd_type type, out;
} fold_case;

enum { CASES = 12 };

static fold_case fold_case_of(int k)
{
    const fold_case all[CASES] = {
        {HD_SUM, HD_F32, HD_F32},       {HD_SUM, HD_F64, HD_F64},
        {HD_SUM, HD_F16, HD_F32},       {HD_SUM_COMPENSATED, HD_F32, HD_F32},
        {HD_SUM_EXACT, HD_F64, HD_F64}, {HD_MEAN, HD_F32, HD_F64},
        {HD_VARIANCE, HD_F64, HD_F64},  {HD_ARGMAX, HD_I16, HD_I64},
        {HD_MIN, HD_U8, HD_U8},         {HD_SUM, HD_U8, HD_U64},
        {fall, HD_F64, HD_F64},         {HD_NORM2, HD_F32, HD_F32}};
    return all[k % CASES];
}

static void *sequence(hd_type type, int64_t n, uint64_t seed)
{
    void *x = check_memory((size_t)n * hd_type_size(type) + 1);
    check_fill(type, x, n, CHECK_ORDINARY, seed);
    return x;
}

static char *at(void *x, hd_type type, int64_t i)
{
    return (char *)x + (size_t)i * hd_type_size(type);
}

static void try_reduce(ranks *r, const fold_case *c, int64_t n, bool with_init)
{
    _Alignas(16) unsigned char want[16] = {0}, got[16] = {0}, init[16];
    _Alignas(16) unsigned char want_value[16] = {0}, got_value[16] = {0};
    void *x = sequence(c->type, n, (uint64_t)check_next(&r->state));
    const part p = draw_part(r, n);
    check_fill(c->out, init, 1, CHECK_UNITS, 3);
    const bool arg = c->op == HD_ARGMAX;
    const bool takes = c->op == HD_SUM || c->op == HD_MIN || c->op == fall;
    hd_reduce_options o = {.init = with_init && takes ? init : NULL};
    o.values = arg ? HD_REF(HD_VIEW_OF(c->type, want_value, 1)) : NULL;
    CHECK_OK(r->serial, hd_reduce(r->serial, HD_VIEW_OF(c->type, x, n), c->op,
                                  HD_VIEW_OF(c->out, want, 1), &o));
    o.values = arg ? HD_REF(HD_VIEW_OF(c->type, got_value, 1)) : NULL;
    CHECK_MPI(r, hd_mpi_reduce(r->mpi, HD_VIEW_OF(c->type, at(x, c->type, p.begin), p.n), c->op,
                               HD_VIEW_OF(c->out, got, 1), &o));
    CHECK_SAME(c->out, got, want, 1, "%s of %lld %s on rank %d of %d", hd_operator_name(c->op),
               (long long)n, hd_type_name(c->type), r->rank, r->ranks);
    if (arg && n > 0) CHECK_SAME(c->type, got_value, want_value, 1, "its value");
    free(x);
}

static void try_function(ranks *r, int64_t n)
{
    double want, got;
    double *x = sequence(HD_F64, n, 1), *y = sequence(HD_F64, n, 2);
    const part p = draw_part(r, n);
    CHECK_OK(r->serial,
             hd_reduce(r->serial, HD_VIEW(x, n), HD_SUM, HD_VIEW(&want, 1),
                       &(hd_reduce_options){.map = product, .with = HD_VIEWS(HD_VIEW(y, n))}));
    CHECK_MPI(r, hd_mpi_reduce(r->mpi, HD_VIEW(x + p.begin, p.n), HD_SUM, HD_VIEW(&got, 1),
                               &(hd_reduce_options){.map = product,
                                                    .with = HD_VIEWS(HD_VIEW(y + p.begin, p.n))}));
    CHECK_SAME(HD_F64, &got, &want, 1, "a product of %lld", (long long)n);
    free(x), free(y);
}

static void try_scan(ranks *r, const fold_case *c, int64_t n, bool exclusive, bool in_place)
{
    const size_t size = hd_type_size(c->out);
    void *x = sequence(c->type, n, (uint64_t)check_next(&r->state));
    char *want = check_memory((size_t)n * size + 1), *got = check_memory((size_t)n * size + 1);
    const part p = draw_part(r, n);
    const hd_scan_options o = {.exclusive = exclusive};
    CHECK_OK(r->serial,
             hd_scan(r->serial, HD_VIEW_OF(c->type, x, n), c->op, HD_VIEW_OF(c->out, want, n), &o));
    char *out = in_place && c->type == c->out ? at(x, c->type, p.begin) : got;
    CHECK_MPI(r, hd_mpi_scan(r->mpi, HD_VIEW_OF(c->type, at(x, c->type, p.begin), p.n), c->op,
                             HD_VIEW_OF(c->out, out, p.n), &o));
    CHECK_SAME(c->out, out, want + (size_t)p.begin * size, p.n,
               "scan, %s of %lld %s from %lld, rank %d of %d", hd_operator_name(c->op),
               (long long)n, hd_type_name(c->type), (long long)p.begin, r->rank, r->ranks);
    free(x), free(want), free(got);
}

// Random sizes, most of them small.
static int64_t draw_size(ranks *r)
{
    static const int64_t limit[] = {3, 40, 300, 5000};
    return check_below(&r->state, limit[check_below(&r->state, 4)]);
}

enum { ROUNDS = 170 }; // twelve cases each: 2,040 layouts of a reduction

void test_reduce(ranks *r)
{
    const int rounds = r->ranks == 2 ? ROUNDS : 1;
    for (int k = 0; k < rounds * CASES; k++) {
        const fold_case c = fold_case_of(k);
        const int64_t n = draw_size(r);
        try_reduce(r, &c, n, k % 5 == 0);
    }
    for (int k = 0; k < 3; k++) try_function(r, draw_size(r));
    const fold_case sum = fold_case_of(0);
    try_reduce(r, &sum, 300007, false);
}

void test_scan(ranks *r)
{
    const int rounds = r->ranks == 2 ? ROUNDS / 4 : 1;
    for (int k = 0; k < rounds * CASES; k++) {
        const fold_case c = fold_case_of(k);
        const bool exclusive = k % 2 && c.op != HD_VARIANCE && c.op != HD_MEAN && c.op != HD_ARGMAX;
        try_scan(r, &c, draw_size(r), exclusive, k % 5 == 0);
    }
    const fold_case sum = fold_case_of(0);
    try_scan(r, &sum, 300007, false, false);
}
