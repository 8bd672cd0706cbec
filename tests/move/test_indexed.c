// SPDX-License-Identifier: Apache-2.0
//
// Indexed views: what reduce, reduce_many, scan and map give of them has the bits of a gather that
// is followed by the call, for every type, index type and thread count; indices out of range are
// reported as hd_gather reports them and never read; what no indexed view goes with is refused.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static const check_target *targets;
static int target_count;

typedef struct triple {
    int32_t v[3];
} triple;
HD_FUNCTION(times, float, HD_NO_SOURCE, (float, a, float, b), { return a * b; })
HD_FUNCTION(first_of, int32_t, HD_NO_SOURCE, (triple, t), { return t.v[0]; })

enum { BASE = 1000, MAX = 40000 };
static int64_t wide[MAX];

// Indices of a type that are in range, as the array's elements.
static void make_index(const check_array *a, int64_t n, int64_t limit, uint64_t seed)
{
    uint64_t state = seed;
    for (int64_t i = 0; i < n; i++) {
        wide[i] = check_below(&state, limit);
        void *to = check_element(a->view, i);
        switch (hd_type_size(a->view.type)) {
        case 1: *(uint8_t *)to = (uint8_t)wide[i]; break;
        case 2: *(uint16_t *)to = (uint16_t)wide[i]; break;
        case 4: *(uint32_t *)to = (uint32_t)wide[i]; break;
        default: *(uint64_t *)to = (uint64_t)wide[i]; break;
        }
    }
}

typedef struct views {
    hd_view in;      // indexed, or gathered
    hd_view offsets; // of segments
    int64_t n, segments;
} views;

enum { WAYS = 9 };

// Each way of one call; the result goes to out, which has room for n elements of 8 bytes.
static hd_status run(hd_context *ctx, int way, const views *v, unsigned char *out, hd_view *result)
{
    const hd_type type = v->in.type, sums = hd_default_output(HD_SUM, type);
    const bool each = way >= 5 && way <= 7;
    const hd_type types[WAYS] = {sums, HD_I64, HD_F64, sums, type, sums, sums, HD_F32, type};
    *result = hd_view_of(types[way], out, each ? v->n : way == 3 ? v->segments : 1);
    switch (way) {
    case 0: return hd_reduce(ctx, v->in, HD_SUM, *result, NULL);
    case 1:
        return hd_reduce(ctx, v->in, HD_ARGMIN, *result, &(hd_reduce_options){.axis = HD_AXIS(0)});
    case 2: return hd_reduce(ctx, v->in, HD_VARIANCE, *result, NULL);
    case 3:
        return hd_reduce(ctx, v->in, HD_SUM, *result,
                         &(hd_reduce_options){.segments = HD_REF(v->offsets)});
    case 4: return hd_reduce(ctx, v->in, HD_MAX, *result, NULL);
    case 5: return hd_scan(ctx, v->in, HD_SUM, *result, NULL);
    case 6:
        return hd_scan(ctx, v->in, HD_SUM, *result,
                       &(hd_scan_options){.exclusive = true, .backward = true});
    case 7: return hd_map(ctx, v->in, NULL, *result, NULL);
    default: return hd_reduce_many(ctx, v->in, HD_OPERATORS(HD_MIN), HD_VIEWS(*result), NULL);
    }
}

static void test_type(hd_type type, hd_type index_type, int64_t n, check_layout layout,
                      uint64_t seed)
{
    const int64_t limit = hd_type_size(index_type) == 1 ? 100 : BASE;
    unsigned char *values = check_memory(8 * BASE), *gathered = check_memory(8 * MAX),
                  *got = check_memory(8 * MAX), *want = check_memory(8 * MAX);
    int64_t *offsets = check_memory(8 * MAX);
    check_array base = check_new(type, limit, layout, seed & 1),
                index = check_new(index_type, n, layout, seed & 2);
    uint64_t state = seed;
    check_fill(type, values, limit, CHECK_ORDINARY, seed);
    check_put(&base, values);
    make_index(&index, n, limit, seed);
    const hd_view dense = hd_view_of(type, gathered, n);
    CHECK_OK(targets->ctx, hd_gather(targets->ctx, hd_view_of(type, values, limit),
                                     HD_VIEW(wide, n), dense, NULL));
    const int64_t count = check_offsets(n, MAX / 2, &state, offsets);
    const views plain = {dense, HD_VIEW(offsets, count), n, count - 1};
    views indexed = plain;
    indexed.in = hd_indexed(base.view, index.view);
    for (int way = 0; way < WAYS; way++) {
        hd_view right, result;
        memset(want, 0x5a, 8 * MAX);
        CHECK_OK(targets->ctx, run(targets->ctx, way, &plain, want, &right));
        for (int t = 0; t < target_count; t++) {
            memset(got, 0x5a, 8 * MAX);
            CHECK_OK(targets[t].ctx, run(targets[t].ctx, way, &indexed, got, &result));
            CHECK_SAME(right.type, got, want, right.shape[0],
                       "way %d of %" PRId64 " %s by %s on %s", way, n, hd_type_name(type),
                       hd_type_name(index_type), targets[t].name);
        }
    }
    check_drop(&base), check_drop(&index);
    free(values), free(gathered), free(got), free(want), free(offsets);
}

