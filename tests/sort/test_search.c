// SPDX-License-Identifier: Apache-2.0
//
// Searching: every number type in both directions and on both sides, sizes, layouts, queries that
// rise, fall or neither, against a count of the elements that come before; a user's comparison;
// unsorted input, for which any place within is allowed; and every error.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference_order.h"

static const check_target *targets;
static int target_count;

typedef struct question {
    hd_type type, out_type;
    bool descending, right;
    int64_t n, m;
    check_pattern pattern;
    check_layout layout;
    int queries; // 0: any; 1: they rise; 2: they fall
} question;

static void sort_in_place(const ref_numbers *how, char *x, int64_t n, bool reversed)
{
    const size_t size = hd_type_size(how->type);
    int64_t *order = check_memory((size_t)n * 8);
    char *y = check_memory((size_t)n * size);
    memcpy(y, x, (size_t)n * size);
    ref_order(y, size, n, ref_compare_numbers, how, order);
    for (int64_t i = 0; i < n; i++)
        memcpy(x + (size_t)i * size, y + (size_t)order[reversed ? n - 1 - i : i] * size, size);
    free(order), free(y);
}

// The count by its definition where it is quick, else by walking from a guess that is checked.
static int64_t place(const question *q, const ref_numbers *how, const char *x, const void *query)
{
    const size_t size = hd_type_size(q->type);
    int64_t low = 0, high = q->n;
    if (q->n < 300) {
        int64_t count = 0;
        for (int64_t i = 0; i < q->n; i++) {
            const int answer = ref_compare_numbers(x + (size_t)i * size, query, how);
            count += q->right ? answer <= 0 : answer < 0;
        }
        return count;
    }
    while (low < high) {
        const int64_t i = (low + high) / 2;
        const int answer = ref_compare_numbers(x + (size_t)i * size, query, how);
        if (q->right ? answer <= 0 : answer < 0)
            low = i + 1;
        else
            high = i;
    }
    return low;
}

static void ask(const question *q, const check_target *t, const check_array *x,
                const check_array *queries, const check_array *out, const int64_t *want)
{
    int64_t wrong = -1;
    CHECK_OK(t->ctx,
             hd_search(t->ctx, x->view, queries->view, out->view,
                       &(hd_search_options){
                           .descending = q->descending, .right = q->right, .checked = q->n % 2}));
    for (int64_t j = 0; j < q->m && wrong < 0; j++) {
        const void *got = check_element(out->view, j);
        const int64_t answer =
            hd_type_size(q->out_type) == 8 ? *(const int64_t *)got : *(const int32_t *)got;
        if (answer != want[j]) wrong = j;
    }
    CHECK(wrong < 0, "query %" PRId64 " of %" PRId64 " in %" PRId64 " %s (%s, %s)%s%s on %s", wrong,
          q->m, q->n, hd_type_name(q->type), check_pattern_name(q->pattern),
          check_layout_name(q->layout), q->descending ? " descending" : "",
          q->right ? " right" : "", t->name);
    CHECK(check_gaps(out), "wrote between elements on %s", t->name);
}

static void try(const question *q, uint64_t seed, int one)
{
    const size_t size = hd_type_size(q->type);
    const ref_numbers how = {q->type, q->descending};
    char *x = check_memory((size_t)q->n * size), *y = check_memory((size_t)q->m * size);
    int64_t *want = check_memory((size_t)q->m * 8);
    check_fill(q->type, x, q->n, q->pattern, seed);
    check_fill(q->type, y, q->m, q->pattern, seed + 1);
    for (int64_t j = 0; j < q->m && q->n > 0; j += 2) // every second one is there
        memcpy(y + (size_t)j * size, x + (size_t)check_below(&seed, q->n) * size, size);
    sort_in_place(&how, x, q->n, false);
    if (q->queries > 0) sort_in_place(&how, y, q->m, q->queries == 2);
    for (int64_t j = 0; j < q->m; j++) want[j] = place(q, &how, x, y + (size_t)j * size);
    const check_layout flat = q->layout <= CHECK_REVERSED ? q->layout : CHECK_DENSE;
    check_array sorted = check_new(q->type, q->n, flat, seed & 1);
    check_array queries = check_new(q->type, q->m, q->layout, seed & 2);
    check_array out = check_new(q->out_type, q->m, q->layout, seed & 4);
    check_put(&sorted, x), check_put(&queries, y);
    for (int t = 0; t < target_count; t++)
        if (one < 0 || t == 0 || t == 1 + one % (target_count - 1))
            ask(q, &targets[t], &sorted, &queries, &out, want);
    check_drop(&sorted), check_drop(&queries), check_drop(&out);
    free(x), free(y), free(want);
}

static void test_types(void)
{
    static const check_pattern patterns[] = {CHECK_ORDINARY, CHECK_TIES, CHECK_SPECIAL, CHECK_WIDE,
                                             CHECK_ZEROS};
    static const hd_type outs[] = {HD_I64, HD_I32, HD_U64, HD_U32};
    int turn = 0;
    for (int t = 0; check_type(t); t++)
        for (int s = 0; check_size(s, check_small() ? 257 : 2039) >= 0; s++)
            for (int way = 0; way < 4; way++, turn++) {
                const int64_t n = check_size(s, 2039), m = check_size(turn % 15, 300);
                if (n > 300 && turn % 4) continue;
                question q = {check_type(t), outs[turn % 4],     turn % 2,    turn / 2 % 2, n,
                              m < 0 ? 7 : m, patterns[turn % 5], CHECK_DENSE, turn % 3};
                if (turn % 3 == 0) q.layout = (check_layout)(turn / 3 % CHECK_LAYOUTS);
                try(&q, check_seed() + (uint64_t)turn, n <= 33 ? -1 : turn);
            }
}

