// SPDX-License-Identifier: Apache-2.0
//
// hd_sort with every combination of its options, drawn at random: numbers or a comparison, both
// directions, everything, rows or segments, values and indices, in place or not, layouts of any
// strides; against a stable order of each slice.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/random_view.h"
#include "tests/support/reference_order.h"

static const check_target *targets;
static int target_count;

HD_SOURCE(
    things,
    typedef struct {
        uint16_t key;
        char rest[5];
    } small;
    typedef struct {
        double key;
        int64_t rest[3];
    } large;)
HD_COMPARISON(by_small, small, things, { return a.key < b.key; })
HD_COMPARISON(by_large, large, things, { return a.key > b.key; })
HD_COMPARISON(by_tens, int32_t, HD_NO_SOURCE, { return a / 10 < b / 10; })

static int small_order(const void *a, const void *b, const void *argument)
{
    (void)argument;
    return ((const small *)a)->key - ((const small *)b)->key;
}

static int large_order(const void *a, const void *b, const void *argument)
{
    const double x = ((const large *)a)->key, y = ((const large *)b)->key;
    (void)argument;
    return (x < y) - (x > y);
}

static int tens_order(const void *a, const void *b, const void *argument)
{
    (void)argument;
    return *(const int32_t *)a / 10 - *(const int32_t *)b / 10;
}

typedef struct kind {
    hd_type type;
    const hd_comparison *comparison; // NULL: numbers
    ref_compare *order;
} kind;

static const kind kinds[] = {
    {HD_F32, NULL, ref_compare_numbers},
    {HD_U8, NULL, ref_compare_numbers},
    {HD_I64, NULL, ref_compare_numbers},
    {HD_F16, NULL, ref_compare_numbers},
    {HD_STRUCT(small), by_small, small_order},
    {HD_STRUCT(large), by_large, large_order},
    {HD_I32, by_tens, tens_order},
};
enum { KINDS = sizeof kinds / sizeof *kinds, MAX_VALUES = 3, MAX_SEGMENTS = 40 };
static const hd_type value_types[] = {HD_F64, HD_U8, HD_STRUCT(small), HD_I16};
static const hd_type index_types[] = {HD_I32, HD_U32, HD_I64, HD_U64};

// An array of the call: what it is given, and what must come out.
typedef struct column {
    random_view in, out;
    bool in_place;
    char *given, *want;
} column;

typedef struct question {
    const kind *kind;
    int64_t n, shape[3], length;
    int32_t ndim, axis; // axis: -1, or the one whose rows are sorted
    int64_t segments;   // offsets, or -1
    int64_t offset[MAX_SEGMENTS];
    bool descending, no_keys;
    int values;
    hd_type indices; // or HD_NONE
    char text[160];
} question;

// ---- What must come out -----------------------------------------------------------------------

typedef struct direction {
    const question *q;
    ref_numbers numbers;
} direction;

static int in_direction(const void *a, const void *b, const void *argument)
{
    const direction *d = argument;
    if (d->q->kind->comparison == NULL) return d->q->kind->order(a, b, &d->numbers);
    return d->q->descending ? d->q->kind->order(b, a, NULL) : d->q->kind->order(a, b, NULL);
}

// The element, in row-major order, of place i of row r along the axis.
static int64_t along_axis(const question *q, int64_t r, int64_t i)
{
    int64_t inner = 1;
    for (int32_t k = q->axis + 1; k < q->ndim; k++) inner *= q->shape[k];
    return (r / inner * q->length + i) * inner + r % inner;
}

// from[i] = the element that comes to place i; at[i] = the index that is reported for it.
static void slice_order(const question *q, const column *keys, const int64_t *place, int64_t n,
                        int64_t base, int64_t *from, int64_t *at)
{
    const size_t size = hd_type_size(q->kind->type);
    const direction d = {q, {q->kind->type, q->descending}};
    char *x = check_memory((size_t)n * size);
    int64_t *order = check_memory((size_t)n * sizeof *order);
    for (int64_t i = 0; i < n; i++)
        memcpy(x + (size_t)i * size, keys->given + (size_t)place[i] * size, size);
    ref_order(x, size, n, in_direction, &d, order);
    for (int64_t i = 0; i < n; i++) {
        from[place[i]] = place[order[i]];
        at[place[i]] = base + order[i];
    }
    free(x), free(order);
}

