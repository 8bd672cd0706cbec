// SPDX-License-Identifier: Apache-2.0
//
// The GPU's kernels, on the model machine and on a card where there is one: random questions over
// patterns, operators, types, layouts, sizes and places, against the reference; and what calls on
// device views do. HEDDLE_TEST_CASES says how many questions; HEDDLE_TEST_BACKEND names one
// backend.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

static hd_context *ctx;
static const char *backend;
static bool card; // large sizes pay

// ---- Arrays on either side ----------------------------------------------------------------------

// The elements of a host array in memory of the device, dense; or the host's view itself.
static hd_view placed(const check_array *a, bool on_device)
{
    if (!on_device) return a->view;
    hd_view v;
    CHECK_OK(ctx, hd_alloc_device(ctx, a->view.type, a->view.ndim, a->view.shape, &v));
    CHECK_OK(ctx, hd_map(ctx, a->view, NULL, v, NULL));
    return v;
}

static void fetch(hd_view *v, const check_array *a)
{
    if (v->space == HD_HOST) return;
    CHECK_OK(ctx, hd_map(ctx, *v, NULL, a->view, NULL));
    CHECK_OK(ctx, hd_free(ctx, v));
}

// ---- Random questions ---------------------------------------------------------------------------

static int64_t some_size(uint64_t *r)
{
    static const int64_t edges[] = {1,    2,    31,   32,    33,    127,   128,
                                    129,  255,  256,  1023,  1024,  1025,  4096,
                                    8191, 8192, 8193, 16384, 32767, 32768, 32769};
    const int64_t most = card ? (int64_t)1 << (10 + check_below(r, 13)) : 40000;
    switch (check_below(r, 4)) {
    case 0: return check_below(r, 100);
    case 1: return check_below(r, most);
    case 2: return check_below(r, 5000);
    default: return edges[check_below(r, 21)];
    }
}

static void pick(uint64_t *r, const hd_operator **op, hd_type *type, hd_type *out)
{
    do {
        *op = hd_operator_at((int32_t)check_below(r, 14));
        *type = check_type((int)check_below(r, 13));
        *out =
            check_next(r) % 3 ? hd_default_output(*op, *type) : check_type((int)check_below(r, 13));
    } while (*op == NULL || !ref_accepts(*op, *type, *out));
}

static check_pattern some_pattern(uint64_t *r, const hd_operator *op)
{
    if (op == HD_PRODUCT) return CHECK_UNITS;
    return (check_pattern)check_below(r, CHECK_PATTERNS);
}

// A layout the device can hold: what is copied there becomes dense.
static check_layout some_layout(uint64_t *r)
{
    return check_next(r) % 2 ? CHECK_DENSE : (check_layout)check_below(r, CHECK_LAYOUTS);
}

typedef struct question {
    const hd_operator *op;
    hd_type type, out_type;
    int64_t n;
    check_array in, out, values;
    bool is_arg, on_device;
    const void *init;
    unsigned char init_bytes[8];
    char text[200];
} question;

// A form is what a kernel is made for, r gives the rest.
static void begin(question *q, uint64_t *form, uint64_t *r, bool scan)
{
    pick(form, &q->op, &q->type, &q->out_type);
    q->n = some_size(r);
    q->is_arg = q->op == HD_ARGMIN || q->op == HD_ARGMAX;
    q->on_device = check_next(form) % 2;
    const check_pattern pattern = some_pattern(r, q->op);
    const check_layout layout = some_layout(form);
    q->in = check_new(q->type, q->n, layout, check_next(form) % 2);
    q->out =
        check_new(q->out_type, scan ? q->n : 1, scan ? layout : CHECK_DENSE, check_next(form) % 2);
    q->values = check_new(q->type, scan ? q->n : 1, scan ? layout : CHECK_DENSE, false);
    const bool takes_init = !q->is_arg && q->op != HD_MEAN && q->op != HD_VARIANCE;
    check_fill(q->out_type, q->init_bytes, 1, CHECK_UNITS, check_next(r));
    q->init = takes_init && check_next(form) % 4 == 0 ? q->init_bytes : NULL;
    snprintf(q->text, sizeof q->text, "%s of %" PRId64 " %s (%s, %s%s) as %s%s on %s",
             hd_operator_name(q->op), q->n, hd_type_name(q->type), check_pattern_name(pattern),
             check_layout_name(layout), q->on_device ? ", on the device" : "",
             hd_type_name(q->out_type), q->init ? " with init" : "", backend);
    void *x = check_memory(8 * (size_t)q->n);
    check_fill(q->type, x, q->n, pattern, check_next(r));
    check_put(&q->in, x);
    free(x);
}