// A sparse matrix times a vector, of rows with few and many elements; a base of several dimensions;
// structures.
static void test_products(int64_t n, uint64_t seed)
{
    float *x = check_memory(4 * BASE), *value = check_memory(4 * MAX),
          *copy = check_memory(4 * MAX), *got = check_memory(4 * MAX),
          *want = check_memory(4 * MAX);
    int32_t *column = check_memory(4 * MAX);
    int64_t *offsets = check_memory(8 * MAX), shape[3] = {10, 20, 5};
    uint64_t state = seed;
    check_fill(HD_F32, x, BASE, CHECK_SPECIAL, seed);
    check_fill(HD_F32, value, n, CHECK_ORDINARY, seed + 1);
    for (int64_t i = 0; i < n; i++) column[i] = (int32_t)check_below(&state, BASE);
    const int64_t rows = check_offsets(n, MAX, &state, offsets) - 1;
    const hd_view base = hd_view_nd(HD_F32, x, 3, shape, NULL);
    hd_context *serial = targets->ctx;
    CHECK_OK(serial,
             hd_gather(serial, HD_VIEW(x, BASE), HD_VIEW(column, n), HD_VIEW(copy, n), NULL));
    for (int t = 0; t < target_count; t++)
        for (int mapped = 0; mapped < 2; mapped++) {
            hd_context *ctx = targets[t].ctx;
            hd_reduce_options o = {.segments = HD_REF(HD_VIEW(offsets, rows + 1)),
                                   .map = mapped ? times : NULL};
            const hd_operator *op = mapped ? HD_SUM : HD_DOT;
            o.with = HD_VIEWS(HD_VIEW(copy, n));
            CHECK_OK(serial, hd_reduce(serial, HD_VIEW(value, n), op, HD_VIEW(want, rows), &o));
            o.with = HD_VIEWS(hd_indexed(base, HD_VIEW(column, n)));
            CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(value, n), op, HD_VIEW(got, rows), &o));
            CHECK_SAME(HD_F32, got, want, rows, "products of %" PRId64 " on %s", n,
                       targets[t].name);
        }
    free(x), free(value), free(copy), free(got), free(want), free(column), free(offsets);
}

static void test_more(hd_context *ctx, const char *where)
{
    triple t[3] = {{{7, 1, 2}}, {{8, 3, 4}}, {{9, 5, 6}}}, moved[4];
    const int32_t order[4] = {2, 0, 2, 1};
    int32_t first[4];
    const hd_view base = HD_VIEW_OF(HD_TYPE(triple), t, 3);
    const hd_view v = hd_indexed(base, HD_VIEW(order, 4));
    CHECK_OK(ctx, hd_map(ctx, v, NULL, HD_VIEW_OF(HD_TYPE(triple), moved, 4), NULL));
    CHECK(moved[0].v[2] == 6 && moved[3].v[1] == 3, "structures on %s", where);
    CHECK_OK(ctx, hd_map(ctx, hd_slice(v, 0, 3, 4, -1), first_of, HD_VIEW(first, 4), NULL));
    CHECK(first[0] == 8 && first[1] == 9 && first[2] == 7, "a slice on %s", where);
    // One element for all, and one that is its own index.
    float x[3] = {2, 3, 5}, y[3];
    const uint8_t two = 2;
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(x, 3), times, HD_VIEW(y, 3),
                         &(hd_map_options){
                             .with = HD_VIEWS(hd_indexed(HD_VIEW(x, 3), HD_VIEW(&two, 1)))}));
    CHECK(y[0] == 10 && y[2] == 25, "one element for all on %s", where);
    int64_t sum, self[3] = {2, 0, 1};
    CHECK_OK(ctx, hd_reduce(ctx, hd_indexed(HD_VIEW(self, 3), HD_VIEW(self, 3)), HD_SUM,
                            HD_VIEW(&sum, 1), NULL));
    CHECK(sum == 3, "an index of itself on %s", where);
    CHECK_OK(ctx, hd_reduce(ctx, hd_indexed(HD_VIEW(self, 0), HD_VIEW(self, 0)), HD_SUM,
                            HD_VIEW(&sum, 1), NULL));
    CHECK(sum == 0, "nothing on %s", where);
}

