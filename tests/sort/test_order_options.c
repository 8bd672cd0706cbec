// SPDX-License-Identifier: Apache-2.0
//
// Merge, search and top k with every combination of their options, drawn at random: numbers or a
// comparison, both directions, everything or rows along an axis, values and indices, layouts of any
// strides; against a stable order, and counts, of each row.
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

typedef struct record {
    int16_t key;
    char rest[7];
} record;
HD_COMPARISON(by_key, record, HD_NO_SOURCE, { return a.key < b.key; })
HD_COMPARISON(by_tens, int64_t, HD_NO_SOURCE, { return a / 10 < b / 10; })

static int record_order(const void *a, const void *b, const void *argument)
{
    (void)argument;
    return ((const record *)a)->key - ((const record *)b)->key;
}

static int tens_order(const void *a, const void *b, const void *argument)
{
    int64_t x, y;
    (void)argument;
    memcpy(&x, a, sizeof x), memcpy(&y, b, sizeof y);
    return (x / 10 > y / 10) - (x / 10 < y / 10);
}

typedef struct kind {
    hd_type type;
    const hd_comparison *comparison; // NULL: numbers
    ref_compare *order;
} kind;
static const kind kinds[] = {{HD_F32, NULL, ref_compare_numbers},
                             {HD_U16, NULL, ref_compare_numbers},
                             {HD_STRUCT(record), by_key, record_order},
                             {HD_I64, by_tens, tens_order}};
static const hd_type value_types[] = {HD_F64, HD_U8, HD_STRUCT(record)};
static const hd_type index_types[] = {HD_I32, HD_U32, HD_I64, HD_U64};
enum { VALUES = 2 };

typedef struct question {
    const kind *kind;
    bool descending, right, no_keys;
    int32_t ndim, axis; // axis: -1, or that of the rows
    int64_t other[3];   // the lengths of the axes but for that one
    int values;
    hd_type indices; // or HD_NONE
} question;

static int in_direction(const void *a, const void *b, const void *argument)
{
    const question *q = argument;
    const ref_numbers numbers = {q->kind->type, q->descending};
    if (q->kind->comparison == NULL) return q->kind->order(a, b, &numbers);
    return q->descending ? q->kind->order(b, a, NULL) : q->kind->order(a, b, NULL);
}

// ---- Arrays -------------------------------------------------------------------------------------

// An array of rows of a length: as the call sees it, and as rows one after another.
typedef struct grid {
    random_view view;
    int64_t length, rows;
    char *rowwise;
} grid;

static grid grid_new(const question *q, hd_type type, int64_t length, uint64_t *s)
{
    int64_t shape[3], rows = 1;
    for (int32_t k = 0; k < q->ndim; k++) {
        shape[k] = k == q->axis || q->axis < 0 ? length : q->other[k];
        if (k != q->axis && q->axis >= 0) rows *= q->other[k];
    }
    const int32_t ndim = q->axis < 0 ? 1 : q->ndim;
    grid g = {.length = length, .rows = rows};
    g.view = random_view_new(type, ndim, shape, check_below(s, 2), s);
    g.rowwise = check_memory((size_t)(rows * length) * hd_type_size(type));
    return g;
}

static void grid_free(grid *g)
{
    random_view_free(&g->view);
    free(g->rowwise);
}

static char *grid_at(const grid *g, int64_t r, int64_t i)
{
    return g->rowwise + (size_t)(r * g->length + i) * hd_type_size(g->view.view.type);
}

// The element, in row-major order, of place i of row r.
static int64_t along_axis(const question *q, const grid *g, int64_t r, int64_t i)
{
    int64_t inner = 1;
    if (q->axis < 0) return i;
    for (int32_t k = q->axis + 1; k < q->ndim; k++) inner *= q->other[k];
    return (r / inner * g->length + i) * inner + r % inner;
}

// Rows into the view, or out of it.
static void grid_copy(const question *q, const grid *g, bool into)
{
    const size_t size = hd_type_size(g->view.view.type);
    char *dense = check_memory((size_t)(g->rows * g->length) * size);
    if (!into) random_view_get(&g->view.view, dense);
    for (int64_t r = 0; r < g->rows; r++)
        for (int64_t i = 0; i < g->length; i++) {
            char *there = dense + (size_t)along_axis(q, g, r, i) * size, *here = grid_at(g, r, i);
            memcpy(into ? there : here, into ? here : there, size);
        }
    if (into) random_view_put(&g->view.view, dense);
    free(dense);
}

