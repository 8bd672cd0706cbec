// SPDX-License-Identifier: Apache-2.0
//
// Gather, scatter and expand by the GPU's kernels, on the model machine and on a card where there
// is one, against the serial backend, bit for bit: types, indices of every kind, layouts, places,
// functions, slices, duplicates, bad indices, operators in order and in any. Each row of a table is
// a few kernels, which many sizes use.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

typedef struct triple {
    uint8_t v[12];
} triple;

HD_SOURCE(
    affine_text, typedef struct { float scale, shift; } affine;)
HD_OPERATOR(chained, affine, affine_text, HD_ASSOCIATIVE, {
    affine r;
    r.scale = a.scale * b.scale;
    r.shift = b.scale * a.shift + b.shift;
    return r;
})
HD_FUNCTION(blend, double, HD_NO_SOURCE, (int32_t, x, float, w), { return 2.0 * x + w; })
HD_FUNCTION(twice, float, HD_NO_SOURCE, (float, x), { return 2 * x; })

static hd_context *ctx, *serial;
static const char *backend;
static bool card;

// ---- Questions ----------------------------------------------------------------------------------

typedef enum what { GATHER, SLICES, SCATTER } what;
static const char *const names[] = {"gather", "slices", "scatter"};

typedef struct way {
    what what;
    hd_type type, out_type, index;
    const hd_function *map;
    const hd_operator *combine;
    check_layout in, out;
    bool device, unique, any, checked;
} way;

#define DENSE CHECK_DENSE, CHECK_DENSE

static const way ways[] = {
    {GATHER, HD_F32, HD_F32, HD_I32, NULL, NULL, DENSE, true, false, false, false},
    {GATHER, HD_STRUCT(triple), HD_STRUCT(triple), HD_U16, NULL, NULL, DENSE, false, false, false,
     true},
    {GATHER, HD_I32, HD_F64, HD_I64, blend, NULL, CHECK_STRIDED, CHECK_REVERSED, false, false,
     false, false},
    {GATHER, HD_U8, HD_U8, HD_U64, NULL, NULL, DENSE, true, false, false, true},
    {SLICES, HD_I16, HD_I16, HD_I32, NULL, NULL, DENSE, false, false, false, true},
    {SLICES, HD_F64, HD_F64, HD_I64, NULL, NULL, DENSE, true, false, false, false},
    {SCATTER, HD_F32, HD_F32, HD_I32, NULL, NULL, DENSE, true, false, false, false},
    {SCATTER, HD_U64, HD_U64, HD_U32, NULL, NULL, DENSE, true, true, false, true},
    {SCATTER, HD_STRUCT(triple), HD_STRUCT(triple), HD_I64, NULL, NULL, DENSE, false, false, false,
     true},
    {SCATTER, HD_F32, HD_F32, HD_I16, twice, NULL, CHECK_REVERSED, CHECK_ROWS, false, false, false,
     false},
    {SCATTER, HD_I32, HD_I64, HD_I32, NULL, HD_SUM, DENSE, true, false, false, true},
    {SCATTER, HD_F32, HD_F32, HD_I32, NULL, HD_SUM, DENSE, true, false, false, false},
    {SCATTER, HD_F16, HD_F16, HD_U32, NULL, HD_SUM, CHECK_STRIDED, CHECK_REVERSED, false, false,
     false, true},
    {SCATTER, HD_F32, HD_F32, HD_I64, twice, HD_MAX, DENSE, false, false, false, false},
    {SCATTER, HD_I8, HD_BOOL, HD_I32, NULL, HD_ANY, DENSE, false, false, false, false},
    {SCATTER, HD_U32, HD_U32, HD_I32, NULL, HD_XOR, DENSE, true, false, true, false},
    {SCATTER, HD_TYPE(affine), HD_TYPE(affine), HD_I32, NULL, chained, DENSE, false, false, false,
     true},
};

// ---- Arrays on either side ----------------------------------------------------------------------

