// SPDX-License-Identifier: Apache-2.0
// compile: $<$<CONFIG:Release>:-O3>
//
// Users' operators: the farthest point, saturating addition, non-commutative products of matrices
// and of affine maps, a large structure, with and without identity; in reductions and scans, over
// segments, backward. hd_check_operator is in test_check_operator.c.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

HD_SOURCE(
    geometry, typedef struct { float x, y, z; } point;
    static inline float norm2(point p) { return p.x * p.x + p.y * p.y + p.z * p.z; })
HD_OPERATOR(farther, point, geometry, HD_ASSOCIATIVE, { return norm2(a) >= norm2(b) ? a : b; })

HD_MONOID(saturate, float, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE, 0.0f,
          { return a + b > 4.0f ? 4.0f : a + b; })

HD_SOURCE(
    matrices, typedef struct { uint32_t a, b, c, d; } matrix;)
HD_MONOID(matrix_product, matrix, matrices, HD_ASSOCIATIVE | HD_EXACT, HD_BRACES(1, 0, 0, 1), {
    matrix r;
    r.a = a.a * b.a + a.b * b.c;
    r.b = a.a * b.b + a.b * b.d;
    r.c = a.c * b.a + a.d * b.c;
    r.d = a.c * b.b + a.d * b.d;
    return r;
})

HD_SOURCE(
    maps, typedef struct { float scale, shift; } affine;)
HD_MONOID(compose, affine, maps, HD_ASSOCIATIVE, HD_BRACES(1.0f, 0.0f), {
    affine r;
    r.scale = a.scale * b.scale;
    r.shift = a.shift * b.scale + b.shift;
    return r;
})

HD_SOURCE(
    wide, typedef struct { double v[25]; } vector25;) // 200 bytes
HD_OPERATOR(add25, vector25, wide, HD_ASSOCIATIVE | HD_COMMUTATIVE, {
    vector25 r;
    for (int k = 0; k < 25; k++) r.v[k] = a.v[k] + b.v[k];
    return r;
})

HD_SOURCE(
    odd, typedef struct { unsigned char b[3]; } three;)
HD_OPERATOR(last_of, three, odd, HD_ASSOCIATIVE, {
    (void)a;
    return b;
})

// The reference calls the same text, one pair at a time, in its own tree.
static void one_by_one(const void *self, void *out, const void *a, const void *b)
{
    const hd_operator *op = self;
    op->combine(out, a, b, 1, NULL);
}

static const check_target *targets;
static int target_count;

typedef struct question {
    const hd_operator *op;
    hd_type field; // to fill and compare
    int64_t fields;
    int64_t n;
    char *x, *want, *got;
    size_t size;
} question;

static void compare(const question *q, const void *got, const void *want, int64_t n,
                    const char *what, const char *where)
{
    CHECK_SAME(q->field, got, want, n * q->fields, "%s of %" PRId64 ", %s, on %s",
               hd_operator_name(q->op), q->n, what, where);
}

static void try_whole(const question *q, const check_target *t)
{
    const ref_monoid monoid = {q->size, one_by_one, q->op};
    const hd_view in = HD_VIEW_OF(q->op->type, q->x, q->n),
                  out = HD_VIEW_OF(q->op->type, q->got, q->n);
    _Alignas(8) char one[HD_MAX_ELEMENT];
    ref_tree_scan(&monoid, q->x, q->n, NULL, q->want);
    CHECK_OK(t->ctx, hd_scan(t->ctx, in, q->op, out, NULL));
    compare(q, q->got, q->want, q->n, "scan", t->name);
    CHECK_OK(t->ctx, hd_reduce(t->ctx, in, q->op, HD_VIEW_OF(q->op->type, one, 1), NULL));
    compare(q, one, q->want + q->size * (size_t)(q->n - 1), 1, "reduce", t->name);
    // exclusive with the first element as init: x0, x0 x0, x0 (x0 x1), ...
    CHECK_OK(t->ctx,
             hd_scan(t->ctx, in, q->op, out, &(hd_scan_options){.exclusive = true, .init = q->x}));
    for (int64_t i = q->n - 1; i > 0; i--)
        q->op->combine(q->want + q->size * (size_t)i, q->x, q->want + q->size * (size_t)(i - 1), 1,
                       NULL);
    memcpy(q->want, q->x, q->size);
    compare(q, q->got, q->want, q->n, "exclusive scan with init", t->name);
}

static void try_parts(const question *q, const check_target *t, uint64_t seed)
{
    uint64_t state = seed;
    const ref_monoid monoid = {q->size, one_by_one, q->op};
    unsigned char *heads = check_memory((size_t)q->n);
    int64_t *offsets = check_memory(8 * (size_t)(q->n + 2)), count = 0;
    for (int64_t i = 0; i < q->n; i += 1 + check_below(&state, 40)) offsets[count++] = i;
    offsets[count++] = q->n;
    ref_heads_of_offsets(offsets, count, heads, q->n);
    check_array in = check_new(q->op->type, q->n, seed % 2 ? CHECK_REVERSED : CHECK_STRIDED, false);
    check_put(&in, q->x);
    ref_tree_scan(&monoid, q->x, q->n, heads, q->want);
    CHECK_OK(t->ctx, hd_scan(t->ctx, in.view, q->op, HD_VIEW_OF(q->op->type, q->got, q->n),
                             &(hd_scan_options){.segments = HD_REF(HD_VIEW(offsets, count))}));
    compare(q, q->got, q->want, q->n, "segmented scan", t->name);
    for (int64_t j = 0; j + 1 < count; j++)
        ref_tree_reduce(&monoid, q->x + q->size * (size_t)offsets[j], offsets[j + 1] - offsets[j],
                        q->want + q->size * (size_t)j);
    CHECK_OK(t->ctx, hd_reduce(t->ctx, in.view, q->op, HD_VIEW_OF(q->op->type, q->got, count - 1),
                               &(hd_reduce_options){.segments = HD_REF(HD_VIEW(offsets, count))}));
    compare(q, q->got, q->want, count - 1, "segmented reduce", t->name);
    check_drop(&in);
    free(heads);
    free(offsets);
}