static void grid_fill(const question *q, const grid *g, uint64_t *s)
{
    const int64_t n = g->rows * g->length, few = check_below(s, 2) ? 4 : 300;
    const size_t size = hd_type_size(g->view.view.type);
    if (q->kind->comparison == NULL) check_fill(q->kind->type, g->rowwise, n, CHECK_SPECIAL, *s);
    for (int64_t i = 0; i < n; i++) {
        const int64_t key = check_below(s, few), number = key * 10 + i % 10;
        record x = {.key = (int16_t)key};
        memcpy(x.rest, &i, sizeof x.rest);
        if (q->kind->comparison != NULL)
            memcpy(g->rowwise + (size_t)i * size,
                   q->kind->comparison == by_key ? (void *)&x : (void *)&number, size);
        else if (few == 4 && i >= few) // copies of the first ones
            memcpy(g->rowwise + (size_t)i * size, g->rowwise + (size_t)key * size, size);
    }
}

static void grid_random(const grid *g, uint64_t *s)
{
    const size_t bytes = (size_t)(g->rows * g->length) * hd_type_size(g->view.view.type);
    for (size_t b = 0; b < bytes; b++) g->rowwise[b] = (char)check_next(s);
}

static void sort_rows(const question *q, const grid *g)
{
    const size_t size = hd_type_size(g->view.view.type);
    int64_t *order = check_memory((size_t)g->length * sizeof *order);
    char *kept = check_memory((size_t)g->length * size);
    for (int64_t r = 0; r < g->rows; r++) {
        memcpy(kept, grid_at(g, r, 0), (size_t)g->length * size);
        ref_order(kept, size, g->length, in_direction, q, order);
        for (int64_t i = 0; i < g->length; i++)
            memcpy(grid_at(g, r, i), kept + (size_t)order[i] * size, size);
    }
    free(order), free(kept);
}

// Whether the rows of the view are those of `want`.
static void grid_expect(const question *q, const grid *g, const char *want, const char *what,
                        const char *where)
{
    const size_t bytes = (size_t)(g->rows * g->length) * hd_type_size(g->view.view.type);
    grid_copy(q, g, false);
    CHECK(memcmp(g->rowwise, want, bytes) == 0,
          "%s of %s%s%s: %" PRId64 " rows of %" PRId64 ", %d-d, axis %d%s on %s", what,
          hd_type_name(q->kind->type), q->kind->comparison != NULL ? " by comparison" : "",
          q->descending ? ", descending" : "", g->rows, g->length, (int)q->ndim, (int)q->axis,
          q->right ? ", right" : "", where);
}

static void put_index(hd_type type, char *to, int64_t index)
{
    const int32_t narrow = (int32_t)index;
    memcpy(to, hd_type_size(type) == 4 ? (const void *)&narrow : &index, hd_type_size(type));
}

// ---- Questions ----------------------------------------------------------------------------------

static question draw(uint64_t *s)
{
    question q = {.kind = &kinds[check_below(s, 4)],
                  .descending = check_below(s, 2),
                  .right = check_below(s, 2),
                  .no_keys = check_below(s, 4) == 0,
                  .ndim = 1 + (int32_t)check_below(s, 3),
                  .values = (int)check_below(s, VALUES + 1)};
    q.axis = (int32_t)check_below(s, q.ndim + 1) - 1;
    if (q.axis < 0) q.ndim = 1;
    for (int32_t k = 0; k < 3; k++) q.other[k] = check_below(s, 5);
    q.indices = check_below(s, 2) ? index_types[check_below(s, 4)] : HD_NONE;
    return q;
}

static int64_t draw_length(int64_t most, uint64_t *s)
{
    return check_below(s, 12) == 0 ? 0 : 1 + check_below(s, most);
}

// index[i] = the source, in the values of all inputs one after another, of place i of each row.
static void want_values(const grid *from, int inputs, const grid *to, const int64_t *index)
{
    const size_t size = hd_type_size(to->view.view.type);
    for (int64_t r = 0; r < to->rows; r++)
        for (int64_t i = 0; i < to->length; i++) {
            int64_t at = index[r * to->length + i];
            const bool second = inputs == 2 && at >= from[0].length;
            if (second) at -= from[0].length;
            memcpy(grid_at(to, r, i), grid_at(&from[second], r, at), size);
        }
}

static void want_indices(const grid *to, const int64_t *index)
{
    for (int64_t i = 0; i < to->rows * to->length; i++)
        put_index(to->view.view.type, to->rowwise + (size_t)i * hd_type_size(to->view.view.type),
                  index[i]);
}

// ---- Merge and top k: one or two inputs, an output, values and indices --------------------------

typedef struct columns {
    grid in[2], out;
} columns;

