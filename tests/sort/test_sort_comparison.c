// SPDX-License-Identifier: Apache-2.0
//
// Sorting by a user's comparison: structures of several sizes, numbers, sizes, layouts, in place,
// with values and indices; sorted, reversed and equal input; comparisons that contradict
// themselves, which must still give a permutation; and every error.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference_order.h"

static const check_target *targets;
static int target_count;

HD_SOURCE(
    records,
    typedef struct {
        float key;
        int32_t id;
    } record;
    typedef struct {
        uint16_t key;
        uint8_t id;
        uint8_t rest;
        char name[25];
    } wide;)
HD_COMPARISON(by_key, record, records, { return a.key < b.key; })
HD_COMPARISON(by_wide_key, wide, records, { return a.key < b.key; })
HD_COMPARISON(greater, int32_t, HD_NO_SOURCE, { return a > b; })
HD_COMPARISON(by_low_bits, uint8_t, HD_NO_SOURCE, { return (a & 7) < (b & 7); })
HD_COMPARISON(less_double, double, HD_NO_SOURCE, { return a < b; })
HD_COMPARISON(by_name, wide, records, { return memcmp(a.name, b.name, sizeof a.name) < 0; })

// No order at all.
HD_COMPARISON(always, record, records, { return true; })
HD_COMPARISON(not_after, record, records, { return a.key <= b.key; })
HD_COMPARISON(by_hash, record, records,
              { return ((uint32_t)(a.id * 2654435761u) ^ (uint32_t)(b.id * 40503u)) & 1024; })
HD_COMPARISON(in_a_ring, record, records, { return (b.id - a.id + 300) % 3 == 1; })

static int record_order(const void *a, const void *b, const void *argument)
{
    const float x = ((const record *)a)->key, y = ((const record *)b)->key;
    (void)argument;
    return (x > y) - (x < y);
}

static int wide_order(const void *a, const void *b, const void *argument)
{
    (void)argument;
    return ((const wide *)a)->key - ((const wide *)b)->key;
}

static int name_order(const void *a, const void *b, const void *argument)
{
    (void)argument;
    return memcmp(((const wide *)a)->name, ((const wide *)b)->name, sizeof((const wide *)a)->name);
}

static int greater_order(const void *a, const void *b, const void *argument)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    (void)argument;
    return (x < y) - (x > y);
}

static int low_bits_order(const void *a, const void *b, const void *argument)
{
    (void)argument;
    return (*(const uint8_t *)a & 7) - (*(const uint8_t *)b & 7);
}

static int double_order(const void *a, const void *b, const void *argument)
{
    const double x = *(const double *)a, y = *(const double *)b;
    (void)argument;
    return (x > y) - (x < y);
}

// How keys are laid out in the input.
typedef enum shape { RANDOM, FEW, RISING, FALLING, EQUAL, NEARLY, RUNS, SHAPES } shape;

static uint32_t key_at(shape s, int64_t i, int64_t n, uint64_t *state)
{
    const uint64_t bits = check_next(state);
    switch (s) {
    case RANDOM: return (uint32_t)bits >> 8;
    case FEW: return (uint32_t)(bits % 5);
    case RISING: return (uint32_t)(i / 2);
    case FALLING: return (uint32_t)(n - i);
    case EQUAL: return 7;
    case NEARLY: return bits % 100 == 0 ? (uint32_t)bits >> 12 : (uint32_t)i;
    default: return (uint32_t)(i % 1000);
    }
}

static void fill_record(void *to, uint32_t key, int64_t i)
{
    *(record *)to = (record){(float)key, (int32_t)i};
}

static void fill_wide(void *to, uint32_t key, int64_t i)
{
    wide w = {.key = (uint16_t)key, .id = (uint8_t)i, .rest = (uint8_t)(i >> 8)};
    for (int k = 0; k < 25; k++) w.name[k] = (char)('a' + (key >> (k % 20) & 3));
    memcpy(to, &w, sizeof w);
}

