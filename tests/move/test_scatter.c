// SPDX-License-Identifier: Apache-2.0
//
// hd_scatter: the last of equal indices stays on every number of threads; combined, each place
// has the bits of hd_reduce over its sources in order with its old value as init (the reference's
// tree); indices out of range; every index type, layouts, sizes, index patterns.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

HD_SOURCE(
    things, typedef struct { float a, b; } line; typedef struct { char c[13]; } odd;)
// The composition of two lines x -> a x + b: not commutative.
HD_OPERATOR(after, line, things, HD_ASSOCIATIVE, {
    const line r = {a.a * b.a, a.b * b.a + b.b};
    return r;
})
// A structure that only lies at multiples of 16 bytes.
typedef struct four {
    _Alignas(16) float v[4];
} four;
HD_OPERATOR(greatest_four, four, HD_NO_SOURCE, HD_EXACT | HD_COMMUTATIVE, {
    four r;
    for (int k = 0; k < 4; k++) r.v[k] = a.v[k] > b.v[k] ? a.v[k] : b.v[k];
    return r;
})
HD_FUNCTION(twice, double, HD_NO_SOURCE, (float, x), { return 2 * (double)x; })

static const check_target *targets;
static int target_count;

typedef enum manner {
    RANDOM,
    FEW,    // many sources for each of a few places
    RISING, // sorted, with duplicates
    FALLING,
    IDENTITY,
    NEARLY, // in order but for neighbours
    ONE,    // all to one place
    BADLY,  // some out of range
    MANNERS
} manner;

static int64_t place(manner how, int64_t i, int64_t n, int64_t d, uint64_t *state)
{
    if (d == 0) return 0;
    switch (how) {
    case FEW: return check_below(state, d < 5 ? d : 5) * (d / 5 ? d / 5 : 1);
    case RISING: return (int64_t)((double)i / (double)n * (double)d * 0.9);
    case FALLING: return d - 1 - i % d;
    case IDENTITY: return i % d;
    case NEARLY: return (i ^ 5) % d;
    case ONE: return d - 1;
    case BADLY:
        if (check_below(state, 20) == 0) return check_below(state, 2) ? d + i % 3 : -1 - i;
        return check_below(state, d);
    default: return check_below(state, d);
    }
}

static void store_index(hd_type type, void *to, int64_t i, int64_t value)
{
    switch (hd_type_size(type)) {
    case 1: ((int8_t *)to)[i] = (int8_t)value; break;
    case 2: ((int16_t *)to)[i] = (int16_t)value; break;
    case 4: ((int32_t *)to)[i] = (int32_t)value; break;
    default: ((int64_t *)to)[i] = value;
    }
}

// What the type made of it.
static int64_t load_index(hd_type type, const void *from, int64_t i)
{
    const uint64_t w = ref_to_whole(type, (const char *)from + (size_t)i * hd_type_size(type));
    return (int64_t)w; // u64 beyond 2^63: negative, bad as well
}

typedef struct question {
    const hd_operator *op; // NULL: written
    hd_type type, out_type, index_type;
    int64_t n, d; // elements, places
    manner how;
    check_layout layout, out_layout;
    bool any_order, unique;
    check_pattern pattern;
} question;

// The elements of each place in order, folded with its old value as init.
static void combine_reference(const question *q, const void *x, const int64_t *index, void *out)
{
    const size_t size = hd_type_size(q->type), out_size = hd_type_size(q->out_type);
    int64_t *count = calloc((size_t)q->d + 1, sizeof *count);
    char *sorted = check_memory(size * (size_t)q->n);
    for (int64_t i = 0; i < q->n; i++)
        if (index[i] >= 0 && index[i] < q->d) count[index[i] + 1]++;
    for (int64_t d = 0; d < q->d; d++) count[d + 1] += count[d];
    int64_t *next = check_memory(8 * ((size_t)q->d + 1));
    memcpy(next, count, 8 * ((size_t)q->d + 1));
    for (int64_t i = 0; i < q->n; i++)
        if (index[i] >= 0 && index[i] < q->d)
            memcpy(sorted + size * (size_t)next[index[i]]++, (const char *)x + size * (size_t)i,
                   size);
    for (int64_t d = 0; d < q->d; d++) {
        char *to = (char *)out + out_size * (size_t)d;
        _Alignas(8) char old[8];
        const int64_t m = count[d + 1] - count[d];
        if (m == 0) continue;
        memcpy(old, to, out_size);
        ref_reduce(q->op, q->type, sorted + size * (size_t)count[d], m, q->out_type, to, NULL,
                   &(ref_how){.init = old});
    }
    free(count), free(sorted), free(next);
}