static void try_backward(const question *q, const check_target *t)
{
    const ref_monoid monoid = {q->size, one_by_one, q->op};
    char *reversed = check_memory(q->size * (size_t)q->n);
    for (int64_t i = 0; i < q->n; i++)
        memcpy(reversed + q->size * (size_t)i, q->x + q->size * (size_t)(q->n - 1 - i), q->size);
    ref_tree_scan(&monoid, reversed, q->n, NULL, reversed);
    for (int64_t i = 0; i < q->n; i++)
        memcpy(q->want + q->size * (size_t)i, reversed + q->size * (size_t)(q->n - 1 - i), q->size);
    memcpy(q->got, q->x, q->size * (size_t)q->n);
    const hd_view v = HD_VIEW_OF(q->op->type, q->got, q->n);
    CHECK_OK(t->ctx, hd_scan(t->ctx, v, q->op, v, &(hd_scan_options){.backward = true}));
    compare(q, q->got, q->want, q->n, "backward scan in place", t->name);
    free(reversed);
}

static void test_operator(const hd_operator *op, hd_type field, int64_t fields,
                          check_pattern pattern)
{
    static const int64_t sizes[] = {1, 2, 7, 8, 9, 63, 64, 65, 255, 257, 1000, 4099, 40009};
    for (int k = 0; k < (check_small() ? 11 : 13); k++) {
        question q = {op, field, fields, sizes[k], NULL, NULL, NULL, hd_type_size(op->type)};
        const size_t bytes = q.size * (size_t)q.n;
        q.x = check_memory(bytes), q.want = check_memory(bytes), q.got = check_memory(bytes);
        check_fill(field, q.x, q.n * fields, pattern, check_seed() + (uint64_t)k);
        for (int t = 0; t < target_count; t++) {
            if (sizes[k] > 5000 && t % 2) continue;
            try_whole(&q, &targets[t]);
            try_parts(&q, &targets[t], check_seed() + (uint64_t)k);
            try_backward(&q, &targets[t]);
        }
        free(q.x), free(q.want), free(q.got);
    }
}

// The lecture's farthest point, and empties.
static void test_farthest(void)
{
    const point p[] = {{1, 2, 3}, {-4, 0, 0}, {0, 3, -3}, {4, 0, 0}, {1, 1, 1}};
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        const hd_type type = HD_TYPE(point);
        point far = {9, 9, 9}, none[1];
        matrix identity = {7, 7, 7, 7};
        CHECK_OK(ctx,
                 hd_reduce(ctx, HD_VIEW_OF(type, p, 5), farther, HD_VIEW_OF(type, &far, 1), NULL));
        CHECK(far.x == 0 && far.y == 3 && far.z == -3, "(%g, %g, %g) on %s", (double)far.x,
              (double)far.y, (double)far.z, targets[t].name);
        CHECK(hd_reduce(ctx, HD_VIEW_OF(type, none, 0), farther, HD_VIEW_OF(type, &far, 1), NULL) !=
                  HD_OK,
              "nothing has no farthest point");
        CHECK(strstr(hd_error(ctx), "farther") != NULL, "text: %s", hd_error(ctx));
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW_OF(HD_TYPE(matrix), NULL, 0), matrix_product,
                                HD_VIEW_OF(HD_TYPE(matrix), &identity, 1), NULL));
        CHECK(identity.a == 1 && identity.b == 0 && identity.c == 0 && identity.d == 1, "%s",
              targets[t].name);
    }
}

// Fibonacci numbers by a scan of matrices: exact, and wrong in any other order of factors with L.
static void test_fibonacci(void)
{
    matrix m[40], out[40];
    for (int i = 0; i < 40; i++) m[i] = (matrix){1, 1, 1, 0};
    for (int t = 0; t < target_count; t++) {
        const hd_view in = HD_VIEW_OF(HD_TYPE(matrix), m, 40),
                      to = HD_VIEW_OF(HD_TYPE(matrix), out, 40);
        CHECK_OK(targets[t].ctx, hd_scan(targets[t].ctx, in, matrix_product, to,
                                         &(hd_scan_options){.exclusive = true}));
        for (uint32_t i = 0, f = 0, g = 1; i < 40; i++) {
            CHECK(out[i].b == f && out[i].a == g, "fibonacci %u is %u on %s", i, out[i].b,
                  targets[t].name);
            const uint32_t next = f + g;
            f = g;
            g = next;
        }
    }
}

int main(void)
{
    target_count = check_targets(&targets);
    test_operator(farther, HD_F32, 3, CHECK_ORDINARY);
    test_operator(saturate, HD_F32, 1, CHECK_ORDINARY);
    test_operator(matrix_product, HD_U32, 4, CHECK_ORDINARY);
    test_operator(compose, HD_F32, 2, CHECK_UNITS);
    test_operator(add25, HD_F64, 25, CHECK_ORDINARY);
    test_operator(last_of, HD_U8, 3, CHECK_ORDINARY);
    test_farthest();
    test_fibonacci();
    return check_finish();
}
