// SPDX-License-Identifier: Apache-2.0
//
// hd_unique, hd_run_lengths and hd_expand: every backend, thread count and instruction set, every
// type, sizes, layouts, run lengths from 1 to all, in place; against plain loops written here. What
// run lengths take apart, expand puts together. Errors: each with its status and a text that names
// the thing.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

typedef struct triple {
    uint8_t v[12];
} triple;

static const check_target *targets;
static int target_count;

// ---- The reference ------------------------------------------------------------------------------

// The value of a float of any width, as a double. (The 16-bit ones by their definition.)
static double float_value(hd_type type, const void *x)
{
    uint16_t h;
    float f;
    double d;
    memcpy(&h, x, 2);
    switch (type) {
    case HD_F32: memcpy(&f, x, 4); return f;
    case HD_F64: memcpy(&d, x, 8); return d;
    default: break;
    }
    const int bits = type == HD_F16 ? 10 : 7, bias = type == HD_F16 ? 15 : 127;
    const int e = (h & 0x7fff) >> bits, m = h & ((1 << bits) - 1);
    if (e == 2 * bias + 1) return m ? NAN : h >> 15 ? -INFINITY : INFINITY;
    const double value = ldexp(e ? (1 << bits) + m : m, (e ? e : 1) - bias - bits);
    return h >> 15 ? -value : value;
}

static bool equal(hd_type type, const unsigned char *a, const unsigned char *b)
{
    if (check_is_float(type)) return float_value(type, a) == float_value(type, b);
    if (type == HD_BOOL) return (*a != 0) == (*b != 0);
    return memcmp(a, b, hd_type_size(type)) == 0;
}

// ---- Runs ---------------------------------------------------------------------------------------

typedef struct question {
    hd_type type, length_type;
    int64_t n;
    int mean; // of the lengths
    bool in_place;
    check_layout in_layout, out_layout;
} question;

// A few values again and again, with runs of random lengths; among floats both zeros and NaN.
static void fill(const question *q, unsigned char *x, uint64_t *state)
{
    const size_t size = hd_type_size(q->type);
    unsigned char pool[8 * 16];
    check_fill(HD_U8, pool, sizeof pool, CHECK_ORDINARY, check_next(state));
    if (q->type >> 8 == 0) check_fill(q->type, pool, 8, CHECK_TIES, check_next(state));
    if (check_is_float(q->type)) memset(pool + size, 0xff, size); // a NaN
    for (int64_t i = 0, k = 0; i < q->n; i++) {
        if (check_below(state, q->mean) == 0) k = check_below(state, 8);
        memcpy(x + (size_t)i * size, pool + (size_t)k * size, size);
    }
}

static int64_t read_integer(hd_view v, int64_t k)
{
    const void *at = check_element(v, k);
    switch (v.type) {
    case HD_I64:
    case HD_U64: return *(const int64_t *)at;
    case HD_I32: return *(const int32_t *)at;
    default: return *(const uint32_t *)at;
    }
}

typedef struct arrays {
    check_array in, out, lengths, indices, back;
    unsigned char *x, *want, *got;
    int64_t *begins, runs; // begins[runs] = n
} arrays;

static void check_values(const question *q, const arrays *a, const check_array *out, int64_t count,
                         const char *what, const char *name)
{
    const size_t size = hd_type_size(q->type);
    CHECK(count == a->runs, "%s: %" PRId64 " runs of %" PRId64 " %s, not %" PRId64 " on %s", what,
          count, q->n, hd_type_name(q->type), a->runs, name);
    check_get(out, a->got);
    CHECK(memcmp(a->got, a->want, (size_t)a->runs * size) == 0,
          "%s of %" PRId64 " %s, mean %d, %s to %s%s on %s", what, q->n, hd_type_name(q->type),
          q->mean, check_layout_name(q->in_layout), check_layout_name(q->out_layout),
          q->in_place ? " in place" : "", name);
    CHECK(check_gaps(out), "%s wrote between elements on %s", what, name);
    for (size_t b = (size_t)a->runs * size; !q->in_place && b < (size_t)q->n * size; b++)
        if (a->got[b] != CHECK_FILLER) {
            CHECK(false, "%s wrote too much on %s", what, name);
            break;
        }
}