static void end(question *q)
{
    check_drop(&q->in), check_drop(&q->out), check_drop(&q->values);
}

static void ask_reduce(uint64_t *form, uint64_t *r)
{
    question q;
    begin(&q, form, r, false);
    _Alignas(8) unsigned char want[8], want_value[8];
    void *x = check_memory(8 * (size_t)q.n);
    check_get(&q.in, x);
    const ref_how how = {.init = q.init};
    ref_reduce(q.op, q.type, x, q.n, q.out_type, want, want_value, &how);
    hd_view in = placed(&q.in, q.on_device), out = placed(&q.out, q.on_device);
    hd_view values = q.is_arg ? placed(&q.values, q.on_device) : HD_EMPTY;
    CHECK_OK(ctx, hd_reduce(ctx, in, q.op, out,
                            &(hd_reduce_options){.init = q.init, .values = HD_REF(values)}));
    fetch(&out, &q.out);
    CHECK_SAME(q.out_type, q.out.view.data, want, 1, "%s", q.text);
    if (q.is_arg) {
        fetch(&values, &q.values);
        CHECK_SAME(q.type, q.values.view.data, want_value, 1, "value of %s", q.text);
    }
    if (q.on_device) hd_free(ctx, &in);
    free(x);
    end(&q);
}

static void ask_scan(uint64_t *form, uint64_t *r)
{
    question q;
    begin(&q, form, r, true);
    const bool exclusive = check_next(form) % 3 == 0, backward = check_next(form) % 5 == 0;
    char *want = check_memory(8 * (size_t)q.n), *value = check_memory(8 * (size_t)q.n);
    void *x = check_memory(8 * (size_t)q.n), *got = check_memory(8 * (size_t)q.n);
    check_get(&q.in, x);
    const ref_how how = {.init = q.init, .exclusive = exclusive, .backward = backward};
    ref_scan(q.op, q.type, x, q.n, q.out_type, want, value, &how);
    hd_view in = placed(&q.in, q.on_device), out = placed(&q.out, q.on_device);
    hd_view values = q.is_arg ? placed(&q.values, q.on_device) : HD_EMPTY;
    const bool in_place = q.type == q.out_type && q.in.view.ndim == 1 && check_next(form) % 3 == 0;
    CHECK_OK(ctx, hd_scan(ctx, in, q.op, in_place ? in : out,
                          &(hd_scan_options){.init = q.init,
                                             .values = HD_REF(values),
                                             .exclusive = exclusive,
                                             .backward = backward}));
    if (in_place && !q.on_device) check_get(&q.in, x), check_put(&q.out, x);
    if (in_place && q.on_device) CHECK_OK(ctx, hd_map(ctx, in, NULL, out, NULL));
    fetch(&out, &q.out);
    check_get(&q.out, got);
    CHECK_SAME(q.out_type, got, want, q.n, "%s scan%s%s, %s", exclusive ? "exclusive" : "inclusive",
               backward ? " backward" : "", in_place ? " in place" : "", q.text);
    CHECK(check_gaps(&q.out), "wrote between elements: %s", q.text);
    if (q.is_arg) {
        fetch(&values, &q.values);
        check_get(&q.values, got);
        CHECK_SAME(q.type, got, value, q.n, "values of the scan, %s", q.text);
    }
    if (q.on_device) hd_free(ctx, &in);
    free(want), free(value), free(x), free(got);
    end(&q);
}

