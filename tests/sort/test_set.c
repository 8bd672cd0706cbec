// SPDX-License-Identifier: Apache-2.0
//
// The set operations against their definition by counts: every type, layout and awkward size, both
// directions, structures, NaN and zeros, runs longer than a chunk, too little room, what is
// refused.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static const check_target *targets;
static int target_count;

typedef struct record {
    int32_t key, id;
} record;
HD_COMPARISON(by_key, record, HD_NO_SOURCE, { return a.key < b.key; })

typedef hd_status operation(hd_context *ctx, hd_view a, hd_view b, hd_view out, hd_view count,
                            const hd_set_options *options);
static operation *const operations[] = {hd_set_union, hd_set_intersection, hd_set_difference,
                                        hd_set_symmetric_difference};

// Two sorted arrays of one type.
typedef struct arrays {
    hd_type type;
    const hd_comparison *comparison;
    bool descending;
    char *x[2];
    int64_t n[2];
} arrays;

// Where an element belongs in one of the arrays.
static int64_t rank_in(const arrays *s, int array, const char *element, bool right)
{
    hd_context *ctx = targets[0].ctx;
    int64_t at;
    CHECK_OK(ctx, hd_search(ctx, hd_view_of(s->type, s->x[array], s->n[array]),
                            hd_view_of(s->type, (void *)(uintptr_t)element, 1), HD_VIEW(&at, 1),
                            &(hd_search_options){.comparison = s->comparison,
                                                 .descending = s->descending,
                                                 .right = right}));
    return at;
}

// The indices of the result, in a followed by b: of m equal ones in a and n in b as the manual
// says.
static int64_t expected(const arrays *s, int op, int64_t *index)
{
    const size_t size = hd_type_size(s->type);
    int64_t i = 0, j = 0, count = 0;
    while (i < s->n[0] || j < s->n[1]) {
        const char *x = s->x[0] + (size_t)i * size, *y = s->x[1] + (size_t)j * size;
        const bool from_b = i == s->n[0] || (j < s->n[1] && rank_in(s, 0, y, false) <= i &&
                                             rank_in(s, 1, x, false) > j);
        const char *head = from_b ? y : x;
        const int64_t i_end = rank_in(s, 0, head, true), j_end = rank_in(s, 1, head, true);
        const int64_t m = i_end > i ? i_end - i : 0, n = j_end > j ? j_end - j : 0;
        const int64_t pairs = m < n ? m : n;
        if (op == 0 || op == 1)
            for (int64_t k = 0; k < (op == 0 ? m : pairs); k++) index[count++] = i + k;
        if (op >= 2)
            for (int64_t k = pairs; k < m; k++) index[count++] = i + k;
        if (op == 0 || op == 3)
            for (int64_t k = pairs; k < n; k++) index[count++] = s->n[0] + j + k;
        i += m, j += n;
    }
    return count;
}

static void check_one(const check_target *t, const arrays *s, int op, hd_view a, hd_view b,
                      const int64_t *want, int64_t count, check_layout layout)
{
    const size_t size = hd_type_size(s->type);
    check_array out = check_new(s->type, count, layout, count & 1);
    char *got = check_memory((size_t)count * size + 1);
    int32_t *at = check_memory((size_t)count * sizeof *at + 1);
    const hd_view indices = HD_VIEW(at, count);
    for (int indexed = 0; indexed < 2; indexed++) {
        int64_t n = -1;
        CHECK_OK(t->ctx, operations[op](t->ctx, a, b, out.view, HD_VIEW(&n, 1),
                                        &(hd_set_options){.comparison = s->comparison,
                                                          .descending = s->descending,
                                                          .checked = true,
                                                          .indices = indexed ? &indices : NULL}));
        CHECK(n == count, "operation %d of %s: %" PRId64 ", expected %" PRId64 " on %s", op,
              hd_type_name(s->type), n, count, t->name);
        check_get(&out, got);
        for (int64_t k = 0; k < count && n == count; k++) {
            const int64_t from = want[k];
            const char *x = from < s->n[0] ? s->x[0] + (size_t)from * size
                                           : s->x[1] + (size_t)(from - s->n[0]) * size;
            CHECK(memcmp(got + (size_t)k * size, x, size) == 0 && (!indexed || at[k] == from),
                  "operation %d of %s: element %" PRId64 " on %s", op, hd_type_name(s->type), k,
                  t->name);
        }
    }
    check_drop(&out);
    free(got), free(at);
}

static void test_arrays(const arrays *s, uint64_t seed)
{
    int64_t *want = check_memory((size_t)(s->n[0] + s->n[1]) * sizeof *want + 1);
    const check_layout layout = (check_layout)(seed % CHECK_LAYOUTS);
    check_array a = check_new(s->type, s->n[0], layout, seed & 1);
    check_array b = check_new(s->type, s->n[1], CHECK_DENSE, seed & 2);
    check_put(&a, s->x[0]);
    check_put(&b, s->x[1]);
    for (int op = 0; op < 4; op++) {
        const int64_t count = expected(s, op, want);
        for (int t = 0; t < target_count; t++)
            check_one(&targets[t], s, op, a.view, b.view, want, count,
                      seed % 4 == 0 ? CHECK_STRIDED : CHECK_DENSE);
    }
    check_drop(&a);
    check_drop(&b);
    free(want);
}