static void ask(const question *q, const check_target *t, arrays *a)
{
    const check_array *out = q->in_place ? &a->in : &a->out;
    int64_t count = -1;
    check_put(&a->in, a->x);
    memset(a->out.storage, CHECK_FILLER, a->out.storage_bytes);
    CHECK_OK(t->ctx, hd_unique(t->ctx, a->in.view, out->view, HD_VIEW(&count, 1),
                               &(hd_unique_options){.indices = HD_REF(a->indices.view)}));
    check_values(q, a, out, count, "unique", t->name);
    for (int64_t j = 0; j < a->runs; j++)
        if (read_integer(a->indices.view, j) != a->begins[j]) {
            CHECK(false, "unique: index %" PRId64 " on %s", j, t->name);
            break;
        }
    check_put(&a->in, a->x);
    memset(a->out.storage, CHECK_FILLER, a->out.storage_bytes);
    memset(a->indices.storage, CHECK_FILLER, a->indices.storage_bytes);
    CHECK_OK(t->ctx,
             hd_run_lengths(t->ctx, a->in.view, out->view, a->lengths.view, HD_VIEW(&count, 1),
                            &(hd_run_lengths_options){.indices = HD_REF(a->indices.view)}));
    check_values(q, a, out, count, "run lengths", t->name);
    for (int64_t j = 0; j < a->runs; j++)
        if (read_integer(a->indices.view, j) != a->begins[j] ||
            read_integer(a->lengths.view, j) != a->begins[j + 1] - a->begins[j]) {
            CHECK(false, "run %" PRId64 " of %" PRId64 " of %" PRId64 " %s on %s", j, a->runs, q->n,
                  hd_type_name(q->type), t->name);
            break;
        }
    CHECK(check_gaps(&a->lengths), "run lengths wrote between lengths on %s", t->name);
    if (a->out.view.ndim != 1 || a->lengths.view.ndim != 1 || q->in_place) return;
    // and back
    memset(a->back.storage, CHECK_FILLER, a->back.storage_bytes);
    const hd_view values = hd_slice(a->out.view, 0, 0, a->runs, 1),
                  lengths = hd_slice(a->lengths.view, 0, 0, a->runs, 1);
    CHECK_OK(t->ctx, hd_expand(t->ctx, values, lengths, a->back.view, HD_VIEW(&count, 1), NULL));
    CHECK(count == q->n, "expand gives %" PRId64 " of %" PRId64 " on %s", count, q->n, t->name);
    check_get(&a->back, a->got);
    const size_t size = hd_type_size(q->type);
    for (int64_t j = 0, i = 0; j < a->runs; j++)
        for (; i < a->begins[j + 1]; i++)
            if (memcmp(a->got + (size_t)i * size, a->want + (size_t)j * size, size) != 0) {
                CHECK(false,
                      "expand of %" PRId64 " runs of %s: element %" PRId64 " of %" PRId64 " on %s",
                      a->runs, hd_type_name(q->type), i, q->n, t->name);
                return;
            }
}

static void try(question q, uint64_t seed, int one_target)
{
    const size_t n = (size_t)q.n, size = hd_type_size(q.type);
    uint64_t state = seed;
    if (q.in_place) q.out_layout = q.in_layout;
    arrays a = {.in = check_new(q.type, q.n, q.in_layout, seed & 1),
                .out = check_new(q.type, q.n, q.out_layout, seed & 2),
                .lengths = check_new(q.length_type, q.n, q.out_layout, seed & 4),
                .indices = check_new(q.length_type, q.n, q.out_layout, seed & 8),
                .back = check_new(q.type, q.n, q.in_layout, seed & 16),
                .x = check_memory(n * size),
                .want = check_memory(n * size),
                .got = check_memory(n * size),
                .begins = check_memory((n + 1) * sizeof(int64_t))};
    fill(&q, a.x, &state);
    for (int64_t i = 0; i < q.n; i++) {
        const unsigned char *x = a.x + (size_t)i * size;
        if (i > 0 && equal(q.type, x - size, x)) continue;
        memcpy(a.want + (size_t)a.runs * size, x, size);
        a.begins[a.runs++] = i;
    }
    a.begins[a.runs] = q.n;
    for (int t = 0; t < target_count; t++)
        if (one_target < 0 || t == 0 || t == 1 + one_target % (target_count - 1))
            ask(&q, &targets[t], &a);
    check_array *const made[] = {&a.in, &a.out, &a.lengths, &a.indices, &a.back};
    for (int k = 0; k < 5; k++) check_drop(made[k]);
    free(a.x), free(a.want), free(a.got), free(a.begins);
}

static const hd_type length_types[] = {HD_I64, HD_U32, HD_I32, HD_U64};
static const int means[] = {2, 64, 1, 5, 1000};

