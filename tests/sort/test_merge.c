// SPDX-License-Identifier: Apache-2.0
//
// Merging: every number type in both directions, sizes of both sides, layouts, patterns with NaN
// and both zeros, against a stable order of the two put together; users' comparisons; values;
// unsorted input, which must still give a permutation; the check for it; and every error.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference_order.h"

static const check_target *targets;
static int target_count;

typedef struct question {
    hd_type type;
    bool descending;
    int64_t na, nb;
    check_pattern pattern;
    check_layout layout;
    bool with_values, unequal; // unequal: all of b before all of a, mostly
} question;

// Fills x with two sorted parts and gives the order of the merge.
static void make(const question *q, char *x, int64_t *order, uint64_t seed)
{
    const size_t size = hd_type_size(q->type);
    const int64_t n = q->na + q->nb;
    const ref_numbers how = {q->type, q->descending};
    char *y = check_memory((size_t)n * size);
    check_fill(q->type, y, n, q->pattern, seed);
    if (q->unequal) { // the parts are halves of one order
        ref_order(y, size, n, ref_compare_numbers, &how, order);
        for (int64_t i = 0; i < n; i++)
            memcpy(x + (size_t)i * size, y + (size_t)order[(i + q->nb) % n] * size, size);
        memcpy(y, x, (size_t)n * size);
    }
    for (int part = 0; part < 2; part++) {
        const int64_t first = part ? q->na : 0, m = part ? q->nb : q->na;
        ref_order(y + (size_t)first * size, size, m, ref_compare_numbers, &how, order);
        for (int64_t i = 0; i < m; i++)
            memcpy(x + (size_t)(first + i) * size, y + (size_t)(first + order[i]) * size, size);
    }
    ref_order(x, size, n, ref_compare_numbers, &how, order);
    free(y);
}

typedef struct arrays {
    check_array a, b, out, va, vb, v_out;
    char *x, *want, *got;
    int64_t *order;
    int32_t *v;
} arrays;

static void ask(const question *q, const check_target *t, const arrays *r)
{
    const size_t size = hd_type_size(q->type);
    const int64_t n = q->na + q->nb;
    hd_merge_options o = {.descending = q->descending, .checked = q->na % 2};
    const hd_views values =
        q->with_values ? HD_VALUES(r->va.view, r->vb.view, r->v_out.view) : HD_NO_VALUES;
    CHECK_OK(t->ctx, hd_merge(t->ctx, r->a.view, r->b.view, r->out.view, values, &o));
    check_get(&r->out, r->got);
    for (int64_t i = 0; i < n; i++)
        memcpy(r->want + (size_t)i * size, r->x + (size_t)r->order[i] * size, size);
    CHECK(memcmp(r->want, r->got, (size_t)n * size) == 0,
          "%" PRId64 " and %" PRId64 " %s (%s, %s)%s on %s", q->na, q->nb, hd_type_name(q->type),
          check_pattern_name(q->pattern), check_layout_name(q->layout),
          q->descending ? " descending" : "", t->name);
    CHECK(check_gaps(&r->out), "wrote between elements on %s", t->name);
    if (!q->with_values) return;
    int32_t *got = (int32_t *)(void *)r->got;
    check_get(&r->v_out, got);
    for (int64_t i = 0; i < n; i++)
        if (got[i] != r->order[i]) {
            CHECK(false, "value %" PRId64 " of %" PRId64 " and %" PRId64 " %s on %s", i, q->na,
                  q->nb, hd_type_name(q->type), t->name);
            break;
        }
}

static check_array filled(hd_type type, const void *from, int64_t n, check_layout layout,
                          uint64_t seed)
{
    const check_array a = check_new(type, n, layout, seed & 1);
    if (from != NULL) check_put(&a, from);
    return a;
}