static void test_numbers(hd_type type, int64_t na, int64_t nb, check_pattern pattern, uint64_t seed)
{
    arrays s = {.type = type, .descending = seed & 1, .n = {na, nb}};
    for (int k = 0; k < 2; k++) {
        s.x[k] = check_memory((size_t)s.n[k] * hd_type_size(type) + 1);
        check_fill(type, s.x[k], s.n[k], pattern, seed + (uint64_t)k);
        const hd_view v = hd_view_of(type, s.x[k], s.n[k]);
        CHECK_OK(targets[0].ctx, hd_sort(targets[0].ctx, v, v, HD_NO_VALUES,
                                         &(hd_sort_options){.descending = s.descending}));
    }
    test_arrays(&s, seed);
    free(s.x[0]), free(s.x[1]);
}

static void test_records(int64_t na, int64_t nb, int32_t range, uint64_t seed)
{
    arrays s = {HD_TYPE(record), by_key, seed & 1, {NULL, NULL}, {na, nb}};
    for (int k = 0; k < 2; k++) {
        record *x = check_memory((size_t)s.n[k] * sizeof *x + 1);
        int32_t key = 0;
        for (int64_t i = 0; i < s.n[k]; i++) {
            key += check_below(&seed, 100) < range;
            x[i] = (record){s.descending ? -key : key, (int32_t)(2 * i + k)};
        }
        s.x[k] = (char *)x;
    }
    test_arrays(&s, seed);
    free(s.x[0]), free(s.x[1]);
}

// Long runs of equals, against the numbers that they must give.
static void test_long_runs(void)
{
    enum { N = 60000, M = 50001 };
    int32_t *a = check_memory(sizeof *a * N), *b = check_memory(sizeof *b * M),
            *out = check_memory(sizeof *out * (N + M));
    for (int64_t i = 0; i < N; i++) a[i] = i < 100 ? 1 : i < N - 7 ? 5 : 9;
    for (int64_t i = 0; i < M; i++) b[i] = i < 40000 ? 5 : i < 50000 ? 6 : 9;
    const int64_t want[4] = {N + 10000, 40001, N - 40001, N - 40001 + 10000};
    for (int t = 0; t < target_count; t++)
        for (int op = 0; op < 4; op++) {
            int64_t n = -1;
            CHECK_OK(targets[t].ctx, operations[op](targets[t].ctx, HD_VIEW(a, N), HD_VIEW(b, M),
                                                    HD_VIEW(out, N + M), HD_VIEW(&n, 1), NULL));
            CHECK(n == want[op], "long runs, operation %d: %" PRId64 " on %s", op, n,
                  targets[t].name);
            for (int64_t i = 1; i < n; i++)
                if (out[i] < out[i - 1]) CHECK(false, "not sorted on %s", targets[t].name);
        }
    free(a), free(b), free(out);
}

static void test_rest(void)
{
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        int32_t a[4] = {1, 3, 5, 7}, b[3] = {3, 4, 5}, out[5] = {0}, unsorted[3] = {3, 1, 2};
        int64_t n = -1;
        const hd_view x = HD_VIEW(a, 4), y = HD_VIEW(b, 3), count = HD_VIEW(&n, 1);
        CHECK(hd_set_union(ctx, x, y, HD_VIEW(out, 2), count, NULL) == HD_ERROR_SHAPE && n == 5 &&
                  out[0] == 1 && out[1] == 3 && out[2] == 0,
              "too little room on %s: %s", targets[t].name, hd_error(ctx));
        CHECK_OK(ctx, hd_set_difference(ctx, x, y, HD_EMPTY, count, NULL));
        CHECK(n == 2, "the count alone on %s", targets[t].name);
        CHECK(hd_set_union(ctx, x, HD_VIEW(unsorted, 3), HD_EMPTY, count,
                           &(hd_set_options){.checked = true}) == HD_ERROR_VALUE,
              "checked on %s", targets[t].name);
        CHECK_OK(ctx, hd_set_union(ctx, x, HD_VIEW(unsorted, 3), HD_EMPTY, count, NULL));
        CHECK(hd_set_union(ctx, x, y, HD_VIEW(a, 4), count, NULL) == HD_ERROR_ALIAS, "alias");
        CHECK(hd_set_union(ctx, x, y, HD_EMPTY, HD_EMPTY, NULL) == HD_ERROR_ARGUMENT, "no count");
        float f[1] = {0};
        CHECK(hd_set_union(ctx, x, HD_VIEW(f, 1), HD_EMPTY, count, NULL) == HD_ERROR_TYPE, "types");
    }
}

int main(void)
{
    uint64_t seed = check_seed();
    target_count = check_targets(&targets);
    for (int k = 0; check_type(k) != HD_NONE; k++) {
        int64_t n;
        for (int s = 0; (n = check_size(s, 300)) >= 0; s += 2, seed++) {
            test_numbers(check_type(k), n, n * 2 / 3, (check_pattern)(seed % CHECK_PATTERNS), seed);
            if (k % 4 == 0) test_numbers(check_type(k), n / 7, n, CHECK_TIES, seed + 1);
        }
    }
    for (int64_t n = 1; n < 3000; n = n * 5 + 2) test_records(n, n + n / 2, 60, seed++);
    test_records(20011, 14999, 2, seed);
    test_records(20011, 14999, 90, seed + 1);
    test_long_runs();
    test_rest();
    return check_finish();
}