static void test_type(hd_type type)
{
    static int turn;
    const int64_t limit = check_small() ? 1025 : 4097;
    for (int k = 0; check_size(k, limit) >= 0; k++, turn++) {
        question q = {.type = type, .n = check_size(k, limit), .mean = means[turn % 5]};
        q.length_type = length_types[turn % 4];
        q.in_place = turn % 3 == 1;
        q.in_layout = (check_layout)(turn % CHECK_LAYOUTS);
        q.out_layout = (check_layout)(turn / 2 % CHECK_LAYOUTS);
        try(q, check_seed() + (uint64_t)turn, q.n <= 257 ? -1 : turn);
        q.in_layout = q.out_layout = CHECK_DENSE;
        q.in_place = turn % 3 == 2;
        try(q, check_seed() + (uint64_t)turn, turn + 3);
    }
}

static void test_threads(void)
{
    static const hd_type types[] = {HD_I32, HD_F32, HD_U8, HD_F64, HD_BF16, HD_STRUCT(triple)};
    const int ways = check_small() ? 1 : 5;
    for (int k = 0; k < 6; k++)
        for (int way = 0; way < ways; way++) {
            question q = {
                .type = types[k], .length_type = HD_I32, .n = check_small() ? 33001 : 200003 + k};
            q.mean = way == 4 ? 100000 : means[(way + k) % 5];
            q.in_place = (way + k) % 3 == 1;
            try(q, check_seed() + (uint64_t)(way + k), -1);
        }
}

// ---- Expand -------------------------------------------------------------------------------------

// Lengths of a kind that runs do not have: zeros, one that is nearly all; every integer type.
static void test_expand(const check_target *t, hd_type type, hd_type length_type, int way)
{
    enum { M = 3001 };
    static unsigned char values[M * 12], raw[M * 8], *out;
    const size_t size = hd_type_size(type), length_size = hd_type_size(length_type);
    const int64_t largest = length_size == 1 ? 100 : way % 2 ? 30000 : 3;
    int64_t total = 0, count = 0;
    uint64_t state = check_seed() + (uint64_t)way;
    memset(raw, 0, sizeof raw);
    for (int j = 0; j < M; j++) {
        const int64_t length = j == 1000 ? largest : check_below(&state, way % 3 ? 4 : 2);
        memcpy(raw + (size_t)j * length_size, &length, length_size); // little-endian
        total += length;
    }
    for (size_t b = 0; b < sizeof values; b++) values[b] = (unsigned char)check_next(&state);
    out = check_memory((size_t)(total + 1) * size);
    memset(out, CHECK_FILLER, (size_t)(total + 1) * size);
    CHECK_OK(t->ctx, hd_expand(t->ctx, HD_VIEW_OF(type, values, M), HD_VIEW_OF(length_type, raw, M),
                               HD_VIEW_OF(type, out, total), HD_VIEW(&count, 1), NULL));
    CHECK(count == total, "count %" PRId64 " of %" PRId64 " on %s", count, total, t->name);
    int64_t at = 0;
    bool right = true;
    for (int j = 0; j < M; j++) {
        int64_t length = 0;
        memcpy(&length, raw + (size_t)j * length_size, length_size);
        for (; length > 0; length--, at++)
            right = right && memcmp(out + (size_t)at * size, values + (size_t)j * size, size) == 0;
    }
    CHECK(right && out[(size_t)total * size] == CHECK_FILLER, "expand %s by %s on %s",
          hd_type_name(type), hd_type_name(length_type), t->name);
    free(out);
}

static void test_sources(const check_target *t)
{
    const int32_t lengths[] = {2, 0, 3, 1};
    static const int64_t want[] = {0, 0, 2, 2, 2, 3};
    int64_t got[6], count;
    CHECK_OK(t->ctx, hd_expand(t->ctx, hd_iota(4), HD_VIEW(lengths, 4), HD_VIEW(got, 6),
                               HD_VIEW(&count, 1), NULL));
    CHECK(count == 6 && memcmp(got, want, sizeof want) == 0, "sources on %s", t->name);
}

// ---- Errors -------------------------------------------------------------------------------------

static hd_context *ctx;
static const char *where;

static void expect(int line, hd_status expected, hd_status got, const char *word)
{
    if (got != expected)
        check_failed(__FILE__, line, "status", "%s instead of %s on %s: %s", hd_status_name(got),
                     hd_status_name(expected), where, hd_error(ctx));
    if (got != HD_OK && !strstr(hd_error(ctx), word))
        check_failed(__FILE__, line, "text", "no '%s' in '%s' on %s", word, hd_error(ctx), where);
}