// ---- Bad ones -----------------------------------------------------------------------------------

static hd_context *ctx;
static const char *where;

static void expect(int line, hd_status expected, hd_status got, const char *text)
{
    if (got != expected || strstr(hd_error(ctx), text) == NULL)
        check_failed(__FILE__, line, "status and text", "%s instead of %s, '%s' without '%s' on %s",
                     hd_status_name(got), hd_status_name(expected), hd_error(ctx), text, where);
}
#define BAD(status, text, call) expect(__LINE__, HD_ERROR_##status, call, text)

// At every place that a kernel may treat in its own way, and where no segment reads it.
static void test_range(int64_t n)
{
    check_array base = check_new(HD_F32, 100, CHECK_DENSE, false);
    float *x = base.view.data, *out = check_memory(4 * MAX), *gathered = check_memory(4 * MAX);
    int32_t *index = check_memory(4 * MAX);
    char want[160], name[200];
    for (int64_t i = 0; i < n; i++) index[i] = (int32_t)(i * 37 % 100);
    memset(x, 0, 400);
    const int64_t offsets[] = {n / 3, n / 2, n - n / 4}, at[] = {0, 1, n / 2, n - 2, n - 1};
    const hd_view v = hd_indexed(base.view, HD_VIEW(index, n)), one = HD_VIEW(out, 1),
                  many = HD_VIEW(out, n);
    for (int k = 0; k < 5; k++) {
        const int32_t was = index[at[k]];
        index[at[k]] = k & 1 ? 100 : -1 - k;
        BAD(VALUE, "index",
            hd_gather(ctx, base.view, HD_VIEW(index, n), HD_VIEW(gathered, n),
                      &(hd_gather_options){.checked = true}));
        snprintf(want, sizeof want, "%s", strchr(hd_error(ctx), ':'));
        snprintf(name, sizeof name, "hd_reduce%s", want);
        BAD(VALUE, name, hd_reduce(ctx, v, HD_SUM, one, NULL));
        BAD(VALUE, name,
            hd_reduce(ctx, v, HD_SUM, HD_VIEW(out, 2),
                      &(hd_reduce_options){.segments = HD_REF(HD_VIEW(offsets, 3))}));
        snprintf(name, sizeof name, "hd_scan%s", want);
        BAD(VALUE, name, hd_scan(ctx, v, HD_SUM, many, NULL));
        BAD(VALUE, name, hd_scan(ctx, v, HD_SUM, many, &(hd_scan_options){.exclusive = true}));
        BAD(VALUE, name,
            hd_scan(
                ctx, v, HD_SUM, many,
                &(hd_scan_options){.exclusive = true, .segments = HD_REF(HD_VIEW(offsets, 3))}));
        BAD(VALUE, name, hd_scan(ctx, v, HD_SUM, many, &(hd_scan_options){.backward = true}));
        snprintf(name, sizeof name, "hd_map: with[0]%s", want);
        BAD(VALUE, name,
            hd_map(ctx, HD_VIEW(gathered, n), times, many, &(hd_map_options){.with = HD_VIEWS(v)}));
        index[at[k]] = was;
        CHECK_OK(ctx, hd_reduce(ctx, v, HD_SUM, one, NULL));
    }
    check_drop(&base);
    free(out), free(index), free(gathered);
}