static void try(const question *q, uint64_t seed, int one)
{
    const size_t size = hd_type_size(q->type), n = (size_t)(q->na + q->nb);
    arrays r = {.x = check_memory(n * 8),
                .want = check_memory(n * 8),
                .got = check_memory(n * 8),
                .order = check_memory(n * 8),
                .v = check_memory(n * 4)};
    make(q, r.x, r.order, seed);
    for (size_t i = 0; i < n; i++) r.v[i] = (int32_t)i;
    r.a = filled(q->type, r.x, q->na, q->layout, seed);
    r.b = filled(q->type, r.x + (size_t)q->na * size, q->nb, q->layout, seed / 2);
    r.out = filled(q->type, NULL, (int64_t)n, q->layout, seed / 4);
    r.va = filled(HD_I32, r.v, q->na, q->layout, seed);
    r.vb = filled(HD_I32, r.v + q->na, q->nb, q->layout, seed / 2);
    r.v_out = filled(HD_I32, NULL, (int64_t)n, q->layout, seed / 4);
    for (int t = 0; t < target_count; t++)
        if (one < 0 || t == 0 || t == 1 + one % (target_count - 1)) ask(q, &targets[t], &r);
    check_drop(&r.a), check_drop(&r.b), check_drop(&r.out);
    check_drop(&r.va), check_drop(&r.vb), check_drop(&r.v_out);
    free(r.x), free(r.want), free(r.got), free(r.order), free(r.v);
}

static void test_types(void)
{
    static const check_pattern patterns[] = {CHECK_ORDINARY, CHECK_TIES, CHECK_SPECIAL, CHECK_WIDE,
                                             CHECK_ZEROS};
    int turn = 0;
    for (int t = 0; check_type(t); t++)
        for (int s = 0; check_size(s, check_small() ? 257 : 2039) >= 0; s++)
            for (int way = 0; way < 4; way++, turn++) {
                const int64_t n = check_size(s, 2039);
                if (n > 300 && turn % 4) continue;
                const int64_t other = way == 0 ? n : way == 1 ? n / 7 : check_size(turn % 9, 2039);
                question q = {.type = check_type(t), .descending = turn % 2};
                q.na = way == 3 ? other : n, q.nb = way == 3 ? n : other;
                q.pattern = patterns[turn % 5];
                q.layout = turn % 3 == 0 ? (check_layout)(turn / 3 % CHECK_LAYOUTS) : CHECK_DENSE;
                q.with_values = turn % 5 == 1;
                q.unequal = turn % 7 == 2;
                try(&q, check_seed() + (uint64_t)turn, n <= 33 ? -1 : turn);
            }
}

static void test_large(void)
{
    static const hd_type types[] = {HD_I32, HD_F32, HD_U8, HD_F64, HD_BF16, HD_U32, HD_I64, HD_U64};
    for (int k = 0; k < (check_small() ? 1 : 8); k++)
        for (int way = 0; way < 4; way++) {
            question q = {.type = types[k], .descending = way & 1, .na = 60000 + 7 * k};
            q.nb = way == 0 ? 60000 : way == 1 ? 150001 : way == 2 ? 13 : 0;
            q.pattern = k % 2 ? CHECK_SPECIAL : way % 2 ? CHECK_TIES : CHECK_ORDINARY;
            q.with_values = (k + way) % 4 == 3;
            q.unequal = way == 1 && k % 2;
            try(&q, check_seed() + (uint64_t)(k + way), -1);
        }
    const question q = {HD_I32, false, 524288, 524287, CHECK_ORDINARY, CHECK_DENSE, false, false};
    if (!check_small()) try(&q, check_seed(), -1);
}

// ---- Users' comparisons, and input that is not sorted -------------------------------------------

typedef struct record {
    int32_t key, id;
} record;
HD_COMPARISON(by_key, record, HD_NO_SOURCE, { return a.key < b.key; })

static int key_order(const void *a, const void *b, const void *argument)
{
    (void)argument;
    return ((const record *)a)->key - ((const record *)b)->key;
}

