// SPDX-License-Identifier: Apache-2.0
//
// The top k: every number type, the greatest and the smallest, k from nothing to everything,
// sizes, layouts, ties and NaN, against the first k of a stable order; a user's comparison; rising
// and falling input; and every error.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference_order.h"

static const check_target *targets;
static int target_count;

typedef struct question {
    hd_type type, index_type;
    bool smallest;
    int64_t n, k;
    check_pattern pattern;
    check_layout layout;
    int rises; // 1, -1: the input is sorted so
} question;

static void ask(const question *q, const check_target *t, const check_array *in, const char *x,
                const int64_t *order)
{
    const size_t size = hd_type_size(q->type);
    check_array values = check_new(q->type, q->k, q->k % 3 ? CHECK_DENSE : CHECK_STRIDED, q->k & 1);
    check_array indices =
        check_new(q->index_type, q->k, q->k % 4 ? CHECK_DENSE : CHECK_REVERSED, 0);
    const bool no_values = q->n % 5 == 1, no_indices = q->n % 7 == 1;
    CHECK_OK(
        t->ctx,
        hd_top_k(t->ctx, in->view, q->k, no_values ? (hd_view){0} : values.view, HD_NO_VALUES,
                 &(hd_top_k_options){.ascending = q->smallest,
                                     .indices = HD_REF(no_indices ? (hd_view){0} : indices.view)}));
    int64_t wrong = -1;
    for (int64_t i = 0; i < q->k && wrong < 0; i++) {
        const void *got = check_element(indices.view, i);
        const int64_t index =
            hd_type_size(q->index_type) == 8 ? *(const int64_t *)got : *(const int32_t *)got;
        if (!no_indices && index != order[i]) wrong = i;
        if (!no_values && memcmp(check_element(values.view, i), x + (size_t)order[i] * size, size))
            wrong = i;
    }
    CHECK(wrong < 0, "%s %" PRId64 " of %" PRId64 " %s (%s, %s): place %" PRId64 " on %s",
          q->smallest ? "smallest" : "greatest", q->k, q->n, hd_type_name(q->type),
          check_pattern_name(q->pattern), check_layout_name(q->layout), wrong, t->name);
    CHECK(check_gaps(&values) && check_gaps(&indices), "wrote between elements on %s", t->name);
    check_drop(&values), check_drop(&indices);
}

static void try(const question *q, uint64_t seed, int one)
{
    const size_t size = hd_type_size(q->type);
    const ref_numbers how = {q->type, !q->smallest};
    char *x = check_memory((size_t)q->n * size);
    int64_t *order = check_memory((size_t)q->n * 8);
    check_fill(q->type, x, q->n, q->pattern, seed);
    ref_order(x, size, q->n, ref_compare_numbers, &how, order);
    if (q->rises != 0) {
        char *y = check_memory((size_t)q->n * size);
        for (int64_t i = 0; i < q->n; i++)
            memcpy(y + (size_t)i * size, x + (size_t)order[q->rises > 0 ? i : q->n - 1 - i] * size,
                   size);
        free(x);
        x = y;
        ref_order(x, size, q->n, ref_compare_numbers, &how, order);
    }
    check_array in = check_new(q->type, q->n, q->layout, seed & 1);
    check_put(&in, x);
    for (int t = 0; t < target_count; t++)
        if (one < 0 || t == 0 || t == 1 + one % (target_count - 1))
            ask(q, &targets[t], &in, x, order);
    check_drop(&in);
    free(x), free(order);
}

static void test_types(void)
{
    static const check_pattern patterns[] = {CHECK_ORDINARY, CHECK_TIES, CHECK_SPECIAL, CHECK_WIDE,
                                             CHECK_ZEROS};
    static const hd_type outs[] = {HD_I64, HD_I32, HD_U64, HD_U32};
    int turn = 0;
    for (int t = 0; check_type(t); t++)
        for (int s = 0; check_size(s, check_small() ? 2039 : 4099) >= 0; s++)
            for (int way = 0; way < 5; way++, turn++) {
                const int64_t n = check_size(s, 4099);
                if (n > 300 && turn % 4) continue;
                const int64_t ks[] = {1, n, n / 2, 10, n / 9};
                question q = {check_type(t), outs[turn % 4],     turn % 2,    n,
                              ks[way],       patterns[turn % 5], CHECK_DENSE, turn % 3 - 1};
                if (q.k > n) q.k = n;
                if (turn % 3 == 0) q.layout = (check_layout)(turn / 3 % CHECK_LAYOUTS);
                try(&q, check_seed() + (uint64_t)turn, n <= 33 ? -1 : turn);
            }
}