static void test_large(void)
{
    static const hd_type types[] = {HD_I32, HD_F32, HD_U8, HD_F64};
    for (int k = 0; k < (check_small() ? 1 : 4); k++)
        for (int way = 0; way < 3; way++) {
            const question q = {types[k],
                                way ? HD_I64 : HD_I32,
                                k & 1,
                                way & 1,
                                k == 1 ? 65536 : 100003,
                                30011,
                                k % 2 ? CHECK_SPECIAL : CHECK_ORDINARY,
                                CHECK_DENSE,
                                way};
            try(&q, check_seed() + (uint64_t)(k + way), -1);
        }
}

typedef struct record {
    int32_t key, id;
} record;
HD_COMPARISON(by_key, record, HD_NO_SOURCE, { return a.key < b.key; })

static void test_records(bool sorted)
{
    enum { N = 1000, M = 500 };
    static record x[N], y[M];
    static int64_t out[M];
    uint64_t state = check_seed();
    for (int i = 0; i < N; i++)
        x[i] = (record){sorted ? i / 3 : (int32_t)check_below(&state, N / 3), i};
    for (int j = 0; j < M; j++) y[j] = (record){(int32_t)check_below(&state, N / 3 + 20) - 10, j};
    for (int t = 0; t < target_count; t++)
        for (int right = 0; right < 2; right++) {
            const hd_search_options o = {.comparison = by_key, .right = right};
            CHECK_OK(targets[t].ctx,
                     hd_search(targets[t].ctx, HD_VIEW_OF(HD_TYPE(record), x, N),
                               HD_VIEW_OF(HD_TYPE(record), y, M), HD_VIEW(out, M), &o));
            for (int j = 0; j < M; j++) {
                int64_t count = 0;
                for (int i = 0; i < N; i++)
                    count += right ? x[i].key <= y[j].key : x[i].key < y[j].key;
                CHECK(sorted ? out[j] == count : out[j] >= 0 && out[j] <= N,
                      "record %d: %" PRId64 ", expected %" PRId64 " on %s", j, out[j], count,
                      targets[t].name);
            }
        }
}

#define FAILS(status, text, call)                                                                  \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s, \"%s\"",                \
              hd_status_name(got), hd_error(ctx));                                                 \
    } while (0)

static void test_errors(void)
{
    static const int32_t x[] = {1, 2, 5, 4}, y[] = {3, 4};
    static int64_t out[4];
    static int16_t narrow[4];
    float f[2] = {0};
    hd_context *ctx = targets[0].ctx;
    const hd_view vx = HD_VIEW(x, 4), vy = HD_VIEW(y, 2), vo = HD_VIEW(out, 2);
    FAILS(HD_ERROR_TYPE, "queries are f32; expected i32",
          hd_search(ctx, vx, HD_VIEW(f, 2), vo, NULL));
    FAILS(HD_ERROR_TYPE, "expected i32, u32, i64 or u64",
          hd_search(ctx, vx, vy, HD_VIEW(narrow, 2), NULL));
    FAILS(HD_ERROR_SHAPE, "that of queries", hd_search(ctx, vx, vy, HD_VIEW(out, 3), NULL));
    FAILS(HD_ERROR_SHAPE, "sorted has 2 dimensions",
          hd_search(ctx, hd_view_nd(HD_I32, x, 2, (int64_t[]){2, 2}, NULL), vy, vo, NULL));
    FAILS(HD_ERROR_ALIAS, "out overlaps queries",
          hd_search(ctx, vx, HD_VIEW((int32_t *)(void *)out, 2), vo, NULL));
    FAILS(HD_ERROR_ALIAS, "out overlaps sorted",
          hd_search(ctx, HD_VIEW((int32_t *)(void *)out, 2), vy, vo, NULL));
    FAILS(HD_ERROR_VALUE, "sorted is not sorted: element 3 comes before element 2",
          hd_search(ctx, vx, vy, vo, &(hd_search_options){.checked = true}));
    FAILS(HD_ERROR_TYPE, "comparison by_key",
          hd_search(ctx, vx, vy, vo, &(hd_search_options){.comparison = by_key}));
    FAILS(HD_ERROR_SHAPE, "do not fit in i32",
          hd_search(ctx, hd_iota((int64_t)1 << 40), hd_iota(2), HD_VIEW((int32_t *)(void *)out, 2),
                    NULL));
    CHECK_OK(ctx, hd_search(ctx, vx, HD_VIEW(y, 0), HD_VIEW(out, 0), NULL));
    CHECK_OK(ctx, hd_search(ctx, HD_VIEW(x, 0), vy, vo, NULL));
    CHECK(out[0] == 0 && out[1] == 0, "nothing to search");
}

int main(void)
{
    target_count = check_targets(&targets);
    test_types();
    test_large();
    test_records(true);
    test_records(false);
    test_errors();
    return check_finish();
}