// Elements go to the device and come back as bytes: one kernel for all types.
static void copy(hd_view device, hd_view host, bool up)
{
    const int64_t n = hd_count(host), size = (int64_t)hd_type_size(host.type);
    char *dense = check_memory((size_t)(n * size + 1));
    hd_view bytes = HD_VIEW_OF(HD_U8, device.data, n * size);
    bytes.space = HD_DEVICE;
    for (int64_t k = 0; up && k < n; k++)
        memcpy(dense + k * size, check_element(host, k), (size_t)size);
    const hd_view packed = HD_VIEW_OF(HD_U8, dense, n * size);
    CHECK_OK(ctx, hd_map(ctx, up ? packed : bytes, NULL, up ? bytes : packed, NULL));
    for (int64_t k = 0; !up && k < n; k++)
        memcpy(check_element(host, k), dense + k * size, (size_t)size);
    free(dense);
}

static hd_view moved(hd_view v, bool up)
{
    if (!up) return v;
    hd_view d;
    CHECK_OK(ctx, hd_alloc_device(ctx, v.type, v.ndim, v.shape, &d));
    copy(d, v, true);
    return d;
}

static void back(hd_view *d, hd_view v)
{
    if (d->space != HD_DEVICE) return;
    copy(*d, v, false);
    CHECK_OK(ctx, hd_free(ctx, d));
}

typedef struct side {
    hd_view in, index, out, with;
} side;

static hd_status call(hd_context *c, const way *w, const side *s, int64_t *bad)
{
    const hd_views with = w->map == blend ? HD_VIEWS(s->with) : (hd_views){0};
    if (w->what == SCATTER)
        return hd_scatter(c, s->in, s->index, s->out,
                          &(hd_scatter_options){.combine = w->combine,
                                                .order = w->any ? HD_ANY_ORDER : 0,
                                                .unique = w->unique,
                                                .checked = w->checked,
                                                .bad = bad != NULL ? HD_REF(HD_VIEW(bad, 1)) : NULL,
                                                .map = w->map});
    return hd_gather(c, s->in, s->index, s->out,
                     &(hd_gather_options){.axis = w->what == SLICES ? HD_AXIS(1) : 0,
                                          .checked = w->checked,
                                          .bad = bad != NULL ? HD_REF(HD_VIEW(bad, 1)) : NULL,
                                          .function = w->map,
                                          .with = with});
}

// Indices below `limit`: once each, or anywhere, or around a few; now and then one that is bad.
static void fill_index(const way *w, void *to, int64_t n, int64_t limit, bool bad, uint64_t *r)
{
    const size_t size = hd_type_size(w->index);
    const int64_t spread = check_next(r) % 3 ? limit : 1 + limit / 50;
    for (int64_t i = 0; i < n; i++) {
        int64_t at = w->unique ? i * 7919 % limit : check_below(r, spread > 0 ? spread : 1);
        if (limit == 0 || (bad && check_next(r) % 500 == 0)) at = limit + check_below(r, 9);
        if (bad && limit > 0 && check_is_signed(w->index) && check_next(r) % 500 == 0) at = -1;
        memcpy((char *)to + (size_t)i * size, &at, size); // little endian
    }
}

typedef struct arrays {
    check_array in, out;
} arrays;

static arrays made(const way *w, int64_t n, int64_t places, int64_t count, bool guard)
{
    if (w->what == SLICES) {
        const int64_t in[] = {3, places, 5}, out[] = {3, count, 5};
        return (arrays){check_new_nd(w->type, 3, in, NULL, guard),
                        check_new_nd(w->out_type, 3, out, NULL, guard)};
    }
    const int64_t sources = w->what == GATHER ? places : count;
    (void)n;
    return (arrays){check_new(w->type, sources, w->in, guard),
                    check_new(w->out_type, w->what == GATHER ? count : places, w->out, guard)};
}

static void fill(hd_type type, hd_view v, uint64_t seed)
{
    const int64_t n = hd_count(v);
    const size_t size = hd_type_size(type);
    char *x = check_memory((size_t)n * size + 8);
    uint64_t r = seed;
    if (type >> 8 == 0)
        check_fill(type, x, n, CHECK_UNITS, seed);
    else if (type == HD_TYPE(affine))
        check_fill(HD_F32, x, 2 * n, CHECK_UNITS, seed);
    else
        for (size_t k = 0; k < (size_t)n * size; k++) x[k] = (char)check_next(&r);
    for (int64_t k = 0; k < n; k++) memcpy(check_element(v, k), x + (size_t)k * size, size);
    free(x);
}