// Rows along an axis, or segments: each is a reduction of its own.
static void ask_slices(uint64_t *form, uint64_t *r)
{
    question q;
    begin(&q, form, r, false);
    const int64_t n = q.n, wide = 1 + check_below(r, 40), rows = n / wide;
    const bool segments = check_next(form) % 2, first = check_next(form) % 2,
               on_host = check_next(form) % 2;
    int64_t shape[2] = {first ? wide : rows, first ? rows : wide}, *offsets, count = rows;
    offsets = check_memory(8 * (size_t)(n + 3));
    if (segments) count = check_offsets(n, n < 300 ? n + 2 : 300, r, offsets) - 1;
    char *x = check_memory(8 * (size_t)n), *want = check_memory(8 * (size_t)(count + 1));
    char *got = check_memory(8 * (size_t)(count + 1)), *one = check_memory(8 * (size_t)n);
    char *values = check_memory(8 * (size_t)(count + 1)),
         *want_values = check_memory(8 * (size_t)(count + 1));
    check_get(&q.in, x);
    const size_t size = hd_type_size(q.type), out_size = hd_type_size(q.out_type);
    for (int64_t j = 0; j < count; j++) {
        const int64_t begin = segments ? offsets[j]
                              : first  ? j
                                       : j * wide,
                      step = !segments && first ? rows : 1;
        const int64_t length = segments ? offsets[j + 1] - begin : wide;
        for (int64_t i = 0; i < length; i++)
            memcpy(one + (size_t)i * size, x + (size_t)(begin + i * step) * size, size);
        ref_reduce(q.op, q.type, one, length, q.out_type, want + (size_t)j * out_size,
                   want_values + (size_t)j * size, &(ref_how){.init = q.init});
    }
    const hd_view in = segments ? HD_VIEW_OF(q.type, x, n) : hd_view_nd(q.type, x, 2, shape, NULL);
    hd_reduce_options o = {.init = q.init};
    hd_view on_device = HD_EMPTY;
    o.values = q.is_arg ? HD_REF(HD_VIEW_OF(q.type, values, count)) : NULL;
    o.segments = segments && on_host ? HD_REF(HD_VIEW(offsets, count + 1)) : NULL;
    if (segments && !on_host) {
        CHECK_OK(ctx, hd_alloc_device(ctx, HD_I64, 1, (int64_t[]){count + 1}, &on_device));
        CHECK_OK(ctx, hd_map(ctx, HD_VIEW(offsets, count + 1), NULL, on_device, NULL));
        o.segments = &on_device;
    }
    if (!segments) o.axis = HD_AXIS(first ? 0 : 1);
    CHECK_OK(ctx, hd_reduce(ctx, in, q.op, HD_VIEW_OF(q.out_type, got, count), &o));
    CHECK_SAME(q.out_type, got, want, count, "%" PRId64 " %s, %s", count,
               segments ? "segments"
               : first  ? "columns"
                        : "rows",
               q.text);
    if (q.is_arg) CHECK_SAME(q.type, values, want_values, count, "values of slices, %s", q.text);
    hd_free(ctx, &on_device);
    free(x), free(want), free(got), free(one), free(values), free(want_values), free(offsets);
    end(&q);
}

// Conversions as the serial backend makes them, which test_elementwise.c holds against long
// doubles.
static void ask_map(uint64_t *form, uint64_t *r)
{
    static hd_context *serial;
    if (!serial) serial = check_open(HD_SERIAL, 0, NULL);
    const hd_type from = check_type((int)check_below(form, 13)),
                  to = check_type((int)check_below(form, 13));
    const int64_t n = some_size(r);
    const check_layout layout = some_layout(form);
    check_array in = check_new(from, n, layout, check_next(form) % 2);
    check_array out = check_new(to, n, layout, false), want = check_new(to, n, layout, false);
    void *x = check_memory(8 * (size_t)n), *y = check_memory(8 * (size_t)n);
    check_fill(from, x, n, (check_pattern)check_below(r, CHECK_PATTERNS), check_next(r));
    check_put(&in, x);
    CHECK_OK(serial, hd_map(serial, in.view, NULL, want.view, NULL));
    const bool on_device = check_next(form) % 2;
    hd_view a = placed(&in, on_device), b = placed(&out, on_device);
    CHECK_OK(ctx, hd_map(ctx, a, NULL, b, NULL));
    fetch(&b, &out);
    check_get(&out, x), check_get(&want, y);
    char text[64];
    snprintf(text, sizeof text, "%s", hd_type_name(from));
    CHECK_SAME(to, x, y, n, "%" PRId64 " %s as %s (%s) on %s", n, text, hd_type_name(to),
               check_layout_name(layout), backend);
    CHECK(check_gaps(&out), "wrote between elements");
    if (on_device) hd_free(ctx, &a);
    free(x), free(y);
    check_drop(&in), check_drop(&out), check_drop(&want);
}