static void test_large(void)
{
    static const hd_type types[] = {HD_F32, HD_I32, HD_U8, HD_F16};
    static const int64_t ks[] = {1, 10, 1000, 20000, 100000};
    for (int t = 0; t < (check_small() ? 1 : 4); t++)
        for (int k = 0; k < 5; k++) {
            const question q = {
                types[t],
                HD_I64,
                (t + k) % 2,
                150001,
                ks[k],
                t == 0 && k % 2 ? CHECK_SPECIAL : t == 1 && k % 2 ? CHECK_TIES : CHECK_ORDINARY,
                CHECK_DENSE,
                k % 3 - 1};
            try(&q, check_seed() + (uint64_t)(t + k), -1);
        }
}

// Fewer numbers than k: NaN comes after them, in the order of the indices.
static void test_nan(void)
{
    const float nan = __builtin_nanf(""), x[] = {nan, 1, nan, -3, nan, 2};
    float values[4];
    int64_t indices[4];
    static const int64_t most[] = {5, 1, 3, 0}, least[] = {3, 1, 5, 0};
    for (int t = 0; t < target_count; t++)
        for (int smallest = 0; smallest < 2; smallest++) {
            CHECK_OK(targets[t].ctx,
                     hd_top_k(targets[t].ctx, HD_VIEW(x, 6), 4, HD_VIEW(values, 4), HD_NO_VALUES,
                              &(hd_top_k_options){.ascending = smallest,
                                                  .indices = HD_REF(HD_VIEW(indices, 4))}));
            CHECK(memcmp(indices, smallest ? least : most, sizeof indices) == 0 &&
                      values[3] != values[3],
                  "%s with NaN on %s", smallest ? "smallest" : "greatest", targets[t].name);
        }
}

typedef struct record {
    int32_t key, id;
} record;
HD_COMPARISON(by_key, record, HD_NO_SOURCE, { return a.key < b.key; })

static void test_records(void)
{
    enum { N = 30000, K = 50 };
    static record x[N], got[K];
    static int64_t indices[K];
    for (int i = 0; i < N; i++) x[i] = (record){(i * 7919 + 11) % 5000, i};
    for (int t = 0; t < target_count; t++) {
        CHECK_OK(targets[t].ctx,
                 hd_top_k(targets[t].ctx, HD_VIEW_OF(HD_TYPE(record), x, N), K,
                          HD_VIEW_OF(HD_TYPE(record), got, K), HD_NO_VALUES,
                          &(hd_top_k_options){.comparison = by_key,
                                              .ascending = true,
                                              .indices = HD_REF(HD_VIEW(indices, K))}));
        for (int i = 0; i < K; i++) { // each key is there 6 times
            CHECK(got[i].key == i / 6 && indices[i] == got[i].id, "record %d on %s", i,
                  targets[t].name);
            CHECK(i % 6 == 0 || indices[i] > indices[i - 1], "ties on %s", targets[t].name);
        }
    }
}

// ---- Segments -----------------------------------------------------------------------------------

// The definition: the first k of each segment in a stable order, the rest of a row as it was.
static void test_segments_of(hd_type type, int64_t n, int64_t segments, int64_t k, bool smallest,
                             uint64_t seed)
{
    const size_t size = hd_type_size(type);
    const ref_numbers how = {type, !smallest};
    char *x = check_memory((size_t)n * size), *keys = check_memory((size_t)(segments * k) * size);
    int64_t *offset = check_memory((size_t)(segments + 1) * 8);
    int64_t *order = check_memory((size_t)n * 8), *where = check_memory((size_t)(segments * k) * 8);
    double *value = check_memory((size_t)n * 8), *moved = check_memory((size_t)(segments * k) * 8);
    check_fill(type, x, n, (check_pattern)(seed % 3 ? CHECK_TIES : CHECK_SPECIAL), seed);
    for (int64_t i = 0; i < n; i++) value[i] = (double)i / 2;
    // Some are empty, some are long; elements before the first and behind the last are in none.
    for (int64_t j = 0; j <= segments; j++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const int64_t before = j > 0 ? offset[j - 1] : 0, left = n - before;
        const int64_t most = (seed >> 60) % 3 == 0 ? 0 : (seed >> 60) % 3 == 1 ? 2 * k : left / 3;
        offset[j] = before + (int64_t)((seed >> 20) % (uint64_t)((most < left ? most : left) + 1));
    }
    const hd_view out = hd_view_nd(type, keys, 2, (int64_t[]){segments, k}, NULL);
    const hd_view index = hd_view_nd(HD_I64, where, 2, (int64_t[]){segments, k}, NULL);
    const hd_view values = hd_view_nd(HD_F64, moved, 2, (int64_t[]){segments, k}, NULL);
    for (int t = 0; t < target_count; t++) {
        memset(keys, 0x5a, (size_t)(segments * k) * size);
        memset(where, 0x5a, (size_t)(segments * k) * 8);
        memset(moved, 0x5a, (size_t)(segments * k) * 8);
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx,
                 hd_top_k(ctx, HD_VIEW_OF(type, x, n), k, out, HD_VALUES(HD_VIEW(value, n), values),
                          &(hd_top_k_options){.ascending = smallest,
                                              .indices = HD_REF(index),
                                              .segments = HD_REF(HD_VIEW(offset, segments + 1))}));
        int64_t wrong = -1;
        for (int64_t j = 0; j < segments && wrong < 0; j++) {
            const int64_t length = offset[j + 1] - offset[j];
            ref_order(x + (size_t)offset[j] * size, size, length, ref_compare_numbers, &how, order);
            for (int64_t i = 0; i < k && wrong < 0; i++) {
                const char *got = keys + (size_t)(j * k + i) * size;
                const int64_t at = i < length ? offset[j] + order[i] : 0x5a5a5a5a5a5a5a5a;
                bool same = where[j * k + i] == at;
                if (i < length)
                    same = same && memcmp(got, x + (size_t)at * size, size) == 0 &&
                           moved[j * k + i] == value[at];
                for (size_t b = 0; b < size && i >= length; b++) same = same && got[b] == 0x5a;
                if (!same) wrong = j;
            }
        }
        CHECK(wrong < 0,
              "%s %" PRId64 " of %" PRId64 " segments of %" PRId64 " %s: segment %" PRId64 " on %s",
              smallest ? "smallest" : "greatest", k, segments, n, hd_type_name(type), wrong,
              targets[t].name);
    }
    free(x), free(keys), free(offset), free(order), free(where), free(value), free(moved);
}