static void write_reference(const question *q, const void *x, const int64_t *index, void *out)
{
    const size_t size = hd_type_size(q->type);
    for (int64_t i = 0; i < q->n; i++)
        if (index[i] >= 0 && index[i] < q->d)
            memcpy((char *)out + size * (size_t)index[i], (const char *)x + size * (size_t)i, size);
}

static void ask(const question *q, uint64_t seed)
{
    const size_t size = hd_type_size(q->type), n = (size_t)q->n, d = (size_t)q->d;
    const size_t out_size = hd_type_size(q->out_type);
    char *x = check_memory(size * n), *old = check_memory(out_size * d),
         *want = check_memory(out_size * d), *got = check_memory(out_size * d),
         *raw = check_memory(8 * n);
    int64_t *index = check_memory(8 * n), first = -1;
    uint64_t state = seed;
    const bool number = (q->type & 0xff) != HD_STRUCTURE;
    check_fill(number ? q->type : HD_U8, x, number ? q->n : q->n * (int64_t)size, q->pattern, seed);
    check_fill(number ? q->out_type : HD_U8, old, number ? q->d : q->d * (int64_t)out_size,
               q->pattern, seed + 1);
    for (int64_t i = 0; i < q->n; i++) {
        store_index(q->index_type, raw, i, place(q->how, i, q->n, q->d, &state));
        index[i] = load_index(q->index_type, raw, i);
        if (first < 0 && (index[i] < 0 || index[i] >= q->d)) first = i;
    }
    memcpy(want, old, out_size * d);
    if (q->op != NULL)
        combine_reference(q, x, index, want);
    else
        write_reference(q, x, index, want);
    check_array in = check_new(q->type, q->n, q->layout, seed & 1),
                at = check_new(q->index_type, q->n, q->layout, seed & 2),
                out = check_new(q->out_type, q->d, q->out_layout, seed & 4);
    check_put(&in, x), check_put(&at, raw);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        int64_t bad = -7;
        const bool checked = (seed + (uint64_t)t) & 1;
        const hd_scatter_options options = {.combine = q->op,
                                            .order = q->any_order ? HD_ANY_ORDER : 0,
                                            .unique = q->unique,
                                            .checked = checked,
                                            .bad = seed & 8 ? HD_REF(HD_VIEW(&bad, 1)) : NULL};
        check_put(&out, old);
        const hd_status status = hd_scatter(ctx, in.view, at.view, out.view, &options);
        CHECK(status == (checked && first >= 0 ? HD_ERROR_VALUE : HD_OK), "%s on %s", hd_error(ctx),
              targets[t].name);
        check_get(&out, got);
        CHECK_SAME(q->out_type, got, want, q->d,
                   "%s of %" PRId64 " %s into %" PRId64 " (%s) by %s (way %d, %s, %s) on %s",
                   q->op ? hd_operator_name(q->op) : "writing", q->n, hd_type_name(q->type), q->d,
                   check_pattern_name(q->pattern), hd_type_name(q->index_type), q->how,
                   check_layout_name(q->layout), check_layout_name(q->out_layout), targets[t].name);
        CHECK(check_gaps(&out), "wrote between elements on %s", targets[t].name);
        if (seed & 8)
            CHECK(bad == first, "bad is %" PRId64 ", expected %" PRId64 " on %s", bad, first,
                  targets[t].name);
    }
    check_drop(&in), check_drop(&at), check_drop(&out);
    free(x), free(old), free(want), free(got), free(raw), free(index);
}

static uint64_t turn;

static void vary(question *q)
{
    static const hd_type indices[] = {HD_I32, HD_I64, HD_U32, HD_I16, HD_U64, HD_I8, HD_U8, HD_U16};
    q->how = (manner)(turn % MANNERS);
    q->index_type = indices[turn / 3 % 8];
    q->layout = (check_layout)(turn / 2 % 3 ? 0 : turn / 5 % CHECK_LAYOUTS);
    q->out_layout = (check_layout)(turn / 3 % 3 ? 0 : turn / 7 % CHECK_LAYOUTS);
}