// ---- Users' texts -------------------------------------------------------------------------------

HD_SOURCE(
    affine_text, typedef struct { float scale, shift; } affine;
    static inline float applied(affine f, float x) { return f.scale * x + f.shift; })
HD_OPERATOR(chained, affine, affine_text, HD_ASSOCIATIVE, {
    affine r;
    r.scale = a.scale * b.scale;
    r.shift = applied(b, a.shift);
    return r;
})
HD_SOURCE(
    triple_text, typedef struct { float x, y, z; } triple;)
HD_MONOID(farther, triple, triple_text, HD_ASSOCIATIVE, HD_BRACES(0, 0, 0),
          { return a.x * a.x + a.y * a.y >= b.x * b.x + b.y * b.y ? a : b; })
HD_FUNCTION(blend, float, affine_text, (affine, f, int8_t, x, double, w),
            { return applied(f, (float)x) * (float)w; })
HD_OPERATOR(broken, float, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a + b; })

// Not commutative, without an identity, of 8 and of 12 bytes.
static void test_users(int64_t n)
{
    float *x = check_memory(12 * (size_t)n), *got = check_memory(12 * (size_t)n);
    float *want = check_memory(12 * (size_t)n);
    hd_context *serial = check_open(HD_SERIAL, 0, NULL);
    check_fill(HD_F32, x, 3 * n, CHECK_UNITS, 5);
    const struct {
        const hd_operator *op;
        hd_type type;
        bool exclusive;
    } rows[] = {{chained, HD_TYPE(affine), false},
                {farther, HD_TYPE(triple), false},
                {farther, HD_TYPE(triple), true}};
    for (int k = 0; k < 3; k++) {
        const hd_view v = HD_VIEW_OF(rows[k].type, x, n);
        const hd_scan_options o = {.exclusive = rows[k].exclusive};
        CHECK_OK(serial, hd_scan(serial, v, rows[k].op, HD_VIEW_OF(rows[k].type, want, n), &o));
        CHECK_OK(ctx, hd_scan(ctx, v, rows[k].op, HD_VIEW_OF(rows[k].type, got, n), &o));
        CHECK(memcmp(got, want, hd_type_size(rows[k].type) * (size_t)n) == 0,
              "scan %d by a user's operator, %" PRId64 " on %s", k, n, backend);
        CHECK_OK(serial, hd_reduce(serial, v, rows[k].op, HD_VIEW_OF(rows[k].type, want, 1), NULL));
        CHECK_OK(ctx, hd_reduce(ctx, v, rows[k].op, HD_VIEW_OF(rows[k].type, got, 1), NULL));
        CHECK(memcmp(got, want, hd_type_size(rows[k].type)) == 0,
              "reduction %d by a user's operator, %" PRId64 " on %s", k, n, backend);
    }
    int8_t *bytes = check_memory((size_t)n);
    check_fill(HD_I8, bytes, n, CHECK_ORDINARY, 6);
    const hd_view f = HD_VIEW_OF(HD_TYPE(affine), x, n);
    const hd_views with = HD_VIEWS(HD_VIEW(bytes, n), hd_constant(0.75, n));
    CHECK_OK(serial, hd_map(serial, f, blend, HD_VIEW(want, n), &(hd_map_options){.with = with}));
    CHECK_OK(ctx, hd_map(ctx, f, blend, HD_VIEW(got, n), &(hd_map_options){.with = with}));
    CHECK_SAME(HD_F32, got, want, n, "a function of three inputs on %s", backend);
    const hd_reduce_options o = {.map = blend, .with = with};
    CHECK_OK(serial, hd_reduce(serial, f, HD_SUM, HD_VIEW(want, 1), &o));
    CHECK_OK(ctx, hd_reduce(ctx, f, HD_SUM, HD_VIEW(got, 1), &o));
    CHECK_SAME(HD_F32, got, want, 1, "a sum of a function on %s", backend);
    hd_close(serial);
    free(x), free(got), free(want), free(bytes);
}