static void fill_int(void *to, uint32_t key, int64_t i)
{
    (void)i;
    *(int32_t *)to = (int32_t)key - 1000;
}

static void fill_byte(void *to, uint32_t key, int64_t i)
{
    *(uint8_t *)to = (uint8_t)(key & 7) | (uint8_t)(i << 3);
}

static void fill_double(void *to, uint32_t key, int64_t i)
{
    (void)i;
    *(double *)to = (double)key * 0.5 - 3;
}

typedef struct kind {
    const hd_comparison *comparison;
    ref_compare *order;
    void (*fill)(void *to, uint32_t key, int64_t i);
} kind;

static const kind kinds[] = {
    {by_key, record_order, fill_record},      {by_wide_key, wide_order, fill_wide},
    {greater, greater_order, fill_int},       {by_low_bits, low_bits_order, fill_byte},
    {less_double, double_order, fill_double}, {by_name, name_order, fill_wide},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct question {
    const kind *kind;
    int64_t n;
    shape shape;
    check_layout in_layout, out_layout;
    bool in_place, with_values;
} question;

typedef struct arrays {
    check_array in, out, indices, values, values_out;
    char *x, *want, *got;
    int64_t *order;
    double *v;
} arrays;

static void expect(const question *q, const char *what, hd_type type, const check_array *got,
                   const void *from, const arrays *a, const char *target)
{
    const size_t size = hd_type_size(type);
    for (int64_t i = 0; i < q->n; i++)
        memcpy(a->want + (size_t)i * size, (const char *)from + (size_t)a->order[i] * size, size);
    check_get(got, a->got);
    CHECK(memcmp(a->want, a->got, (size_t)q->n * size) == 0,
          "%s of %" PRId64 " by %s, shape %d, layouts %d %d%s on %s", what, q->n,
          q->kind->comparison->name, (int)q->shape, (int)q->in_layout, (int)q->out_layout,
          q->in_place ? " in place" : "", target);
    CHECK(check_gaps(got), "%s by %s wrote between elements on %s", what, q->kind->comparison->name,
          target);
}

static void ask(const question *q, const check_target *t, const arrays *a)
{
    const check_array *out = q->in_place ? &a->in : &a->out;
    const check_array *v_out = q->in_place ? &a->values : &a->values_out;
    check_put(&a->in, a->x);
    check_put(&a->values, a->v);
    hd_sort_options o = {.comparison = q->kind->comparison};
    o.indices = q->with_values ? HD_REF(a->indices.view) : NULL;
    const hd_view pair[] = {a->values.view, v_out->view};
    const hd_views values = {pair, q->with_values ? 2 : 0};
    CHECK_OK(t->ctx, hd_sort(t->ctx, a->in.view, out->view, values, &o));
    expect(q, "out", q->kind->comparison->type, out, a->x, a, t->name);
    if (!q->with_values) return;
    expect(q, "values", HD_F64, v_out, a->v, a, t->name);
    int32_t *index = (int32_t *)(void *)a->got;
    check_get(&a->indices, index);
    for (int64_t i = 0; i < q->n; i++)
        if (index[i] != a->order[i]) {
            CHECK(false, "index %" PRId64 " of %" PRId64 " by %s on %s", i, q->n,
                  q->kind->comparison->name, t->name);
            break;
        }
}

static void try(const question *q, uint64_t seed, int one)
{
    const hd_type type = q->kind->comparison->type;
    const size_t n = (size_t)q->n, size = hd_type_size(type), most = size > 8 ? size : 8;
    arrays a = {.in = check_new(type, q->n, q->in_layout, seed & 1),
                .out = check_new(type, q->n, q->out_layout, seed & 2),
                .indices = check_new(HD_I32, q->n, q->out_layout, seed & 4),
                .values = check_new(HD_F64, q->n, q->in_layout, seed & 8),
                .values_out = check_new(HD_F64, q->n, q->out_layout, seed & 1),
                .x = check_memory(n * size),
                .want = check_memory(n * most),
                .got = check_memory(n * most),
                .order = check_memory(n * 8),
                .v = check_memory(n * 8)};
    uint64_t state = seed;
    for (int64_t i = 0; i < q->n; i++) {
        q->kind->fill(a.x + (size_t)i * size, key_at(q->shape, i, q->n, &state), i);
        a.v[i] = (double)i + 0.25;
    }
    ref_order(a.x, size, q->n, q->kind->order, NULL, a.order);
    for (int t = 0; t < target_count; t++)
        if (one < 0 || t == 0 || t == 1 + one % (target_count - 1)) ask(q, &targets[t], &a);
    check_drop(&a.in), check_drop(&a.out), check_drop(&a.indices);
    check_drop(&a.values), check_drop(&a.values_out);
    free(a.x), free(a.want), free(a.got), free(a.order), free(a.v);
}

static void test_all(void)
{
    int turn = 0;
    for (int k = 0; k < KINDS; k++)
        for (int s = 0; check_size(s, check_small() ? 2039 : 9001) >= 0; s++)
            for (int way = 0; way < SHAPES; way++, turn++) {
                question q = {.kind = &kinds[k], .n = check_size(s, 9001), .shape = (shape)way};
                if (q.n > 300 && turn % 3) continue;
                q.in_layout =
                    turn % 4 == 1 ? (check_layout)(turn / 4 % CHECK_LAYOUTS) : CHECK_DENSE;
                q.out_layout = q.in_layout > CHECK_REVERSED ? q.in_layout
                               : turn % 5 == 2              ? (check_layout)(turn / 5 % 3)
                                                            : CHECK_DENSE;
                q.in_place = turn % 3 == 1;
                q.with_values = turn % 4 == 3 || turn % 7 == 0;
                if (q.in_place) q.out_layout = q.in_layout;
                try(&q, check_seed() + (uint64_t)turn, q.n <= 65 ? -1 : turn);
            }
}

// Sizes where threads share the work and passes go through memory.
static void test_large(void)
{
    static const int64_t sizes[] = {20011, 65536, 150001, 1048577};
    for (int k = 0; k < 4; k++)
        for (int way = 0; way < SHAPES; way++) {
            if (check_small() && k > 1) continue;
            if (k == 3 && way != RANDOM && way != FALLING) continue;
            const question q = {.kind = &kinds[(k + way) % 3 == 1 ? 0 : (k + way) % KINDS],
                                .n = sizes[k],
                                .shape = (shape)way,
                                .in_place = (k + way) % 2,
                                .with_values = way % 3 == 2};
            try(&q, check_seed() + (uint64_t)(k + way), k == 3 ? way : -1);
        }
}

// ---- Comparisons that are none -----------------------------------------------------------------

static int by_id(const void *a, const void *b)
{
    return ((const record *)a)->id - ((const record *)b)->id;
}

static void test_contradictions(void)
{
    static const hd_comparison *const bad[] = {always, not_after, by_hash, in_a_ring, by_key};
    static const int64_t sizes[] = {2, 3, 9, 16, 33, 100, 1025, 5000, 40000, 200003};
    for (int s = 0; s < (check_small() ? 8 : 10); s++)
        for (int k = 0; k < 5; k++) {
            const int64_t n = sizes[s];
            check_array x = check_new(HD_STRUCT(record), n, CHECK_DENSE, s & 1);
            check_array y = check_new(HD_STRUCT(record), n, CHECK_DENSE, s & 1);
            uint64_t state = check_seed() + (uint64_t)s;
            record *r = x.view.data, *out = y.view.data;
            for (int64_t i = 0; i < n; i++) {
                const int64_t bits = check_below(&state, 100);
                r[i] = (record){bits < 10 ? __builtin_nanf("") : (float)bits, (int32_t)i};
            }
            for (int t = 0; t < target_count; t++) {
                if (n > 1025 && t % 3 != s % 3) continue;
                CHECK_OK(targets[t].ctx, hd_sort(targets[t].ctx, x.view, y.view, HD_NO_VALUES,
                                                 &(hd_sort_options){.comparison = bad[k]}));
                qsort(out, (size_t)n, sizeof *out, by_id);
                int64_t wrong = -1;
                for (int64_t i = 0; i < n && wrong < 0; i++)
                    if (out[i].id != i) wrong = i;
                CHECK(wrong < 0, "%s of %" PRId64 ": element %" PRId64 " was lost on %s",
                      bad[k]->name, n, wrong, targets[t].name);
            }
            check_drop(&x), check_drop(&y);
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
    hd_context *ctx = targets[0].ctx;
    static record r[10], s[10];
    static double v[10], w[10];
    static int32_t index[10];
    const hd_type T = HD_STRUCT(record);
    const hd_view in = HD_VIEW_OF(T, r, 10), out = HD_VIEW_OF(T, s, 10);
    const hd_views none = HD_NO_VALUES;
    const hd_sort_options by = {.comparison = by_key};
    FAILS(HD_ERROR_TYPE, "or a comparison", hd_sort(ctx, in, out, none, NULL));
    FAILS(HD_ERROR_TYPE, "greater is of i32",
          hd_sort(ctx, in, out, none, &(hd_sort_options){.comparison = greater}));
    FAILS(HD_ERROR_SHAPE, "keys_out has shape (9)",
          hd_sort(ctx, in, HD_VIEW_OF(T, s, 9), none, &by));
    FAILS(HD_ERROR_TYPE, "keys_out is f64", hd_sort(ctx, in, HD_VIEW(v, 10), none, &by));
    FAILS(HD_ERROR_ALIAS, "keys_out overlaps keys_in",
          hd_sort(ctx, HD_VIEW_OF(T, r, 9), HD_VIEW_OF(T, r + 1, 9), none, &by));
    FAILS(HD_ERROR_ARGUMENT, "pointer is NULL",
          hd_sort(ctx, HD_VIEW_OF(T, NULL, 3), out, none, &by));
    FAILS(HD_ERROR_ARGUMENT, "implicit",
          hd_sort(ctx, HD_VIEW(v, 10), hd_constant(1.0, 10), none,
                  &(hd_sort_options){.comparison = less_double}));
    FAILS(HD_ERROR_TYPE, "output 0 of values is i32; expected its input's type, f64",
          hd_sort(ctx, in, out, HD_VALUES(HD_VIEW(v, 10), HD_VIEW(index, 10)), &by));
    FAILS(HD_ERROR_ALIAS, "overlaps",
          hd_sort(ctx, in, out, HD_VALUES(HD_VIEW(v, 10), HD_VIEW((double *)r, 10)), &by));
    FAILS(HD_ERROR_TYPE, "expected i32, u32, i64 or u64",
          hd_sort(ctx, in, out, none,
                  &(hd_sort_options){.comparison = by_key, .indices = HD_REF(HD_VIEW(w, 10))}));
    FAILS(HD_ERROR_SHAPE, "indices has shape (8)",
          hd_sort(ctx, in, out, none,
                  &(hd_sort_options){.comparison = by_key, .indices = HD_REF(HD_VIEW(index, 8))}));
    FAILS(HD_ERROR_OPERATOR, "not a comparison",
          hd_sort(ctx, in, out, none,
                  &(hd_sort_options){
                      .comparison = &(hd_comparison){.abi = HD__ABI, .type = T, .name = "empty"}}));
    CHECK_OK(ctx, hd_sort(ctx, HD_VIEW_OF(T, NULL, 0), HD_VIEW_OF(T, NULL, 0), none, &by));
    CHECK_OK(ctx, hd_sort(ctx, in, HD_EMPTY, none, &by));
}

int main(void)
{
    target_count = check_targets(&targets);
    test_all();
    test_large();
    test_contradictions();
    test_errors();
    return check_finish();
}