static void test_written(void)
{
    const hd_type types[] = {HD_U8,   HD_I16,        HD_F32,       HD_F64,
                             HD_BOOL, HD_TYPE(line), HD_TYPE(odd), HD_STRUCT(char[16])};
    for (int t = 0; t < 8; t++)
        for (int s = 0; check_size(s, check_small() ? 257 : 4097) >= 0; s++, turn++) {
            question q = {.type = types[t], .out_type = types[t], .n = check_size(s, 4097)};
            q.d = check_size((int)(turn * 7 % 31), 5000);
            vary(&q);
            ask(&q, check_seed() + turn);
        }
    static const struct {
        int64_t n, d;
    } large[] = {{300007, 300007}, {262147, 999}, {200003, 1 << 20}, {1500007, 1048583}};
    for (int s = 0; s < (check_small() ? 2 : 4); s++)
        for (int how = 0; how < MANNERS; how++, turn++) {
            question q = {.type = types[2 + how % 2], .n = large[s].n, .d = large[s].d};
            q.out_type = q.type, q.how = (manner)how;
            q.index_type = s == 3 || turn % 2 ? HD_I32 : turn % 3 ? HD_I64 : HD_U32;
            if (s == 1) q.type = q.out_type = types[how];
            ask(&q, check_seed() + turn);
        }
}

// A promise of unique indices that is kept.
static void test_unique(int64_t n)
{
    int32_t *x = check_memory(4 * (size_t)n), *y = check_memory(4 * (size_t)n);
    int64_t *index = check_memory(8 * (size_t)n);
    for (int64_t i = 0; i < n; i++) x[i] = (int32_t)i, index[i] = i * 7919 % n;
    for (int t = 0; t < target_count; t++) {
        memset(y, 0xff, 4 * (size_t)n);
        CHECK_OK(targets[t].ctx, hd_scatter(targets[t].ctx, HD_VIEW(x, n), HD_VIEW(index, n),
                                            HD_VIEW(y, n), &(hd_scatter_options){.unique = true}));
        int64_t wrong = 0;
        for (int64_t i = 0; i < n; i++) wrong += y[i * 7919 % n] != i;
        CHECK(wrong == 0, "%" PRId64 " wrong on %s", wrong, targets[t].name);
    }
    free(x), free(y), free(index);
}

static bool takes_init(const hd_operator *op)
{
    return op != HD_ARGMIN && op != HD_ARGMAX && op != HD_MEAN && op != HD_VARIANCE &&
           op != HD_DOT; // which needs .with
}

static void test_combined(void)
{
    static const int64_t sizes[] = {0, 1, 33, 257, 1000, 5003};
    for (int32_t o = 0; hd_operator_at(o); o++)
        for (int t = 0; check_type(t); t++)
            for (int u = 0; check_type(u); u++, turn++) {
                const hd_operator *op = hd_operator_at(o);
                if (!takes_init(op) || !ref_accepts(op, check_type(t), check_type(u))) continue;
                question q = {.op = op, .type = check_type(t), .out_type = check_type(u)};
                q.n = sizes[turn % (check_small() ? 4 : 6)];
                q.d = check_size((int)(turn % 29), 2039);
                q.pattern = op == HD_PRODUCT               ? CHECK_UNITS
                            : op == HD_ALL || op == HD_ANY ? CHECK_TIES
                            : turn % 3                     ? CHECK_ORDINARY
                                                           : CHECK_SPECIAL;
                vary(&q);
                ask(&q, check_seed() + turn);
            }
    static const hd_type types[] = {HD_F32, HD_I32, HD_F64, HD_F16, HD_U8};
    for (int k = 0; k < 5; k++)
        for (int how = 0; how < MANNERS; how++, turn++) {
            question q = {.op = turn % 3 ? HD_SUM : HD_MAX, .type = types[k], .out_type = types[k]};
            q.n = check_small() ? 70001 : 300007;
            q.d = turn % 2 ? 70001 : how == FEW ? 7 : 1000003;
            q.index_type = turn % 4 ? HD_I32 : HD_I64;
            q.how = (manner)how;
            ask(&q, check_seed() + turn);
        }
    // Any order: exact operators have the same bits, and so do sums of small whole numbers.
    for (int k = 0; k < 4; k++, turn++) {
        question q = {.op = HD_SUM,
                      .type = types[k],
                      .out_type = types[k],
                      .any_order = true,
                      .pattern = CHECK_LITTLE,
                      .n = 150001,
                      .d = k % 2 ? 100 : 60000,
                      .index_type = HD_I32};
        ask(&q, check_seed() + turn);
    }
}