static void test_segments(void)
{
    const uint64_t seed = check_seed();
    for (int t = 0; check_type(t); t++) {
        test_segments_of(check_type(t), 1, 3, 2, t % 2, seed + (uint64_t)t);
        test_segments_of(check_type(t), 2011, 97, 1 + t, t % 2, seed + (uint64_t)t);
    }
    test_segments_of(HD_F32, check_small() ? 30011 : 300007, 5, 10, false, seed); // long ones
    test_segments_of(HD_I32, 5003, 7, 200, true, seed);                           // many of each
    test_segments_of(HD_U8, 4001, 1, 4001, false, seed);                          // everything
}

#define FAILS(status, text, call)                                                                  \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s, \"%s\"",                \
              hd_status_name(got), hd_error(ctx));                                                 \
    } while (0)

static void test_errors(void)
{
    static const int32_t x[] = {1, 2, 5, 4};
    static int32_t values[4];
    static int64_t indices[4];
    static record r[4];
    hd_context *ctx = targets[0].ctx;
    const hd_view in = HD_VIEW(x, 4), v = HD_VIEW(values, 2), i = HD_VIEW(indices, 2), none = {0};
    FAILS(HD_ERROR_ARGUMENT, "k is 5; expected 0 to 4",
          hd_top_k(ctx, in, 5, v, HD_NO_VALUES, &(hd_top_k_options){.indices = HD_REF(i)}));
    FAILS(HD_ERROR_ARGUMENT, "k is -1",
          hd_top_k(ctx, in, -1, v, HD_NO_VALUES, &(hd_top_k_options){.indices = HD_REF(i)}));
    FAILS(HD_ERROR_SHAPE, "keys_out has shape (2); expected k = 3 elements",
          hd_top_k(ctx, in, 3, v, HD_NO_VALUES, &(hd_top_k_options){.indices = HD_REF(i)}));
    FAILS(HD_ERROR_SHAPE, "indices has shape (2)",
          hd_top_k(ctx, in, 3, none, HD_NO_VALUES, &(hd_top_k_options){.indices = HD_REF(i)}));
    FAILS(HD_ERROR_TYPE, "keys_out is i64", hd_top_k(ctx, in, 2, i, HD_NO_VALUES, NULL));
    FAILS(HD_ERROR_TYPE, "expected i32, u32, i64 or u64",
          hd_top_k(ctx, in, 2, v, HD_NO_VALUES,
                   &(hd_top_k_options){.indices = HD_REF(HD_VIEW((float *)(void *)indices, 2))}));
    FAILS(HD_ERROR_ALIAS, "keys_out overlaps keys_in",
          hd_top_k(ctx, HD_VIEW(values, 4), 2, v, HD_NO_VALUES, NULL));
    FAILS(HD_ERROR_ALIAS, "indices overlaps keys_out",
          hd_top_k(ctx, in, 2, v, HD_NO_VALUES, &(hd_top_k_options){.indices = HD_REF(v)}));
    FAILS(HD_ERROR_TYPE, "need a comparison",
          hd_top_k(ctx, HD_VIEW_OF(HD_TYPE(record), r, 4), 2, none, HD_NO_VALUES,
                   &(hd_top_k_options){.indices = HD_REF(i)}));
    FAILS(HD_ERROR_ARGUMENT, "an input and an output",
          hd_top_k(ctx, in, 2, v, HD_VALUES(in), NULL));
    FAILS(HD_ERROR_SHAPE, "input 0 of values has shape (2); expected (4)",
          hd_top_k(ctx, in, 2, none, HD_VALUES(HD_VIEW(x, 2), v), NULL));
    FAILS(HD_ERROR_SHAPE, "output 0 of values has shape (4)",
          hd_top_k(ctx, in, 2, none, HD_VALUES(in, HD_VIEW(values, 4)), NULL));
    FAILS(HD_ERROR_TYPE, "output 0 of values is i64; expected its input's type, i32",
          hd_top_k(ctx, in, 2, none, HD_VALUES(in, i), NULL));
    FAILS(HD_ERROR_ALIAS, "keys_out overlaps an output of values",
          hd_top_k(ctx, in, 2, v, HD_VALUES(in, v), NULL));
    FAILS(HD_ERROR_ALIAS, "an output of values overlaps an output of values",
          hd_top_k(ctx, in, 2, none, HD_VALUES(in, v, in, v), NULL));
    FAILS(HD_ERROR_ARGUMENT, "axis",
          hd_top_k(ctx, in, 2, v, HD_NO_VALUES, &(hd_top_k_options){.axis = HD_AXIS(1)}));
    FAILS(HD_ERROR_ARGUMENT, "a row of keys_in",
          hd_top_k(ctx, hd_view_nd(HD_I32, values, 2, (int64_t[]){2, 2}, NULL), 3, none,
                   HD_NO_VALUES, &(hd_top_k_options){.axis = HD_AXIS(0)}));
    FAILS(HD_ERROR_SHAPE, "keys_out has shape (2); expected (2, 1)",
          hd_top_k(ctx, hd_view_nd(HD_I32, values, 2, (int64_t[]){2, 2}, NULL), 1, v, HD_NO_VALUES,
                   &(hd_top_k_options){.axis = HD_AXIS(1)}));
    const int64_t offsets[] = {0, 2, 4}, falling[] = {0, 3, 2}, beyond[] = {0, 2, 5};
    const hd_view rows = hd_view_nd(HD_I32, values, 2, (int64_t[]){2, 2}, NULL);
    FAILS(
        HD_ERROR_ARGUMENT, "axis and segments exclude each other",
        hd_top_k(ctx, in, 2, rows, HD_NO_VALUES,
                 &(hd_top_k_options){.axis = HD_AXIS(0), .segments = HD_REF(HD_VIEW(offsets, 3))}));
    FAILS(HD_ERROR_SHAPE, "expected (2, 2)",
          hd_top_k(ctx, in, 2, v, HD_NO_VALUES,
                   &(hd_top_k_options){.segments = HD_REF(HD_VIEW(offsets, 3))}));
    FAILS(HD_ERROR_VALUE, "offset 2 is 2; expected 3 to 4",
          hd_top_k(ctx, in, 2, rows, HD_NO_VALUES,
                   &(hd_top_k_options){.segments = HD_REF(HD_VIEW(falling, 3))}));
    FAILS(HD_ERROR_VALUE, "offset 2 is 5; expected 2 to 4",
          hd_top_k(ctx, in, 2, rows, HD_NO_VALUES,
                   &(hd_top_k_options){.segments = HD_REF(HD_VIEW(beyond, 3))}));
    FAILS(HD_ERROR_ALIAS, "indices overlaps segments",
          hd_top_k(ctx, in, 2, none, HD_NO_VALUES,
                   &(hd_top_k_options){
                       .indices = HD_REF(hd_view_nd(HD_I64, indices, 2, (int64_t[]){2, 2}, NULL)),
                       .segments = HD_REF(HD_VIEW(indices, 3))}));
    FAILS(HD_ERROR_SHAPE, "segments need one dimension",
          hd_top_k(ctx, hd_view_nd(HD_I32, (int32_t[4]){0}, 2, (int64_t[]){2, 2}, NULL), 2, rows,
                   HD_NO_VALUES, &(hd_top_k_options){.segments = HD_REF(HD_VIEW(offsets, 3))}));
    CHECK_OK(ctx, hd_top_k(ctx, in, 0, HD_VIEW(values, 0), HD_NO_VALUES,
                           &(hd_top_k_options){.indices = HD_REF(HD_VIEW(indices, 0))}));
    CHECK_OK(ctx, hd_top_k(ctx, HD_VIEW(x, 0), 0, none, HD_NO_VALUES, NULL));
}

int main(void)
{
    target_count = check_targets(&targets);
    test_types();
    test_large();
    test_nan();
    test_records();
    test_segments();
    test_errors();
    return check_finish();
}