static int by_id(const void *a, const void *b)
{
    return ((const record *)a)->id - ((const record *)b)->id;
}

static int by_key_alone(const void *a, const void *b)
{
    const int apart = ((const record *)a)->key - ((const record *)b)->key;
    return apart != 0 ? apart : by_id(a, b);
}

// sorted: the answer is the stable order; else it is a permutation.
static void merge_records(int64_t na, int64_t nb, bool sorted, uint64_t seed)
{
    const int64_t n = na + nb;
    const hd_type type = HD_STRUCT(record);
    check_array a = check_new(type, na, CHECK_DENSE, true), b = check_new(type, nb, CHECK_DENSE, 0);
    check_array out = check_new(type, n, CHECK_DENSE, seed & 1);
    record *x = check_memory((size_t)n * sizeof *x), *got = out.view.data;
    int64_t *order = check_memory((size_t)n * 8);
    for (int64_t i = 0; i < n; i++)
        x[i] = (record){(int32_t)check_below(&seed, n / 3 + 1), (int32_t)i};
    if (sorted) {
        qsort(x, (size_t)na, sizeof *x, by_key_alone);
        qsort(x + na, (size_t)nb, sizeof *x, by_key_alone);
    }
    check_put(&a, x), check_put(&b, x + na);
    ref_order(x, sizeof *x, n, key_order, NULL, order);
    for (int t = 0; t < target_count; t++) {
        CHECK_OK(targets[t].ctx, hd_merge(targets[t].ctx, a.view, b.view, out.view, HD_NO_VALUES,
                                          &(hd_merge_options){.comparison = by_key}));
        int64_t wrong = -1;
        if (!sorted) qsort(got, (size_t)n, sizeof *got, by_id);
        for (int64_t i = 0; i < n && wrong < 0; i++)
            if (got[i].id != (sorted ? x[order[i]].id : i)) wrong = i;
        CHECK(wrong < 0, "%s records, %" PRId64 " and %" PRId64 ": element %" PRId64 " on %s",
              sorted ? "sorted" : "unsorted", na, nb, wrong, targets[t].name);
    }
    check_drop(&a), check_drop(&b), check_drop(&out);
    free(x), free(order);
}

static int by_bytes(const void *a, const void *b, void *size)
{
    return memcmp(a, b, *(const size_t *)size);
}

// Numbers of which few or many are out of order: the answer is a permutation.
static void merge_unsorted(hd_type type, int64_t na, int64_t nb, int64_t swaps, uint64_t seed)
{
    const int64_t n = na + nb;
    size_t size = hd_type_size(type);
    const bool descending = seed & 1;
    const question q = {
        .type = type, .na = na, .nb = nb, .pattern = CHECK_TIES, .descending = descending};
    char *x = check_memory((size_t)n * size), *got = check_memory((size_t)n * size);
    int64_t *order = check_memory((size_t)n * 8);
    make(&q, x, order, seed);
    for (int64_t k = 0; k < swaps; k++) {
        char kept[8];
        char *const p = x + (size_t)check_below(&seed, na) * size;
        char *const r = x + (size_t)(na + check_below(&seed, nb)) * size;
        memcpy(kept, p, size), memcpy(p, r, size), memcpy(r, kept, size);
    }
    const hd_view a = hd_view_of(type, x, na), b = hd_view_of(type, x + (size_t)na * size, nb);
    for (int t = 0; t < target_count; t++) {
        memset(got, 1, (size_t)n * size);
        CHECK_OK(targets[t].ctx,
                 hd_merge(targets[t].ctx, a, b, hd_view_of(type, got, n), HD_NO_VALUES,
                          &(hd_merge_options){.descending = descending}));
        char *const wanted = check_memory((size_t)n * size);
        memcpy(wanted, x, (size_t)n * size);
        qsort_r(wanted, (size_t)n, size, by_bytes, &size);
        qsort_r(got, (size_t)n, size, by_bytes, &size);
        CHECK(memcmp(wanted, got, (size_t)n * size) == 0,
              "%s, %" PRId64 " and %" PRId64 ", %" PRId64 " out of order: no permutation on %s",
              hd_type_name(type), na, nb, swaps, targets[t].name);
        free(wanted);
    }
    free(x), free(got), free(order);
}