static columns columns_new(const question *q, hd_type type, const int64_t length[3], int inputs,
                           uint64_t *s)
{
    columns c;
    for (int k = 0; k < inputs; k++) c.in[k] = grid_new(q, type, length[k], s);
    c.out = grid_new(q, type, length[2], s);
    return c;
}

static void ask(const question *q, const check_target *t, const columns *c, int inputs,
                const grid *indices, char *const *want)
{
    hd_view views[3 * VALUES];
    int count = 0;
    for (int k = 1; k <= q->values; k++) {
        for (int i = 0; i < inputs; i++) views[count++] = c[k].in[i].view.view;
        views[count++] = c[k].out.view.view;
    }
    const hd_views values = {views, count};
    const hd_view *at = q->indices != HD_NONE ? &indices->view.view : NULL;
    const hd_view out = q->no_keys ? HD_EMPTY : c[0].out.view.view;
    const int32_t axis = q->axis >= 0 ? HD_AXIS(q->axis) : 0;
    if (inputs == 2)
        CHECK_OK(t->ctx, hd_merge(t->ctx, c[0].in[0].view.view, c[0].in[1].view.view, out, values,
                                  &(hd_merge_options){.comparison = q->kind->comparison,
                                                      .descending = q->descending,
                                                      .indices = at,
                                                      .axis = axis,
                                                      .checked = q->right}));
    else
        CHECK_OK(t->ctx, hd_top_k(t->ctx, c[0].in[0].view.view, c[0].out.length, out, values,
                                  &(hd_top_k_options){.comparison = q->kind->comparison,
                                                      .ascending = !q->descending,
                                                      .indices = at,
                                                      .axis = axis}));
    const char *what = inputs == 2 ? "merge" : "top k";
    if (!q->no_keys) grid_expect(q, &c[0].out, want[0], what, t->name);
    for (int k = 1; k <= q->values; k++) grid_expect(q, &c[k].out, want[k], what, t->name);
    if (at != NULL) grid_expect(q, indices, want[1 + VALUES], what, t->name);
}

// The stable order of the inputs' rows, one after another, as far as the output goes.
static int64_t *order_rows(const question *q, const columns *keys, int inputs)
{
    const size_t size = hd_type_size(q->kind->type);
    const int64_t na = keys->in[0].length, nb = inputs == 2 ? keys->in[1].length : 0;
    const int64_t length = keys->out.length;
    int64_t *order = check_memory((size_t)(na + nb) * 8);
    int64_t *index = check_memory((size_t)(keys->out.rows * length) * 8);
    char *x = check_memory((size_t)(na + nb) * size);
    for (int64_t r = 0; r < keys->out.rows; r++) {
        for (int64_t i = 0; i < na + nb; i++)
            memcpy(x + (size_t)i * size,
                   i < na ? grid_at(&keys->in[0], r, i) : grid_at(&keys->in[1], r, i - na), size);
        ref_order(x, size, na + nb, in_direction, q, order);
        for (int64_t i = 0; i < length; i++) index[r * length + i] = order[i];
    }
    free(order), free(x);
    return index;
}

static char *copy_of(const grid *g)
{
    const size_t bytes = (size_t)(g->rows * g->length) * hd_type_size(g->view.view.type);
    char *copy = check_memory(bytes);
    if (bytes > 0) memcpy(copy, g->rowwise, bytes);
    return copy;
}

static void try_moving(int inputs, int64_t most, uint64_t seed)
{
    uint64_t s = seed;
    const question q = draw(&s);
    int64_t length[3] = {draw_length(most, &s), draw_length(most, &s), 0};
    length[2] = inputs == 2 ? length[0] + length[1] : check_below(&s, length[0] + 1);
    if (inputs == 1 && check_below(&s, 2)) length[2] = length[2] % 9;
    columns c[1 + VALUES];
    char *want[2 + VALUES] = {NULL};
    for (int k = 0; k <= q.values; k++) {
        const hd_type type = k == 0 ? q.kind->type : value_types[check_below(&s, 3)];
        c[k] = columns_new(&q, type, length, inputs, &s);
        for (int i = 0; i < inputs; i++) {
            if (k > 0)
                grid_random(&c[k].in[i], &s);
            else
                grid_fill(&q, &c[0].in[i], &s);
            if (k == 0 && inputs == 2) sort_rows(&q, &c[0].in[i]);
            grid_copy(&q, &c[k].in[i], true);
        }
    }
    grid indices = grid_new(&q, q.indices != HD_NONE ? q.indices : HD_I32, length[2], &s);
    int64_t *index = order_rows(&q, &c[0], inputs);
    for (int k = 0; k <= q.values; k++) {
        want_values(c[k].in, inputs, &c[k].out, index);
        want[k] = copy_of(&c[k].out);
    }
    want_indices(&indices, index);
    want[1 + VALUES] = copy_of(&indices);
    const int some = most > 500 ? 1 + (int)check_below(&s, target_count - 1) : -1;
    for (int t = 0; t < target_count; t++)
        if (some < 0 || t == 0 || t == some) ask(&q, &targets[t], c, inputs, &indices, want);
    for (int k = 0; k <= q.values; k++) {
        for (int i = 0; i < inputs; i++) grid_free(&c[k].in[i]);
        grid_free(&c[k].out);
    }
    for (int k = 0; k < 2 + VALUES; k++) free(want[k]);
    grid_free(&indices);
    free(index);
}