static void find_order(const question *q, const column *keys, int64_t *from, int64_t *at)
{
    int64_t *place = check_memory((size_t)q->n * sizeof *place);
    for (int64_t i = 0; i < q->n; i++) from[i] = at[i] = i;
    if (q->segments >= 0) {
        for (int64_t j = 0; j + 1 < q->segments; j++) {
            const int64_t begin = q->offset[j], n = q->offset[j + 1] - begin;
            for (int64_t i = 0; i < n; i++) place[i] = begin + i;
            slice_order(q, keys, place, n, begin, from, at);
        }
    } else {
        for (int64_t r = 0; q->n > 0 && r < q->n / q->length; r++) {
            for (int64_t i = 0; i < q->length; i++)
                place[i] = q->axis < 0 ? i : along_axis(q, r, i);
            slice_order(q, keys, place, q->length, 0, from, at);
        }
    }
    free(place);
}

// ---- Questions ----------------------------------------------------------------------------------

static void draw_shape(question *q, int64_t most, uint64_t *s)
{
    q->ndim = 1 + (int32_t)check_below(s, 3);
    q->n = 1;
    for (int32_t k = 0; k < q->ndim; k++) {
        const int64_t left = most / q->n;
        q->shape[k] = check_below(s, 30) == 0 ? 0 : 1 + check_below(s, left < 1 ? 1 : left);
        if (k + 1 < q->ndim && q->shape[k] > 12) q->shape[k] = 1 + q->shape[k] % 12;
        q->n *= q->shape[k] > 0 ? q->shape[k] : 1;
    }
    for (int32_t k = 0; k < q->ndim; k++)
        if (q->shape[k] == 0) q->n = 0;
}

static void draw_slices(question *q, uint64_t *s)
{
    q->axis = -1, q->segments = -1, q->length = q->n;
    const int64_t way = check_below(s, 3);
    if (way == 1) {
        q->axis = (int32_t)check_below(s, q->ndim);
        q->length = q->shape[q->axis];
    } else if (way == 2) {
        q->ndim = 1, q->shape[0] = q->n;
        q->segments = check_below(s, MAX_SEGMENTS + 1);
        for (int64_t j = 0; j < q->segments; j++) q->offset[j] = check_below(s, q->n + 1);
        for (int64_t j = 1; j < q->segments; j++) // sorted by insertion
            for (int64_t i = j; i > 0 && q->offset[i] < q->offset[i - 1]; i--) {
                const int64_t kept = q->offset[i];
                q->offset[i] = q->offset[i - 1], q->offset[i - 1] = kept;
            }
    }
}

static question draw(int64_t most, uint64_t *s)
{
    question q = {.kind = &kinds[check_below(s, KINDS)],
                  .descending = check_below(s, 2),
                  .no_keys = check_below(s, 4) == 0,
                  .values = (int)check_below(s, MAX_VALUES + 1)};
    draw_shape(&q, most, s);
    draw_slices(&q, s);
    q.indices = check_below(s, 2) ? index_types[check_below(s, 4)] : HD_NONE;
    snprintf(q.text, sizeof q.text,
             "%" PRId64 " %s%s%s, %d-d (%" PRId64 " long), axis %d, %" PRId64
             " offsets, %d values, indices %s%s",
             q.n, hd_type_name(q.kind->type), q.kind->comparison != NULL ? " by comparison" : "",
             q.descending ? ", descending" : "", (int)q.ndim, q.length, (int)q.axis, q.segments,
             q.values, q.indices != HD_NONE ? hd_type_name(q.indices) : "none",
             q.no_keys ? ", no keys" : "");
    return q;
}

