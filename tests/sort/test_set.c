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

// ---- Values -----------------------------------------------------------------------------------

typedef struct triple {
    int32_t at, twice, thrice;
} triple;

// Values that say where they were, of three sizes: 4 and 12 bytes, and 1 with gaps.
typedef struct carried {
    int32_t *whole[2];
    triple *wide[2];
    check_array small[2];
} carried;

static carried new_values(const arrays *s, check_layout layout)
{
    carried c;
    for (int k = 0; k < 2; k++) {
        const int64_t n = s->n[k], base = k ? s->n[0] : 0;
        uint8_t *bytes = check_memory((size_t)n + 1);
        c.whole[k] = check_memory(sizeof(int32_t) * (size_t)n + 1);
        c.wide[k] = check_memory(sizeof(triple) * (size_t)n + 1);
        c.small[k] = check_new(HD_U8, n, layout, k);
        for (int64_t i = 0; i < n; i++) {
            const int32_t at = (int32_t)(base + i);
            c.whole[k][i] = at, c.wide[k][i] = (triple){at, 2 * at, 3 * at}, bytes[i] = (uint8_t)at;
        }
        check_put(&c.small[k], bytes);
        free(bytes);
    }
    return c;
}

static void drop_values(carried *c)
{
    for (int k = 0; k < 2; k++) free(c->whole[k]), free(c->wide[k]), check_drop(&c->small[k]);
}

// out may be empty, and have less room than the values.
static void check_values(const check_target *t, const arrays *s, int op, hd_view a, hd_view b,
                         const int64_t *want, int64_t count, check_layout layout)
{
    carried c = new_values(s, layout);
    int32_t *whole = check_memory(sizeof *whole * (size_t)count + 1);
    triple *wide = check_memory(sizeof *wide * (size_t)count + 1);
    uint8_t *bytes = check_memory((size_t)count + 1);
    check_array small = check_new(HD_U8, count, layout, count & 1);
    const hd_type type = HD_TYPE(triple);
    const hd_views values =
        HD_VALUES(HD_VIEW(c.whole[0], s->n[0]), HD_VIEW(c.whole[1], s->n[1]), HD_VIEW(whole, count),
                  hd_view_of(type, c.wide[0], s->n[0]), hd_view_of(type, c.wide[1], s->n[1]),
                  hd_view_of(type, wide, count), c.small[0].view, c.small[1].view, small.view);
    int64_t n = -1;
    CHECK_OK(t->ctx, operations[op](t->ctx, a, b, HD_EMPTY, HD_VIEW(&n, 1),
                                    &(hd_set_options){.comparison = s->comparison,
                                                      .descending = s->descending,
                                                      .value_views = values}));
    check_get(&small, bytes);
    CHECK(n == count, "%" PRId64 " with values, expected %" PRId64 " on %s", n, count, t->name);
    for (int64_t k = 0; k < count; k++) {
        const int32_t at = (int32_t)want[k];
        CHECK(whole[k] == at && wide[k].thrice == 3 * at && wide[k].at == at &&
                  bytes[k] == (uint8_t)at,
              "operation %d of %s: value %" PRId64 " is of %d instead of %d on %s", op,
              hd_type_name(s->type), k, (int)whole[k], (int)at, t->name);
    }
    CHECK(check_gaps(&small), "wrote between values on %s", t->name);
    drop_values(&c);
    check_drop(&small);
    free(whole), free(wide), free(bytes);
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
        for (int t = 0; t < target_count; t++) {
            const check_layout out = seed % 4 == 0 ? CHECK_STRIDED : CHECK_DENSE;
            check_one(&targets[t], s, op, a.view, b.view, want, count, out);
            if (layout != CHECK_ROWS && layout != CHECK_TURNED) // their shapes are not a's
                check_values(&targets[t], s, op, a.view, b.view, want, count,
                             (seed + (uint64_t)op) % 3 ? CHECK_DENSE : CHECK_STRIDED);
        }
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

// Values with too little room, of wrong types and shapes, and where they lie over others.
static void test_values_refused(const check_target *t)
{
    int32_t a[4] = {1, 3, 5, 7}, b[3] = {3, 4, 5}, out[6] = {0};
    float of_a[4] = {1, 3, 5, 7}, of_b[3] = {-3, -4, -5}, of_out[6] = {0};
    int64_t n = -1;
    hd_context *ctx = t->ctx;
    const hd_view x = HD_VIEW(a, 4), y = HD_VIEW(b, 3), count = HD_VIEW(&n, 1);
    const hd_view va = HD_VIEW(of_a, 4), vb = HD_VIEW(of_b, 3), to = HD_VIEW(of_out, 6);
    const struct {
        hd_views values;
        hd_status status;
        const char *word;
    } wrong[] = {
        {HD_VALUES(va, vb), HD_ERROR_ARGUMENT, "2 views"},
        {{NULL, 3}, HD_ERROR_ARGUMENT, "at NULL"},
        {HD_VALUES(va, y, to), HD_ERROR_TYPE, "not of one type"},
        {HD_VALUES(va, vb, HD_VIEW(out, 6)), HD_ERROR_TYPE, "not of one type"},
        {HD_VALUES(HD_VIEW(of_a, 3), vb, to), HD_ERROR_SHAPE, "a of values has shape (3)"},
        {HD_VALUES(va, HD_VIEW(of_a, 4), to), HD_ERROR_SHAPE, "b of values has shape (4)"},
        {HD_VALUES(va, vb, va), HD_ERROR_ALIAS, "an output of values overlaps another"},
        {HD_VALUES(va, vb, hd_view_of(HD_F32, out, 6)), HD_ERROR_ALIAS, "overlaps out"},
        {HD_VALUES(va, vb, hd_view_of(HD_F32, a, 4)), HD_ERROR_ALIAS, "overlaps a"},
        {HD_VALUES(va, hd_view_of(HD_F32, out, 3), to), HD_ERROR_ALIAS, "out overlaps a view of"},
        {HD_VALUES(va, vb, to, va, vb, to), HD_ERROR_ALIAS, "an output of values"},
        {HD_VALUES(va, vb, hd_read_only(to)), HD_ERROR_ARGUMENT, "out of values"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const hd_status got = hd_set_union(ctx, x, y, HD_VIEW(out, 6), count,
                                           &(hd_set_options){.value_views = wrong[k].values});
        CHECK(got == wrong[k].status && strstr(hd_error(ctx), wrong[k].word) && out[0] == 0,
              "values %zu on %s: %s: %s", k, t->name, hd_status_name(got), hd_error(ctx));
    }
    CHECK(hd_set_union(ctx, x, y, HD_VIEW(out, 6), count,
                       &(hd_set_options){.value_views = HD_VALUES(va, vb, HD_VIEW(of_out, 2))}) ==
                  HD_ERROR_SHAPE &&
              strstr(hd_error(ctx), "out of values has shape (2); there are 5") && n == 5 &&
              of_out[0] == 1 && of_out[1] == 3 && of_out[2] == 0 && out[4] == 7,
          "too little room for values on %s: %s", t->name, hd_error(ctx));
    const hd_status status = hd_set_symmetric_difference(
        ctx, x, y, HD_VIEW(out, 6), count, &(hd_set_options){.value_views = HD_VALUES(va, vb, to)});
    CHECK(status == HD_OK && n == 3 && out[1] == 4 && of_out[1] == -4 && of_out[2] == 7,
          "values of both on %s: %s", t->name, hd_error(ctx));
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
    for (int t = 0; t < target_count; t++) test_values_refused(&targets[t]);
    return check_finish();
}
