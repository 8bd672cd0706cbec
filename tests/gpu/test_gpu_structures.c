// SPDX-License-Identifier: Apache-2.0
//
// Maps and scans of structures by the GPU's kernels against the serial backend, byte for byte.
// Maps: structures of every alignment, odd numbers of words, some too large for shared memory;
// functions that change their parameters, that return one of them, with a state, with numbers and
// constants beside structures; results in place; views that begin anywhere, repeat one element, or
// have gaps. Scans: nodes of more than 32 bytes, in place, backward, at any address.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

HD_SOURCE(
    texts, typedef struct { unsigned char at[20]; } bytes; typedef struct { float at[5]; } few;
    typedef struct { float at[32]; } many; typedef struct {
        double x;
        float y;
        int32_t z;
    } mixed;
    typedef struct { double at[128]; } largest; typedef struct { unsigned short at[9]; } halves;
    typedef struct { float factor; } scale;)

// A running sum in its own parameter.
HD_FUNCTION(summed, many, texts, (many, x), {
    for (int k = 1; k < 32; k++) x.at[k] = x.at[k] + x.at[k - 1];
    return x;
})
// Both parameters change, and the second one's numbers are used afterwards.
HD_FUNCTION_STATE(crossed, many, texts, (many, a, few, b, int32_t, k), scale, {
    many r;
    for (int i = 0; i < 5; i++) b.at[i] = b.at[i] * state->factor;
    for (int i = 0; i < 32; i++) {
        a.at[i] = a.at[i] + (float)k;
        r.at[31 - i] = a.at[i] * b.at[i % 5];
    }
    return r;
})
HD_FUNCTION(picked, few, texts, (many, a, mixed, m), {
    few r;
    for (int i = 0; i < 5; i++) r.at[i] = a.at[(i + (m.z & 7)) & 31] + m.y;
    return r;
})
HD_FUNCTION(number, double, texts, (mixed, m, few, f), { return m.x * f.at[4] + m.z; })
HD_FUNCTION(turned, bytes, texts, (bytes, x), {
    for (int i = 0; i < 10; i++) {
        const unsigned char t = x.at[i];
        x.at[i] = x.at[19 - i];
        x.at[19 - i] = t;
    }
    return x;
})
HD_FUNCTION(made, mixed, texts, (double, x, float, y), {
    mixed m;
    m.x = x;
    m.y = y;
    m.z = 3;
    return m;
})
HD_FUNCTION(joined, largest, texts, (largest, a, largest, b, largest, c), {
    for (int i = 0; i < 128; i++) b.at[i] = a.at[127 - i] - b.at[i] * c.at[i];
    return b;
})
HD_FUNCTION(rotated, halves, texts, (halves, x), {
    const unsigned short first = x.at[0];
    for (int i = 0; i < 8; i++) x.at[i] = x.at[i + 1];
    x.at[8] = first;
    return x;
})

enum { MOST_INPUTS = 3 };

typedef struct way {
    const hd_function *f;
    hd_type in[MOST_INPUTS], out;
    hd_type of[MOST_INPUTS], of_out; // what they are filled and compared as
    bool in_place;
} way;

#define MANY  HD_TYPE(many)
#define FEW   HD_TYPE(few)
#define MIXED HD_TYPE(mixed)
#define LARGE HD_TYPE(largest)

static const way ways[] = {
    {summed, {MANY}, MANY, {HD_F32}, HD_F32, false},
    {summed, {MANY}, MANY, {HD_F32}, HD_F32, true},
    {crossed, {MANY, FEW, HD_I32}, MANY, {HD_F32, HD_F32, HD_I32}, HD_F32, false},
    {picked, {MANY, MIXED}, FEW, {HD_F32, HD_I32}, HD_F32, false},
    {number, {MIXED, FEW}, HD_F64, {HD_I16, HD_F32}, HD_F64, false},
    {turned, {HD_TYPE(bytes)}, HD_TYPE(bytes), {HD_U8}, HD_U8, true},
    {made, {HD_F64, HD_F32}, MIXED, {HD_F64, HD_F32}, HD_I32, false},
    {joined, {LARGE, LARGE, LARGE}, LARGE, {HD_F64, HD_F64, HD_F64}, HD_F64, false},
    {joined, {LARGE, LARGE, LARGE}, LARGE, {HD_F64, HD_F64, HD_F64}, HD_F64, true},
    {rotated, {HD_TYPE(halves)}, HD_TYPE(halves), {HD_U16}, HD_U16, false},
};