static void test_run_errors(void)
{
    int32_t x[300], y[300];
    int64_t count = 0, lengths[300];
    int8_t narrow[300];
    for (int i = 0; i < 300; i++) x[i] = i / 2, y[i] = -1;
    const hd_view v = HD_VIEW(x, 300), w = HD_VIEW(y, 300), l = HD_VIEW(lengths, 300);
#define UNIQUE(status, word, in, out, count, ...)                                                  \
    expect(                                                                                        \
        __LINE__, status,                                                                          \
        hd_unique(ctx, in, out, hd_view_of(HD_I64, count, 1), &(hd_unique_options){__VA_ARGS__}),  \
        word)
#define RUNS(status, word, in, values, lengths, count)                                             \
    expect(__LINE__, status,                                                                       \
           hd_run_lengths(ctx, in, values, lengths, hd_view_of(HD_I64, count, 1), NULL), word)
    UNIQUE(HD_ERROR_ARGUMENT, "count", v, w, NULL, .indices = NULL);
    UNIQUE(HD_ERROR_TYPE, "out", v, l, &count, .indices = NULL);
    UNIQUE(HD_ERROR_ALIAS, "out", v, HD_VIEW(x + 1, 200), &count, .indices = NULL);
    UNIQUE(HD_ERROR_TYPE, "indices", v, w, &count, .indices = HD_REF(HD_VIEW(narrow, 300)));
    UNIQUE(HD_ERROR_SHAPE, "150 runs", v, HD_VIEW(y, 149), &count, .indices = NULL);
    CHECK(count == 150 && y[148] == 148 && y[149] == -1, "cut off on %s", where);
    UNIQUE(HD_OK, "", v, HD_EMPTY, &count, .indices = NULL);
    UNIQUE(HD_OK, "", HD_VIEW(x, 0), HD_EMPTY, &count, .indices = NULL);
    CHECK(count == 0, "nothing on %s", where);
    RUNS(HD_ERROR_ARGUMENT, "runs", v, w, l, NULL);
    RUNS(HD_ERROR_TYPE, "lengths", v, w, HD_VIEW_OF(HD_F32, lengths, 300), &count);
    RUNS(HD_ERROR_TYPE, "lengths", v, w, HD_VIEW(narrow, 300), &count);
    RUNS(HD_ERROR_TYPE, "values", v, HD_VIEW_OF(HD_U32, y, 300), l, &count);
    RUNS(HD_ERROR_ALIAS, "lengths", v, w, HD_VIEW_OF(HD_I32, y, 300), &count);
    RUNS(HD_ERROR_ALIAS, "lengths", v, w, HD_VIEW_OF(HD_I32, x, 300), &count);
    RUNS(HD_ERROR_SHAPE, "values has shape (149)", v, HD_VIEW(y, 149), l, &count);
    memset(lengths, 0, sizeof lengths);
    RUNS(HD_ERROR_SHAPE, "lengths has shape (149)", v, w, HD_VIEW(lengths, 149), &count);
    CHECK(count == 150 && lengths[148] == 2 && lengths[149] == 0, "lengths cut off on %s", where);
    RUNS(HD_OK, "", v, HD_EMPTY, HD_VIEW(lengths, 150), &count);
    RUNS(HD_ERROR_ARGUMENT, "in", HD_VIEW((float *)NULL, 4), HD_EMPTY, l, &count);
}