// ---- What goes wrong ----------------------------------------------------------------------------

static void expect(hd_status status, hd_status want, const char *part)
{
    CHECK(status == want && strstr(hd_error(ctx), part), "status %s, expected %s with '%s': %s",
          hd_status_name(status), hd_status_name(want), part, hd_error(ctx));
}

HD_COMPARISON(falling, float, HD_NO_SOURCE, { return a > b; })

static void test_errors(void)
{
    float x[4] = {1, 2, 3, 4}, y[4];
    int64_t shape[1] = {4};
    hd_operator bad = broken[0], textless = broken[0];
    bad.body_text = "{ return a ++++ nonsense; }";
    textless.body_text = NULL;
    expect(hd_reduce(ctx, HD_VIEW(x, 4), &bad, HD_VIEW(y, 1), NULL), HD_ERROR_COMPILE, "nonsense");
    CHECK(strstr(hd_error(ctx), "operator broken"), "the log names the operator: %s",
          hd_error(ctx));
    expect(hd_reduce(ctx, HD_VIEW(x, 4), &textless, HD_VIEW(y, 1), NULL), HD_ERROR_OPERATOR,
           "text");
    char name[600];
    hd_comparison wordy = *falling; // what a kernel has no room for
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = 0;
    wordy.type_text = name;
    expect(hd_sort(ctx, HD_VIEW(x, 4), HD_VIEW(y, 4), HD_NO_VALUES,
                   &(hd_sort_options){.comparison = &wordy}),
           HD_ERROR_BACKEND, "is too long");
    hd_view v;
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_F32, 1, shape, &v));
    expect(hd_check_operator(ctx, HD_SUM, v, NULL), HD_ERROR_ARGUMENT, "on a device");
    hd_context *cpu = check_open(HD_CPU, 1, NULL);
    CHECK(hd_reduce(cpu, v, HD_SUM, HD_VIEW(y, 1), NULL) == HD_ERROR_BACKEND &&
              strstr(hd_error(cpu), "cpu cannot reach"),
          "%s", hd_error(cpu));
    hd_view w;
    CHECK(hd_alloc_device(cpu, HD_F32, 1, shape, &w) == HD_ERROR_BACKEND && w.data == NULL, "%s",
          hd_error(cpu));
    hd_close(cpu);
    // Offsets that only the device sees: the fault comes out at the end of the call, or at hd_sync.
    const int64_t good[] = {0, 2, 4}, bad_offsets[] = {0, 3, 2};
    hd_view offsets, two;
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_I64, 1, (int64_t[]){3}, &offsets));
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_F32, 1, (int64_t[]){2}, &two));
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(x, 4), NULL, v, NULL));
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(bad_offsets, 3), NULL, offsets, NULL));
    const hd_reduce_options o = {.segments = HD_REF(offsets)};
    expect(hd_reduce(ctx, v, HD_SUM, HD_VIEW(y, 2), &o), HD_ERROR_VALUE, "offset");
    CHECK_OK(ctx, hd_reduce(ctx, v, HD_SUM, two, &o));
    expect(hd_sync(ctx), HD_ERROR_VALUE, "offset");
    CHECK_OK(ctx, hd_sync(ctx));
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(good, 3), NULL, offsets, NULL));
    CHECK_OK(ctx, hd_reduce(ctx, v, HD_SUM, HD_VIEW(y, 2), &o));
    CHECK(y[0] == 3 && y[1] == 7, "segments after a fault: %g %g", (double)y[0], (double)y[1]);
    hd_free(ctx, &offsets), hd_free(ctx, &two);
    CHECK_OK(ctx, hd_scan(ctx, v, HD_SUM, v, NULL));
    CHECK_OK(ctx, hd_sync(ctx));
    CHECK_OK(ctx, hd_map(ctx, v, NULL, HD_VIEW(y, 4), NULL));
    CHECK(y[0] == 1 && y[1] == 3 && y[2] == 6 && y[3] == 10, "after errors: %g %g %g %g",
          (double)y[0], (double)y[1], (double)y[2], (double)y[3]);
    CHECK(hd_last_backend(ctx) == (hd_backend)hd_backend_named(backend), "it ran on %s",
          hd_backend_name(hd_last_backend(ctx)));
    CHECK_OK(ctx, hd_free(ctx, &v));
}