static void test_refused(void)
{
    float x[8] = {0}, y[8];
    int32_t index[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    int64_t count;
    const int64_t shape[2] = {2, 4}, apart[2] = {1, 3};
    const hd_view v = hd_indexed(HD_VIEW(x, 8), HD_VIEW(index, 8)), out = HD_VIEW(y, 8),
                  one = HD_VIEW(y, 1);
    BAD(ARGUMENT, "hd_sort: keys_in: an indexed view", hd_sort(ctx, v, out, HD_NO_VALUES, NULL));
    BAD(ARGUMENT, "hd_gather makes a copy", hd_compact(ctx, v, out, HD_VIEW(&count, 1), NULL));
    BAD(ARGUMENT, "cannot be written", hd_map(ctx, out, NULL, v, NULL));
    BAD(ARGUMENT, "segments: an indexed",
        hd_reduce(ctx, out, HD_SUM, one, &(hd_reduce_options){.segments = HD_REF(v)}));
    BAD(ALIAS, "out overlaps in", hd_map(ctx, v, NULL, HD_VIEW(x, 8), NULL));
    BAD(ALIAS, "out overlaps in",
        hd_map(ctx, hd_indexed(HD_VIEW(index, 8), HD_VIEW(index, 8)), NULL, HD_VIEW(index, 8),
               NULL));
    BAD(ALIAS, "out overlaps in",
        hd_scan(ctx, hd_indexed(HD_VIEW(index, 4), HD_VIEW(index + 4, 4)), HD_SUM,
                HD_VIEW(index + 4, 4), NULL));
    BAD(TYPE, "in: index is f32; expected an integer type",
        hd_reduce(ctx, hd_indexed(HD_VIEW(x, 8), HD_VIEW(y, 8)), HD_SUM, one, NULL));
    BAD(ARGUMENT, "the base is not host memory",
        hd_reduce(ctx, hd_indexed(hd_iota(8), HD_VIEW(index, 8)), HD_SUM, one, NULL));
    BAD(ARGUMENT, "the base is not host memory",
        hd_reduce(ctx, hd_indexed(v, HD_VIEW(index, 8)), HD_SUM, one, NULL));
    BAD(ARGUMENT, "the base is not host memory",
        hd_reduce(ctx, hd_indexed(hd_view_nd(HD_F32, x, 2, shape, apart), HD_VIEW(index, 8)),
                  HD_SUM, one, NULL));
    BAD(ARGUMENT, "the index is not one dimension",
        hd_reduce(ctx, hd_indexed(HD_VIEW(x, 8), hd_iota(8)), HD_SUM, one, NULL));
    BAD(ARGUMENT, "base: the pointer is NULL",
        hd_reduce(ctx, hd_indexed(HD_VIEW((float *)NULL, 8), HD_VIEW(index, 8)), HD_SUM, one,
                  NULL));
    BAD(VALUE, "there is no element",
        hd_reduce(ctx, hd_indexed(HD_VIEW(x, 0), HD_VIEW(index, 8)), HD_SUM, one, NULL));
    const hd_view square = hd_view_nd(HD_F32, x, 2, shape, NULL);
    BAD(SHAPE, "with[0] is indexed",
        hd_map(ctx, square, times, hd_view_nd(HD_F32, y, 2, shape, NULL),
               &(hd_map_options){.with = HD_VIEWS(v)}));
    BAD(ARGUMENT, "not a view", hd_reduce(ctx, hd_slice(v, 0, 4, 5, 1), HD_SUM, one, NULL));
}

int main(void)
{
    static const hd_type indices[] = {HD_I8, HD_I16, HD_I32, HD_I64, HD_U8, HD_U16, HD_U32, HD_U64};
    static const int64_t sizes[] = {0, 1, 31, 257, 5003};
    target_count = check_targets(&targets);
    uint64_t state = check_seed();
    for (int k = 0; check_type(k) != HD_NONE; k++)
        for (int s = 0; s < 5; s++)
            test_type(check_type(k), indices[(k + s) % 8], sizes[s],
                      (k + s) % 3 == 0 ? CHECK_STRIDED : CHECK_DENSE, check_next(&state));
    test_type(HD_F32, HD_I32, MAX, CHECK_DENSE, check_next(&state));
    test_type(HD_F64, HD_I64, MAX, CHECK_DENSE, check_next(&state));
    test_products(1000, check_next(&state));
    test_products(MAX, check_next(&state));
    for (int t = 0; t < target_count; t++) {
        ctx = targets[t].ctx;
        where = targets[t].name;
        test_more(ctx, where);
        test_range(130);
        test_range(35001);
        test_refused();
    }
    return check_finish();
}