static void test_unsorted(void)
{
    static const hd_type types[] = {HD_I32, HD_U32, HD_I64, HD_U64, HD_F32, HD_F64, HD_U8};
    for (int k = 0; k < 7; k++) {
        merge_unsorted(types[k], 64, 64, 3, check_seed() + (uint64_t)k);
        merge_unsorted(types[k], 300, 5000, 5, check_seed() + (uint64_t)k + 1);
        merge_unsorted(types[k], 4001, 3007, 9000, check_seed() + (uint64_t)k);
        if (!check_small()) merge_unsorted(types[k], 70001, 60007, 40, check_seed() + (uint64_t)k);
    }
}

static void test_records(void)
{
    static const int64_t sizes[] = {0, 1, 2, 17, 100, 4097, 70000};
    for (int i = 0; i < (check_small() ? 6 : 7); i++)
        for (int j = 0; j < (check_small() ? 6 : 7); j++) {
            if ((i + j) % 3 == 0 || (i == 6 && j < 4)) continue;
            merge_records(sizes[i], sizes[j], true, check_seed() + (uint64_t)i);
            merge_records(sizes[i], sizes[j], false, check_seed() + (uint64_t)j);
        }
}

// ---- Errors -------------------------------------------------------------------------------------

#define FAILS(status, text, call)                                                                  \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s, \"%s\"",                \
              hd_status_name(got), hd_error(ctx));                                                 \
    } while (0)