// Few keys, so that equals are many; or many.
static void fill_keys(const question *q, char *to, uint64_t *s)
{
    const size_t size = hd_type_size(q->kind->type);
    const int64_t few = check_below(s, 2) ? 5 : 1000;
    if (q->kind->comparison == NULL) {
        check_fill(q->kind->type, to, q->n, CHECK_SPECIAL, check_next(s));
        for (int64_t i = 0; i < q->n && few == 5; i++) // copies of the first ones
            if (i >= few)
                memcpy(to + (size_t)i * size, to + check_below(s, few) * (int64_t)size, size);
        return;
    }
    for (int64_t i = 0; i < q->n; i++) {
        const int64_t key = check_below(s, few);
        small a = {.key = (uint16_t)key};
        large b = {(double)key, {i, -i, 7}};
        const int32_t c = (int32_t)(key * 10 + i % 10);
        memcpy(a.rest, &i, sizeof a.rest);
        memset(to + (size_t)i * size, 0, size);
        memcpy(to + (size_t)i * size,
               q->kind->comparison == by_small   ? (void *)&a
               : q->kind->comparison == by_large ? (void *)&b
                                                 : (void *)&c,
               size);
    }
}

static column column_new(const question *q, hd_type type, uint64_t *s)
{
    const bool plain = check_below(s, 2);
    const size_t bytes = (size_t)q->n * hd_type_size(type);
    return (column){.in = random_view_new(type, q->ndim, q->shape, plain, s),
                    .out = random_view_new(type, q->ndim, q->shape, check_below(s, 2), s),
                    .in_place = check_below(s, 3) == 0,
                    .given = check_memory(bytes),
                    .want = check_memory(bytes)};
}

static void column_free(column *c)
{
    random_view_free(&c->in), random_view_free(&c->out);
    free(c->given), free(c->want);
}

static const hd_view *out_of(const column *c)
{
    return c->in_place ? &c->in.view : &c->out.view;
}

static void column_want(column *c, const int64_t *from, int64_t n)
{
    const size_t size = hd_type_size(c->in.view.type);
    for (int64_t i = 0; i < n; i++)
        memcpy(c->want + (size_t)i * size, c->given + (size_t)from[i] * size, size);
}

static void column_expect(const question *q, const column *c, const char *what, const char *where)
{
    const size_t bytes = (size_t)q->n * hd_type_size(c->in.view.type);
    char *got = check_memory(bytes);
    random_view_get(out_of(c), got);
    CHECK(memcmp(got, c->want, bytes) == 0, "%s of %s on %s", what, q->text, where);
    if (!c->in_place) {
        random_view_get(&c->in.view, got);
        CHECK(memcmp(got, c->given, bytes) == 0, "input of %s of %s on %s", what, q->text, where);
    }
    free(got);
}

static void expect_indices(const question *q, const hd_view *v, const int64_t *at,
                           const char *where)
{
    char *got = check_memory((size_t)q->n * 8);
    random_view_get(v, got);
    for (int64_t i = 0; i < q->n; i++) {
        int64_t index = 0;
        if (hd_type_size(v->type) == 4)
            index = ((uint32_t *)(void *)got)[i];
        else
            index = ((int64_t *)(void *)got)[i];
        if (index == at[i]) continue;
        CHECK(false, "index %" PRId64 " is %" PRId64 ", not %" PRId64 ": %s on %s", i, index, at[i],
              q->text, where);
        break;
    }
    free(got);
}

static void ask(const question *q, const check_target *t, column *c, random_view *indices,
                const int64_t *at)
{
    hd_view views[2 * MAX_VALUES];
    const hd_view segments = HD_VIEW(q->offset, q->segments < 0 ? 0 : q->segments);
    hd_sort_options o = {.comparison = q->kind->comparison, .descending = q->descending};
    if (q->axis >= 0) o.axis = HD_AXIS(q->axis);
    if (q->segments >= 0) o.segments = &segments;
    if (q->indices != HD_NONE) o.indices = &indices->view;
    for (int k = 0; k <= q->values; k++) random_view_put(&c[k].in.view, c[k].given);
    for (int k = 0; k < q->values; k++) {
        views[2 * k] = c[1 + k].in.view;
        views[2 * k + 1] = *out_of(&c[1 + k]);
    }
    const hd_views values = {views, 2 * q->values};
    CHECK_OK(t->ctx,
             hd_sort(t->ctx, c[0].in.view, q->no_keys ? HD_EMPTY : *out_of(&c[0]), values, &o));
    if (!q->no_keys) column_expect(q, &c[0], "keys", t->name);
    for (int k = 1; k <= q->values; k++) column_expect(q, &c[k], "values", t->name);
    if (q->indices != HD_NONE) expect_indices(q, &indices->view, at, t->name);
}