// ---- Search -------------------------------------------------------------------------------------

static void try_search(int64_t most, uint64_t seed)
{
    uint64_t s = seed;
    question q = draw(&s);
    if (q.indices == HD_NONE) q.indices = HD_I64;
    grid sorted = grid_new(&q, q.kind->type, draw_length(most, &s), &s);
    grid queries = grid_new(&q, q.kind->type, draw_length(most, &s), &s);
    grid out = grid_new(&q, q.indices, queries.length, &s);
    grid_fill(&q, &sorted, &s), grid_fill(&q, &queries, &s);
    sort_rows(&q, &sorted);
    if (check_below(&s, 3) == 0) sort_rows(&q, &queries);
    grid_copy(&q, &sorted, true), grid_copy(&q, &queries, true);
    for (int64_t r = 0; r < queries.rows; r++)
        for (int64_t j = 0; j < queries.length; j++) {
            int64_t count = 0;
            for (int64_t i = 0; i < sorted.length; i++) {
                const int way = in_direction(grid_at(&sorted, r, i), grid_at(&queries, r, j), &q);
                count += q.right ? way <= 0 : way < 0;
            }
            put_index(q.indices, grid_at(&out, r, j), count);
        }
    char *want = copy_of(&out);
    for (int t = 0; t < target_count; t++) {
        CHECK_OK(targets[t].ctx,
                 hd_search(targets[t].ctx, sorted.view.view, queries.view.view, out.view.view,
                           &(hd_search_options){.comparison = q.kind->comparison,
                                                .descending = q.descending,
                                                .axis = q.axis >= 0 ? HD_AXIS(q.axis) : 0,
                                                .right = q.right,
                                                .checked = q.no_keys}));
        grid_expect(&q, &out, want, "search", targets[t].name);
    }
    grid_free(&sorted), grid_free(&queries), grid_free(&out);
    free(want);
}

// Views without dimensions, as every argument, value and option.
static void test_no_dimensions(hd_context *ctx)
{
    float key = 3, key_out = 0;
    int64_t value = 7, value_out = 0, index = 9, both[2], places[2];
    const hd_view x = hd_view_nd(HD_F32, &key, 0, NULL, NULL);
    const hd_view y = hd_view_nd(HD_F32, &key_out, 0, NULL, NULL);
    const hd_view v = hd_view_nd(HD_I64, &value, 0, NULL, NULL);
    const hd_view w = hd_view_nd(HD_I64, &value_out, 0, NULL, NULL);
    const hd_view at = hd_view_nd(HD_I64, &index, 0, NULL, NULL), two = HD_VIEW(places, 2);
    CHECK_OK(ctx, hd_top_k(ctx, x, 1, y, HD_VALUES(v, w), &(hd_top_k_options){.indices = &at}));
    CHECK(key_out == 3 && value_out == 7 && index == 0, "%g", (double)key_out);
    CHECK_OK(ctx, hd_merge(ctx, x, y, HD_EMPTY, HD_VALUES(v, w, HD_VIEW(both, 2)),
                           &(hd_merge_options){.indices = &two}));
    CHECK(both[0] == 7 && both[1] == 7 && places[0] == 0 && places[1] == 1, "%" PRId64, both[1]);
    CHECK_OK(ctx, hd_search(ctx, x, y, at, &(hd_search_options){.right = true}));
    CHECK(index == 1, "%" PRId64, index);
}

int main(void)
{
    target_count = check_targets(&targets);
    const int rounds = check_small() ? 150 : 500;
    for (int k = 0; k < rounds; k++) {
        try_moving(1 + k % 2, k % 3 ? 20 : 300, check_seed() + (uint64_t)k);
        try_search(k % 3 ? 20 : 150, check_seed() + 5000 + (uint64_t)k);
    }
    for (int k = 0; k < rounds / 8; k++)
        try_moving(1 + k % 2, k % 4 ? 3000 : 60000, check_seed() + 9000 + (uint64_t)k);
    for (int t = 0; t < target_count; t++) test_no_dimensions(targets[t].ctx);
    return check_finish();
}