typedef enum shape { DENSE, SHIFTED, REPEATED, STRIDED, SHAPES } shape;
static const char *const shape_names[] = {"dense", "shifted", "repeated", "strided"};

static hd_context *ctx, *serial;
static const char *backend;

// n elements of a type in memory that has room for their gaps.
static hd_view view_of(hd_type type, char *data, int64_t n, shape s)
{
    hd_view v = HD_VIEW_OF(type, data, n);
    if (s == SHIFTED) v.data = data + hd_type_size(type);
    if (s == REPEATED) v.stride[0] = 0;
    if (s == STRIDED) v.stride[0] = 2;
    return v;
}

static size_t room(hd_type type, int64_t n)
{
    return hd_type_size(type) * (2 * (size_t)n + 2);
}

static char *filled(hd_type type, hd_type as, int64_t n, uint64_t seed)
{
    const size_t size = hd_type_size(as), count = room(type, n) / size;
    char *x = check_memory(count * size);
    check_fill(as, x, (int64_t)count, CHECK_ORDINARY, seed);
    return x;
}

static hd_status call(hd_context *c, const way *w, const hd_view *in, hd_view out)
{
    const scale s = {0.75f};
    hd_function f = w->f == crossed ? hd_with_state(w->f, &s, sizeof s) : *w->f;
    return hd_map(c, in[0], &f, out, &(hd_map_options){.with = {in + 1, f.inputs - 1}});
}

static void ask(const way *w, int64_t n, shape first, shape rest, shape to, uint64_t seed)
{
    hd_view in[MOST_INPUTS] = {0}, theirs[MOST_INPUTS] = {0};
    char *memory[2 * MOST_INPUTS] = {0};
    for (int k = 0; k < w->f->inputs; k++) {
        const shape s = k == 0 ? first : rest;
        for (int other = 0; other < 2; other++)
            memory[2 * k + other] = filled(w->in[k], w->of[k], n, seed + (uint64_t)k);
        in[k] = view_of(w->in[k], memory[2 * k], n, s);
        theirs[k] = view_of(w->in[k], memory[2 * k + 1], n, s);
    }
    char *got = filled(w->out, w->of_out, n, seed + 9);
    char *want = filled(w->out, w->of_out, n, seed + 9);
    const hd_view out = w->in_place ? in[0] : view_of(w->out, got, n, to);
    const hd_view wanted = w->in_place ? theirs[0] : view_of(w->out, want, n, to);
    CHECK_OK(serial, call(serial, w, theirs, wanted));
    CHECK_OK(ctx, call(ctx, w, in, out));
    const hd_type as = w->of_out;
    CHECK_SAME(as, w->in_place ? memory[0] : got, w->in_place ? memory[1] : want,
               (int64_t)(room(w->out, n) / hd_type_size(as)),
               "row %d, %" PRId64 " elements, %s, %s, into %s, on %s", (int)(w - ways), n,
               shape_names[first], shape_names[rest], shape_names[to], backend);
    for (int k = 0; k < 2 * MOST_INPUTS; k++) free(memory[k]);
    free(got), free(want);
}

// ---- Scans of wide nodes ------------------------------------------------------------------------

// Not even associative: every combination of the one tree shows.
#define TWISTED(name, real, count)                                                                 \
    HD_SOURCE(                                                                                     \
        name##_text, typedef struct { real at[count]; } name;)                                     \
    HD_OPERATOR(name##_twisted, name, name##_text, HD_ASSOCIATIVE, {                               \
        name r;                                                                                    \
        for (int i = 0; i < count; i++) r.at[i] = (real)(a.at[(i + 1) % count] - b.at[i] / 2);     \
        return r;                                                                                  \
    })