static void test_errors(void)
{
    static const int32_t a[] = {1, 2, 5}, b[] = {0, 3, 2, 4};
    static int32_t out[16];
    static record r[8];
    float f[4] = {0};
    hd_context *ctx = targets[0].ctx;
    const hd_view va = HD_VIEW(a, 3), vb = HD_VIEW(b, 4), vo = HD_VIEW(out, 7);
    const hd_type T = HD_STRUCT(record);
    FAILS(HD_ERROR_SHAPE,
          "out has shape (6); expected as many elements as both together, a (3) and b (4)",
          hd_merge(ctx, va, vb, HD_VIEW(out, 6), HD_NO_VALUES, NULL));
    FAILS(HD_ERROR_TYPE, "one type", hd_merge(ctx, va, HD_VIEW(f, 4), vo, HD_NO_VALUES, NULL));
    FAILS(HD_ERROR_TYPE, "need a comparison",
          hd_merge(ctx, HD_VIEW_OF(T, r, 2), HD_VIEW_OF(T, r + 2, 2), HD_VIEW_OF(T, r + 4, 4),
                   HD_NO_VALUES, NULL));
    FAILS(HD_ERROR_ALIAS, "out overlaps a",
          hd_merge(ctx, HD_VIEW(out, 3), vb, HD_VIEW(out, 7), HD_NO_VALUES, NULL));
    FAILS(HD_ERROR_ALIAS, "out overlaps b",
          hd_merge(ctx, va, HD_VIEW(out + 5, 4), HD_VIEW(out, 7), HD_NO_VALUES, NULL));
    FAILS(HD_ERROR_VALUE, "b is not sorted: element 2 comes before element 1",
          hd_merge(ctx, va, vb, vo, HD_NO_VALUES, &(hd_merge_options){.checked = true}));
    FAILS(HD_ERROR_VALUE, "a is not sorted: element 1 comes before element 0",
          hd_merge(ctx, va, vb, vo, HD_NO_VALUES,
                   &(hd_merge_options){.checked = true, .descending = true}));
    FAILS(HD_ERROR_VALUE, "a is not sorted: element 1 comes before element 0",
          hd_merge(ctx, hd_slice(va, 0, 2, 3, -1), vb, vo, HD_NO_VALUES,
                   &(hd_merge_options){.checked = true}));
    r[1].key = 1;
    FAILS(HD_ERROR_VALUE, "a is not sorted: element 1 comes before element 0",
          hd_merge(ctx, HD_VIEW_OF(T, r, 2), HD_VIEW_OF(T, r + 2, 2), HD_VIEW_OF(T, r + 4, 4),
                   HD_NO_VALUES,
                   &(hd_merge_options){.comparison = by_key, .descending = true, .checked = true}));
    const hd_view square = hd_view_nd(HD_I32, (int32_t *)(void *)r, 2, (int64_t[]){2, 3}, NULL);
    FAILS(HD_ERROR_SHAPE, "b has shape (4); expected (2, 3), that of a but for the axis",
          hd_merge(ctx, square, vb, vo, HD_NO_VALUES, &(hd_merge_options){.axis = HD_AXIS(1)}));
    FAILS(HD_ERROR_SHAPE, "out has shape (7)",
          hd_merge(ctx, square, square, vo, HD_NO_VALUES, &(hd_merge_options){.axis = HD_AXIS(1)}));
    FAILS(HD_ERROR_SHAPE, "indices has shape (6)",
          hd_merge(ctx, va, vb, vo, HD_NO_VALUES,
                   &(hd_merge_options){.indices = HD_REF(HD_VIEW(out + 7, 6))}));
    FAILS(HD_ERROR_ALIAS, "indices overlaps out",
          hd_merge(ctx, va, vb, vo, HD_NO_VALUES, &(hd_merge_options){.indices = &vo}));
    FAILS(HD_ERROR_TYPE, "expected i32, u32, i64 or u64",
          hd_merge(ctx, va, vb, vo, HD_NO_VALUES,
                   &(hd_merge_options){.indices = HD_REF(HD_VIEW(f, 4))}));
    FAILS(HD_ERROR_TYPE, "comparison by_key is of",
          hd_merge(ctx, va, vb, vo, HD_NO_VALUES, &(hd_merge_options){.comparison = by_key}));
    FAILS(HD_ERROR_ARGUMENT, "values are 2 views",
          hd_merge(ctx, va, vb, vo, HD_VALUES(va, vb), NULL));
    FAILS(HD_ERROR_SHAPE, "a of values has shape (2); expected (3), that of a",
          hd_merge(ctx, va, vb, vo, HD_VALUES(HD_VIEW(a, 2), HD_VIEW(b, 4), HD_VIEW(out + 7, 6)),
                   NULL));
    FAILS(HD_ERROR_ALIAS, "out overlaps a view of values",
          hd_merge(ctx, va, vb, vo, HD_VALUES(va, vb, vo), NULL));
    FAILS(HD_ERROR_ALIAS, "an output of values overlaps a",
          hd_merge(ctx, HD_VIEW(out + 7, 3), vb, vo, HD_VALUES(va, vb, HD_VIEW(out + 8, 7)), NULL));
    CHECK_OK(ctx, hd_merge(ctx, HD_VIEW(a, 0), HD_VIEW(b, 0), HD_VIEW(out, 0), HD_NO_VALUES, NULL));
    CHECK_OK(ctx, hd_merge(ctx, hd_iota(3), hd_constant((int64_t)1, 2), HD_VIEW((int64_t *)r, 5),
                           HD_NO_VALUES, NULL));
    static const int64_t want[] = {0, 1, 1, 1, 2};
    CHECK(memcmp(r, want, sizeof want) == 0, "implicit views");
}

int main(void)
{
    target_count = check_targets(&targets);
    test_types();
    test_large();
    test_records();
    test_unsorted();
    test_errors();
    return check_finish();
}