// A structure whose operator is not commutative, a function on the way, an implicit input.
static void test_others(int64_t n)
{
    line *x = check_memory(8 * (size_t)n), want[17], y[17];
    float *f = check_memory(4 * (size_t)n);
    int32_t *index = check_memory(4 * (size_t)n);
    for (int64_t i = 0; i < n; i++) {
        x[i] = (line){i % 3 ? 1 : -1, (float)(i % 5)};
        index[i] = (int32_t)(i * i % 17);
        f[i] = (float)(i % 100);
    }
    for (int d = 0; d < 17; d++) {
        line a = {2, 1};
        for (int64_t i = 0; i < n; i++)
            if (index[i] == d) a = (line){a.a * x[i].a, a.b * x[i].a + x[i].b};
        want[d] = a;
    }
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        for (int d = 0; d < 17; d++) y[d] = (line){2, 1};
        CHECK_OK(ctx, hd_scatter(ctx, HD_VIEW_OF(HD_TYPE(line), x, n), HD_VIEW(index, n),
                                 HD_VIEW_OF(HD_TYPE(line), y, 17),
                                 &(hd_scatter_options){.combine = after}));
        CHECK(memcmp(want, y, sizeof y) == 0, "lines of %" PRId64 " on %s", n, targets[t].name);
        double sums[17] = {0}, last[17] = {0}, right = 0, expected = 0;
        int64_t counts[17] = {0}, total = 0;
        CHECK_OK(ctx, hd_scatter(ctx, HD_VIEW(f, n), HD_VIEW(index, n), HD_VIEW(sums, 17),
                                 &(hd_scatter_options){.combine = HD_SUM, .map = twice}));
        CHECK_OK(ctx, hd_scatter(ctx, HD_VIEW(f, n), HD_VIEW(index, n), HD_VIEW(last, 17),
                                 &(hd_scatter_options){.map = twice}));
        CHECK_OK(ctx, hd_scatter(ctx, hd_constant((int32_t)1, n), HD_VIEW(index, n),
                                 HD_VIEW(counts, 17), &(hd_scatter_options){.combine = HD_SUM}));
        for (int64_t i = 0; i < n; i++) expected += 2 * (double)f[i];
        for (int d = 0; d < 17; d++) right += sums[d], total += counts[d];
        CHECK(right == expected && total == n, "%g %g %" PRId64 " on %s", right, expected, total,
              targets[t].name);
        for (int64_t i = n - 1, seen = 0; i >= 0 && seen < 20; i--, seen++) {
            int64_t later = i + 1;
            while (later < n && index[later] != index[i]) later++;
            if (later == n)
                CHECK(last[index[i]] == 2 * (double)f[i], "the last on %s", targets[t].name);
        }
    }
    free(x), free(f), free(index);
}

static void test_edges(void)
{
    const int32_t x[] = {10, 11, 12, 13};
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        int32_t y[3] = {1, 2, 3};
        const uint64_t index[] = {2, 0, (uint64_t)1 << 63, 2};
        CHECK(hd_scatter(ctx, HD_VIEW(x, 4), HD_VIEW(index, 4), HD_VIEW(y, 3),
                         &(hd_scatter_options){.checked = true}) == HD_ERROR_VALUE &&
                  strstr(hd_error(ctx), "index 2 is 9223372036854775808; expected 0 to 2"),
              "%s on %s", hd_error(ctx), targets[t].name);
        CHECK(y[0] == 11 && y[1] == 2 && y[2] == 13, "%d %d %d on %s", y[0], y[1], y[2],
              targets[t].name);
        CHECK_OK(ctx, hd_scatter(ctx, HD_VIEW(x, 4), HD_VIEW(index, 4), HD_VIEW(y, 0), NULL));
        CHECK_OK(ctx, hd_scatter(ctx, HD_VIEW(x, 0), HD_VIEW(index, 0), HD_VIEW(y, 3), NULL));
    }
}

// Operators are given elements where elements of their type may lie.
static void test_aligned(void)
{
    enum { N = 100000, PLACES = 1000 };
    static four x[N], out[PLACES];
    static int32_t index[N];
    for (int32_t i = 0; i < N; i++) {
        for (int k = 0; k < 4; k++) x[i].v[k] = (float)(i + k);
        index[i] = (int32_t)((int64_t)i * 7919 % PLACES);
    }
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        memset(out, 0, sizeof out);
        CHECK_OK(ctx, hd_scatter(ctx, HD_VIEW_OF(HD_STRUCT(four), x, N), HD_VIEW(index, N),
                                 HD_VIEW_OF(HD_STRUCT(four), out, PLACES),
                                 &(hd_scatter_options){.combine = greatest_four}));
        // The last source of place 0 is the greatest multiple of 1000.
        CHECK(out[0].v[3] == 99003, "%s: %g", targets[t].name, (double)out[0].v[3]);
    }
}

int main(void)
{
    target_count = check_targets(&targets);
    test_edges();
    test_aligned();
    test_written();
    test_unique(1), test_unique(1000), test_unique(300007);
    test_combined();
    test_others(1), test_others(1000), test_others(100003);
    return check_finish();
}