static void try(int64_t most, uint64_t seed)
{
    uint64_t s = seed;
    const question q = draw(most, &s);
    column c[1 + MAX_VALUES];
    int64_t *from = check_memory((size_t)q.n * 8), *at = check_memory((size_t)q.n * 8);
    for (int k = 0; k <= q.values; k++) {
        const hd_type type = k == 0 ? q.kind->type : value_types[check_below(&s, 4)];
        c[k] = column_new(&q, type, &s);
        if (k > 0)
            for (size_t b = 0; b < (size_t)q.n * hd_type_size(type); b++)
                c[k].given[b] = (char)check_next(&s);
    }
    if (q.no_keys) c[0].in_place = false;
    fill_keys(&q, c[0].given, &s);
    find_order(&q, &c[0], from, at);
    for (int k = 0; k <= q.values; k++) column_want(&c[k], from, q.n);
    random_view indices = random_view_new(q.indices != HD_NONE ? q.indices : HD_I32, q.ndim,
                                          q.shape, check_below(&s, 2), &s);
    const int some = most > 2000 ? 1 + (int)check_below(&s, target_count - 1) : -1;
    for (int t = 0; t < target_count; t++)
        if (some < 0 || t == 0 || t == some) ask(&q, &targets[t], c, &indices, at);
    for (int k = 0; k <= q.values; k++) column_free(&c[k]);
    random_view_free(&indices);
    free(from), free(at);
}

static hd_view scalar(hd_type type, void *x)
{
    return hd_view_nd(type, x, 0, NULL, NULL);
}

// Views without dimensions, as every argument, value and option.
static void test_no_dimensions(hd_context *ctx)
{
    float key = 3, key_out = 0;
    int64_t value = 7, value_out = 0, index = 9;
    const hd_view at = scalar(HD_I64, &index);
    CHECK_OK(ctx, hd_sort(ctx, scalar(HD_F32, &key), scalar(HD_F32, &key_out),
                          HD_VALUES(scalar(HD_I64, &value), scalar(HD_I64, &value_out)),
                          &(hd_sort_options){.indices = &at}));
    CHECK(key_out == 3 && value_out == 7 && index == 0, "%g %" PRId64 " %" PRId64, (double)key_out,
          value_out, index);
    CHECK(hd_sort(ctx, scalar(HD_F32, &key), scalar(HD_F32, &key_out),
                  HD_VALUES(scalar(HD_I64, &value), scalar(HD_I64, &value)), NULL) == HD_OK,
          "a value in place: %s", hd_error(ctx));
    CHECK(hd_sort(ctx, scalar(HD_F32, &key), scalar(HD_F32, &key_out),
                  HD_VALUES(scalar(HD_I64, &value), scalar(HD_I64, &index)),
                  &(hd_sort_options){.indices = &at}) == HD_ERROR_ALIAS,
          "a value that is the index: %s", hd_error(ctx));
}

int main(void)
{
    target_count = check_targets(&targets);
    const int rounds = check_small() ? 150 : 600;
    for (int k = 0; k < rounds; k++) try(k % 3 ? 60 : 600, check_seed() + (uint64_t)k);
    for (int k = 0; k < rounds / 10; k++)
        try(k % 4 ? 9001 : 200003, check_seed() + 7777 + (uint64_t)k);
    for (int t = 0; t < target_count; t++) test_no_dimensions(targets[t].ctx);
    return check_finish();
}