static void test_expand_errors(void)
{
    float v[5] = {1, 2, 3, 4, 5}, out[20];
    int32_t lengths[5] = {1, 2, 3, 0, 4};
    int64_t count = -1;
    uint64_t huge[5] = {1, (uint64_t)1 << 62, 1, 1, 1};
    memset(out, 0, sizeof out);
    const hd_view values = HD_VIEW(v, 5), l = HD_VIEW(lengths, 5), o = HD_VIEW(out, 20);
#define EXPAND(status, word, values, lengths, out, count)                                          \
    expect(__LINE__, status,                                                                       \
           hd_expand(ctx, values, lengths, out, hd_view_of(HD_I64, count, 1), NULL), word)
    EXPAND(HD_ERROR_ARGUMENT, "count", values, l, o, NULL);
    EXPAND(HD_ERROR_SHAPE, "lengths", values, HD_VIEW(lengths, 4), o, &count);
    EXPAND(HD_ERROR_TYPE, "lengths", values, HD_VIEW(v, 5), o, &count);
    EXPAND(HD_ERROR_TYPE, "out", values, l, HD_VIEW_OF(HD_I32, out, 20), &count);
    EXPAND(HD_ERROR_ALIAS, "values", values, l, HD_VIEW(v, 5), &count);
    EXPAND(HD_ERROR_ALIAS, "lengths", values, l, HD_VIEW_OF(HD_F32, lengths, 5), &count);
    EXPAND(HD_ERROR_SHAPE, "there are 10", values, l, HD_VIEW(out, 9), &count);
    CHECK(count == 10 && out[0] == 0, "too small on %s", where);
    lengths[3] = -2;
    EXPAND(HD_ERROR_VALUE, "length 3 is -2", values, l, o, &count);
    EXPAND(HD_ERROR_VALUE, "2^62", values, HD_VIEW(huge, 5), o, &count);
    huge[1] = UINT64_MAX;
    EXPAND(HD_ERROR_VALUE, "2^62", values, HD_VIEW(huge, 5), o, &count);
    huge[1] = (uint64_t)1 << 60;
    EXPAND(HD_ERROR_SHAPE, "out", values, HD_VIEW(huge, 5), o, &count);
    for (int j = 0; j < 5; j++) huge[j] = (uint64_t)1 << 52;
    EXPAND(HD_ERROR_SHAPE, "out", values, HD_VIEW(huge, 5), o, &count);
    EXPAND(HD_OK, "", HD_VIEW(v, 0), HD_VIEW(lengths, 0), o, &count);
    CHECK(count == 0, "nothing on %s", where);
}

// ---- Memory: every allocation fails once --------------------------------------------------------

typedef struct ledger {
    int left, alive;
} ledger;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    ledger *l = user;
    if (l->left-- == 0) return NULL;
    l->alive++;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t bytes)
{
    (void)bytes;
    ((ledger *)user)->alive--;
    free(memory);
}

static void test_memory(hd_backend backend, int32_t threads, int way)
{
    enum { N = 70000 };
    static float x[N], y[N];
    static int32_t lengths[N];
    hd_status status = HD_ERROR_MEMORY;
    for (int k = 0; status != HD_OK && k < 20; k++) {
        ledger l = {1000, 0};
        const hd_context_options o = {
            .backend = backend, .threads = threads, .allocator = {allocate, release, &l}};
        hd_context *c;
        int64_t count;
        CHECK(hd_open(&c, &o) == HD_OK, "open");
        l.left = k;
        for (int j = 0; j < N; j++) lengths[j] = 1;
        if (way == 0)
            status = hd_unique(c, HD_VIEW(x, N), HD_VIEW(y, N), HD_VIEW(&count, 1), NULL);
        else if (way == 1)
            status = hd_run_lengths(c, HD_VIEW(x, N), HD_VIEW(y, N), HD_VIEW(lengths, N),
                                    HD_VIEW(&count, 1), NULL);
        else
            status = hd_expand(c, HD_VIEW(x, N), HD_VIEW(lengths, N), HD_VIEW(y, N),
                               HD_VIEW(&count, 1), NULL);
        CHECK(status == HD_OK || status == HD_ERROR_MEMORY, "%s", hd_status_name(status));
        hd_close(c);
        CHECK(l.alive == 0, "%d blocks lost", l.alive);
    }
    CHECK(status == HD_OK, "never succeeded");
}

int main(void)
{
    target_count = check_targets(&targets);
    for (int t = 0; check_type(t); t++) test_type(check_type(t));
    test_type(HD_STRUCT(triple));
    test_threads();
    static const hd_type types[] = {HD_U8, HD_U16, HD_F32, HD_I64, HD_STRUCT(triple)};
    static const hd_type integers[] = {HD_I8,  HD_U8,  HD_I16, HD_U16,
                                       HD_I32, HD_U32, HD_I64, HD_U64};
    for (int t = 0; t < target_count; t++) {
        for (int k = 0; k < 8; k++)
            test_expand(&targets[t], types[(k + t) % 5], integers[k], k + t);
        test_sources(&targets[t]);
        ctx = targets[t].ctx, where = targets[t].name;
        test_run_errors();
        test_expand_errors();
    }
    for (int way = 0; way < 3; way++) {
        test_memory(HD_SERIAL, 1, way);
        test_memory(HD_CPU, 1, way);
        test_memory(HD_CPU, 3, way);
    }
    return check_finish();
}
