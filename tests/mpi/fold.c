// SPDX-License-Identifier: Apache-2.0
// Reductions and scans over ranks, operators with an order among them.
#include <stdlib.h>
#include <string.h>

#include "mpi_test.h"

HD_MONOID(fall, double, HD_NO_SOURCE, HD_ASSOCIATIVE, 1.0, { return 0.5 * a + b; })

// Of an order: matrices of f32, which round, and x -> a x + b modulo 2^32, which does not.
typedef struct matrix {
    float a, b, c, d;
} matrix;
HD_MONOID(times, matrix, HD_NO_SOURCE, HD_ASSOCIATIVE, HD_BRACES(1, 0, 0, 1), {
    const matrix product = {a.a * b.a + a.b * b.c, a.a * b.b + a.b * b.d, a.c * b.a + a.d * b.c,
                            a.c * b.b + a.d * b.d};
    return product;
})
typedef struct affine {
    uint32_t a, b;
} affine;
HD_MONOID(after, affine, HD_NO_SOURCE, HD_ASSOCIATIVE, HD_BRACES(1, 0), {
    const affine both = {b.a * a.a, b.a * a.b + b.b};
    return both;
})
HD_FUNCTION(product, double, HD_NO_SOURCE, (double, a, double, b), { return a * b; })

typedef struct fold_case {
    const hd_operator *op;
    hd_type type, out;
} fold_case;

enum { CASES = 14 };

static fold_case fold_case_of(int k)
{
    const fold_case all[CASES] = {{HD_SUM, HD_F32, HD_F32},
                                  {HD_SUM, HD_F64, HD_F64},
                                  {HD_SUM, HD_F16, HD_F32},
                                  {HD_SUM_COMPENSATED, HD_F32, HD_F32},
                                  {HD_SUM_EXACT, HD_F64, HD_F64},
                                  {HD_MEAN, HD_F32, HD_F64},
                                  {HD_VARIANCE, HD_F64, HD_F64},
                                  {HD_ARGMAX, HD_I16, HD_I64},
                                  {HD_MIN, HD_U8, HD_U8},
                                  {HD_SUM, HD_U8, HD_U64},
                                  {fall, HD_F64, HD_F64},
                                  {HD_NORM2, HD_F32, HD_F32},
                                  {times, HD_TYPE(matrix), HD_TYPE(matrix)},
                                  {after, HD_TYPE(affine), HD_TYPE(affine)}};
    return all[k % CASES];
}

static void *sequence(hd_type type, int64_t n, uint64_t seed)
{
    const size_t size = hd_type_size(type);
    void *x = check_memory((size_t)n * size + 1);
    const bool structures = type >= HD_STRUCTURE; // of words
    check_fill(!structures              ? type
               : size == sizeof(affine) ? HD_U32
                                        : HD_F32,
               x, structures ? n * (int64_t)(size / 4) : n, CHECK_ORDINARY, seed);
    return x;
}

static void same(const ranks *r, const fold_case *c, const void *got, const void *want, int64_t n,
                 const char *what, int64_t all)
{
    if (c->out < HD_STRUCTURE)
        CHECK_SAME(c->out, got, want, n, "%s, %s of %lld %s on rank %d of %d", what,
                   hd_operator_name(c->op), (long long)all, hd_type_name(c->type), r->rank,
                   r->ranks);
    else
        CHECK(memcmp(got, want, (size_t)n * hd_type_size(c->out)) == 0,
              "%s, %s of %lld structures on rank %d of %d", what, hd_operator_name(c->op),
              (long long)all, r->rank, r->ranks);
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
    if (c->out < HD_STRUCTURE) check_fill(c->out, init, 1, CHECK_UNITS, 3);
    const bool arg = c->op == HD_ARGMAX;
    const bool takes = c->op == HD_SUM || c->op == HD_MIN || c->op == fall;
    hd_reduce_options o = {.init = with_init && takes ? init : NULL};
    o.values = arg ? HD_REF(HD_VIEW_OF(c->type, want_value, 1)) : NULL;
    CHECK_OK(r->serial, hd_reduce(r->serial, HD_VIEW_OF(c->type, x, n), c->op,
                                  HD_VIEW_OF(c->out, want, 1), &o));
    o.values = arg ? HD_REF(HD_VIEW_OF(c->type, got_value, 1)) : NULL;
    CHECK_MPI(r, hd_mpi_reduce(r->mpi, HD_VIEW_OF(c->type, at(x, c->type, p.begin), p.n), c->op,
                               HD_VIEW_OF(c->out, got, 1), &o));
    same(r, c, got, want, 1, "reduce", n);
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
    same(r, c, out, want + (size_t)p.begin * size, p.n, "scan", n);
    free(x), free(want), free(got);
}

// Random sizes, most of them small.
static int64_t draw_size(ranks *r)
{
    static const int64_t limit[] = {3, 40, 300, 5000};
    return check_below(&r->state, limit[check_below(&r->state, 4)]);
}

// Layouts of one call and the other, each of another case.
enum { LAYOUTS = 2000, FEW_REDUCTIONS = 280, FEW_SCANS = 140 };

static void draw_reduce(ranks *r, int k)
{
    const fold_case c = fold_case_of(k);
    try_reduce(r, &c, draw_size(r), k % 5 == 0);
}

static void draw_scan(ranks *r, int k)
{
    const fold_case c = fold_case_of(k);
    const bool exclusive = k % 2 && c.op != HD_VARIANCE && c.op != HD_MEAN && c.op != HD_ARGMAX;
    try_scan(r, &c, draw_size(r), exclusive, k % 5 == 0);
}

void draw_fold(ranks *r)
{
    const int k = (int)check_below(&r->state, 1000);
    draw_reduce(r, k);
    draw_scan(r, k + 1);
}

void test_reduce(ranks *r)
{
    const int tries = test_all() ? LAYOUTS : r->ranks == 2 ? FEW_REDUCTIONS : CASES;
    for (int k = 0; k < tries; k++) draw_reduce(r, k);
    for (int k = 0; k < 3; k++) try_function(r, draw_size(r));
    const fold_case sum = fold_case_of(0);
    try_reduce(r, &sum, 300007, false);
}

void test_scan(ranks *r)
{
    const int tries = test_all() ? LAYOUTS : r->ranks == 2 ? FEW_SCANS : CASES;
    for (int k = 0; k < tries; k++) draw_scan(r, k);
    const fold_case sum = fold_case_of(0);
    try_scan(r, &sum, 300007, false, false);
}