// ---- All of it ----------------------------------------------------------------------------------

#define SMALL_TILES "reduce_threads=64 reduce_rows=1 reduce_waves=1 reduce_few=32 scan_threads=128"

// Opens the context anew.
static void tune(hd_backend which, const char *how)
{
    hd_close(ctx);
    setenv("HEDDLE_TUNE", how, 1);
    ctx = check_open(which, 2, NULL);
}

static void test_backend(hd_backend which)
{
    const char *asked = getenv("HEDDLE_TEST_CASES");
    card = which == HD_CUDA;
    backend = hd_backend_name(which);
    ctx = NULL;
    tune(which, "scan_small_rows=8"); // as if there were many tiles
    // A card is asked five times for each form: compiling its kernels takes the time.
    const int64_t times = card ? 5 : 1;
    uint64_t forms[4] = {0};
    const int64_t cases = asked ? atoll(asked) : card ? 1500 : 20;
    for (int64_t k = 0; k < cases; k++) {
        // The same with tiles so small that every level of the tree is met; then those of scans
        // with more rows, of which a half is held.
        if (k == cases / 2) tune(which, SMALL_TILES " scan_rows=2");
        if (k == cases * 3 / 4) tune(which, SMALL_TILES " scan_rows=4 scan_small_rows=4");
        // Under sanitizers some of the same cases, for their kernels are compiled once.
        if (check_small() && k / 4 % 2 != 0) continue;
        uint64_t r = check_seed() + (uint64_t)which + 1000003 * (uint64_t)k;
        if (k / 4 % times == 0) forms[k % 4] = check_next(&r);
        uint64_t form = forms[k % 4];
        switch (k % 4) {
        case 0: ask_reduce(&form, &r); break;
        case 1: ask_scan(&form, &r); break;
        case 2: ask_slices(&form, &r); break;
        default: ask_map(&form, &r);
        }
    }
    test_users(1);
    test_users(777);
    test_users(card ? 1000003 : 9001);
    test_errors();
    hd_close(ctx);
    unsetenv("HEDDLE_TUNE");
}

int main(void)
{
    const char *only = getenv("HEDDLE_TEST_BACKEND"), *why;
    bool ran = false;
    for (int b = HD_CUDA; b <= HD_MODEL; b++) {
        if (only && *only && strcmp(only, hd_backend_name((hd_backend)b)) != 0) continue;
        if (hd_backend_available((hd_backend)b, &why)) {
            test_backend((hd_backend)b);
            ran = true;
        } else {
            printf("%s: %s\n", hd_backend_name((hd_backend)b), why);
            hd_context *absent = NULL;
            CHECK(hd_open(&absent, &(hd_context_options){.backend = (hd_backend)b}) ==
                          HD_ERROR_BACKEND &&
                      why[0] != 0 && strstr(hd_error(absent), why),
                  "%s", hd_error(absent));
            hd_close(absent);
        }
    }
    const int code = check_finish();
    return code == 0 && !ran ? CHECK_SKIP : code;
}