TWISTED(words_9, uint32_t, 9)
TWISTED(bytes_33, unsigned char, 33)
TWISTED(floats_11, float, 11)
TWISTED(doubles_11, double, 11)
TWISTED(doubles_30, double, 30)
TWISTED(doubles_90, double, 90)

static void scan(hd_type type, hd_type as, const hd_operator *op, int64_t n, int how, uint64_t seed)
{
    char *x = filled(type, as, n, seed), *y = filled(type, as, n, seed);
    char *got = filled(type, as, n, seed + 1), *want = filled(type, as, n, seed + 1);
    const bool in_place = how & 1;
    const int64_t at = (how & 8) != 0;
    const hd_scan_options o = {.exclusive = (how & 2) != 0 && op->identity != NULL,
                               .backward = (how & 4) != 0};
    hd_view a = HD_VIEW_OF(type, x, n), b = HD_VIEW_OF(type, got, n);
    hd_view c = HD_VIEW_OF(type, y, n), d = HD_VIEW_OF(type, want, n);
    hd_view *const views[] = {&a, &b, &c, &d};
    for (int k = 0; k < 4; k++) views[k]->data = (char *)views[k]->data + at * hd_type_size(type);
    CHECK_OK(serial, hd_scan(serial, c, op, in_place ? c : d, &o));
    CHECK_OK(ctx, hd_scan(ctx, a, op, in_place ? a : b, &o));
    CHECK_SAME(as, in_place ? x : got, in_place ? y : want,
               (int64_t)(room(type, n) / hd_type_size(as)), "%s, %" PRId64 " elements, %d, on %s",
               op->name, n, how, backend);
    free(x), free(y), free(got), free(want);
}

static void test_scans(uint64_t *r, size_t most)
{
    static const struct {
        hd_type type, as;
        const hd_operator *op;
    } rows[] = {{HD_TYPE(words_9), HD_U32, words_9_twisted},
                {HD_TYPE(bytes_33), HD_U8, bytes_33_twisted},
                {HD_TYPE(floats_11), HD_F32, floats_11_twisted},
                {HD_TYPE(doubles_11), HD_F64, doubles_11_twisted},
                {HD_TYPE(doubles_30), HD_F64, doubles_30_twisted},
                {HD_TYPE(doubles_90), HD_F64, doubles_90_twisted}};
    static const int64_t sizes[] = {1, 7, 8, 9, 255, 256, 257, 1023, 1025, 2600};
    for (size_t k = 0; k < sizeof rows / sizeof *rows && k < most; k++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++)
            scan(rows[k].type, rows[k].as, rows[k].op, sizes[j], (int)(check_next(r) % 16),
                 check_next(r));
}

static void test_backend(hd_backend which)
{
    static const int64_t sizes[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 129, 257, 700};
    const char *asked = getenv("HEDDLE_TEST_CASES"); // fewer: kernels that are compiled
    const int cases = asked != NULL ? atoi(asked) : check_small() ? 2 : 6;
    backend = hd_backend_name(which);
    uint64_t r = check_seed() + (uint64_t)which;
    for (int staged = 0; staged < 3 && staged < cases; staged++) {
        setenv("HEDDLE_TUNE",
               staged == 0   ? "map_structure_threads=64 map_structure_bytes=1"
               : staged == 1 ? "map_structure_threads=256 map_structure_bytes=1"
                             : "map_structure_threads=0",
               1);
        ctx = check_open(which, 2, NULL);
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
            for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
                ask(&ways[k], sizes[j], DENSE, DENSE, DENSE, check_next(&r));
                if (staged > 0 || ways[k].in_place || j % 4 != 3 || cases < 2) continue;
                for (int s = 1; s < SHAPES; s++)
                    ask(&ways[k], sizes[j], (shape)(s % 3), (shape)s,
                        s == REPEATED ? SHIFTED : (shape)s, check_next(&r));
            }
        if (staged == 0) test_scans(&r, (size_t)cases);
        hd_close(ctx);
    }
    unsetenv("HEDDLE_TUNE");
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