static bool same(const way *w, const check_array *a, const check_array *b)
{
    const int64_t n = hd_count(a->view);
    const size_t size = hd_type_size(a->view.type);
    for (int64_t k = 0; k < n; k++) {
        const void *x = check_element(a->view, k), *y = check_element(b->view, k);
        if (w->combine && w->out_type >> 8 == 0 ? check_differs(w->out_type, x, y, 1) >= 0
                                                : memcmp(x, y, size) != 0)
            return false;
    }
    return check_gaps(a);
}

static void ask(const way *w, int64_t count, int64_t places, uint64_t *r)
{
    const bool guard = check_next(r) % 2, with_bad = check_next(r) % 2, asks = check_next(r) % 2;
    if (w->unique && places < count) places = count;
    if (w->unique)
        while (places % 7919 == 0) places++;
    if (hd_type_size(w->index) == 2) places = places < 30000 ? places : 30000;
    arrays got = made(w, 0, places, count, guard), want = made(w, 0, places, count, guard);
    check_array index = check_new(w->index, count, CHECK_DENSE, false);
    check_array with = check_new(HD_F32, count, w->in, false);
    const uint64_t seed = check_next(r);
    fill_index(w, index.view.data, count, places, with_bad && !w->unique, r);
    fill(w->type, got.in.view, seed), fill(w->type, want.in.view, seed);
    fill(w->out_type, got.out.view, seed + 1), fill(w->out_type, want.out.view, seed + 1);
    fill(HD_F32, with.view, seed + 2);
    if (w->what != SLICES) { // the index has the shape of what goes with it
        const hd_view shape = w->what == GATHER ? got.out.view : got.in.view;
        hd_view v = hd_view_nd(w->index, index.view.data, shape.ndim, shape.shape, NULL);
        index.view = v;
    }
    int64_t bad = -7, wanted = -7;
    const side host = {want.in.view, index.view, want.out.view, with.view};
    const hd_status expected = call(serial, w, &host, asks ? &wanted : NULL);
    char text[300];
    snprintf(text, sizeof text, "%s", hd_error(serial));
    side s = {moved(got.in.view, w->device), moved(index.view, w->device),
              moved(got.out.view, w->device), moved(with.view, w->device)};
    const hd_status status = call(ctx, w, &s, asks ? &bad : NULL);
    CHECK(status == expected && (status == HD_OK || strcmp(hd_error(ctx), text) == 0),
          "%s of %" PRId64 " in %" PRId64 " (row %d): %s, not %s: %s; expected %s", names[w->what],
          count, places, (int)(w - ways), hd_status_name(status), hd_status_name(expected),
          hd_error(ctx), text);
    CHECK(bad == wanted, "first bad %" PRId64 ", not %" PRId64 " (row %d)", bad, wanted,
          (int)(w - ways));
    back(&s.out, got.out.view), back(&s.in, got.in.view);
    back(&s.index, index.view), back(&s.with, with.view);
    CHECK(same(w, &got.out, &want.out), "%s of %" PRId64 " in %" PRId64 " %s on %s: row %d",
          names[w->what], count, places, hd_type_name(w->type), backend, (int)(w - ways));
    check_drop(&got.in), check_drop(&got.out), check_drop(&want.in), check_drop(&want.out);
    check_drop(&index), check_drop(&with);
}

static int64_t some_size(uint64_t *r)
{
    static const int64_t edges[] = {1, 2, 31, 32, 33, 255, 256, 257, 1023, 1025, 2048, 4097};
    switch (check_below(r, 3)) {
    case 0: return edges[check_below(r, 12)];
    case 1: return 1 + check_below(r, 900);
    default: return 1 + check_below(r, card ? 1 << 20 : 5000);
    }
}

// ---- Expansion ----------------------------------------------------------------------------------

static void compare_expansions(hd_view values, hd_view lengths, int64_t room, bool device)
{
    const size_t size = hd_type_size(values.type);
    char *got = check_memory((size_t)room * size + 1),
         *want = check_memory((size_t)room * size + 1);
    memset(got, 7, (size_t)room * size + 1), memset(want, 7, (size_t)room * size + 1);
    int64_t count = -1, wanted = -1;
    const hd_status expected = hd_expand(
        serial, values, lengths, HD_VIEW_OF(values.type, want, room), HD_VIEW(&wanted, 1), NULL);
    hd_view v = moved(values, device), l = moved(lengths, device);
    hd_view out = moved(HD_VIEW_OF(values.type, got, room), device);
    const hd_status status = hd_expand(ctx, v, l, out, HD_VIEW(&count, 1), NULL);
    CHECK(status == expected && count == wanted &&
              (status == HD_OK || strcmp(hd_error(ctx), hd_error(serial)) == 0),
          "expand: %s, not %s, %" PRId64 " of %" PRId64 ": %s; expected %s", hd_status_name(status),
          hd_status_name(expected), count, wanted, hd_error(ctx), hd_error(serial));
    back(&out, HD_VIEW_OF(values.type, got, room)), back(&v, values), back(&l, lengths);
    CHECK(memcmp(got, want, (size_t)room * size + 1) == 0, "expand of %" PRId64 " %s into %" PRId64,
          hd_count(values), hd_type_name(values.type), wanted);
    free(got), free(want);
}

static void test_expand(uint64_t *r, int times)
{
    for (int t = 0; t < times; t++) {
        const int64_t m = t == 0 ? 0 : some_size(r) % 3000 + (t > 1), most = 1 + check_below(r, 9);
        float *values = check_memory(4 * (size_t)m + 4);
        int32_t *lengths = check_memory(4 * (size_t)m + 4);
        int64_t sum = 0;
        check_fill(HD_F32, values, m, CHECK_WIDE, check_next(r));
        for (int64_t k = 0; k < m; k++) {
            lengths[k] = check_next(r) % 3 ? 0 : (int32_t)check_below(r, most * most);
            if (check_next(r) % 700 == 0) lengths[k] = (int32_t)check_below(r, 3000);
            sum += lengths[k];
        }
        compare_expansions(HD_VIEW(values, m), HD_VIEW(lengths, m), sum + check_below(r, 3), t % 2);
        compare_expansions(HD_VIEW_OF(HD_STRUCT(triple), values, m / 3), HD_VIEW(lengths, m / 3),
                           sum, false);
        if (sum > 0) compare_expansions(HD_VIEW(values, m), HD_VIEW(lengths, m), sum - 1, t % 2);
        if (m > 0) lengths[m / 2] = -3;
        if (m > 0) compare_expansions(HD_VIEW(values, m), HD_VIEW(lengths, m), sum, t % 2);
        free(values), free(lengths);
    }
    const int8_t few[] = {1, 2, 3, 4, 5};
    const int64_t large[] = {1, (int64_t)1 << 61, 0, (int64_t)1 << 61, 5};
    const uint64_t huge[] = {1, 2, UINT64_MAX, 3, 4};
    compare_expansions(HD_VIEW(few, 5), HD_VIEW(large, 5), 100, true);
    compare_expansions(HD_VIEW(few, 5), HD_VIEW(huge, 5), 100, false);
}

// ---- Many runs of the same kernels --------------------------------------------------------------

static void test_way(const way *w, int times, uint64_t *r)
{
    for (int t = 0; t < times; t++) {
        const int64_t count = t == 0 ? 0 : some_size(r);
        ask(w, count, t == 1 ? check_below(r, 2) : some_size(r), r);
    }
}

static void test_backend(hd_backend which)
{
    const char *asked = getenv("HEDDLE_TEST_CASES");
    card = which == HD_CUDA;
    backend = hd_backend_name(which);
    const int times = asked ? atoi(asked) : card ? 40 : check_small() ? 3 : 6;
    uint64_t r = check_seed() + (uint64_t)which;
    // Outputs are bucketed from 4 KiB on, so that small inputs take the ways of large ones.
    for (int usual = card; usual >= 0; usual--) {
        if (!usual)
            setenv("HEDDLE_TUNE",
                   "radix_threads=64 radix_rows=4 scatter_from=4 scatter_bucket=256 "
                   "scatter_locality=0",
                   1);
        ctx = check_open(which, 2, NULL);
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) test_way(&ways[k], times, &r);
        test_expand(&r, times);
        hd_close(ctx);
    }
    // The same outputs as they come.
    setenv("HEDDLE_TUNE", "radix_threads=64 radix_rows=4 scatter_from=4 scatter_locality=2", 1);
    ctx = check_open(which, 2, NULL);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        if (ways[k].what == SCATTER && ways[k].combine == NULL) test_way(&ways[k], times, &r);
    hd_close(ctx);
    unsetenv("HEDDLE_TUNE");
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
