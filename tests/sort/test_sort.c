// SPDX-License-Identifier: Apache-2.0
//
// Sorting against qsort over (key, index): every backend, thread count and instruction set, every
// type of key, both directions, in place and not, several values of all sizes, rows, segments and
// indices; over sequences that sorts trip on. What is refused is in test_sort_errors.c.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

static const check_target *targets;
static int target_count;

// ---- The reference ----------------------------------------------------------------------------

typedef struct item {
    int rank; // 0 a number, 1 a NaN
    double real;
    uint64_t whole; // integers, moved so that they compare as unsigned
    int64_t index;
} item;

static int compare_up(const item *a, const item *b)
{
    if (a->rank || b->rank) return 0;
    if (a->real != b->real) return a->real < b->real ? -1 : 1;
    return a->whole < b->whole ? -1 : a->whole > b->whole;
}

static int by_key(const void *pa, const void *pb)
{
    const item *a = pa, *b = pb;
    if (a->rank != b->rank) return a->rank - b->rank;
    const int order = compare_up(a, b);
    return order ? order : a->index < b->index ? -1 : 1;
}

static int by_key_down(const void *pa, const void *pb)
{
    const item *a = pa, *b = pb;
    if (a->rank != b->rank) return a->rank - b->rank;
    const int order = compare_up(b, a);
    return order ? order : a->index < b->index ? -1 : 1;
}

static item item_of(hd_type type, const void *keys, int64_t i)
{
    const char *key = (const char *)keys + (size_t)i * hd_type_size(type);
    item it = {0, 0, 0, i};
    if (check_is_float(type)) {
        it.real = ref_to_double(type, key);
        it.rank = it.real != it.real;
        it.whole = it.real == 0 && !signbit(it.real); // +0 after -0
    } else if (type == HD_BOOL) {
        it.whole = *key != 0;
    } else {
        it.whole = ref_to_whole(type, key) ^ (check_is_signed(type) ? 1ull << 63 : 0);
    }
    return it;
}

// order[i] = the index of the i-th of the keys low .. high - 1.
static void ref_order(hd_type type, const void *keys, int64_t low, int64_t high, bool descending,
                      int64_t *order)
{
    const int64_t n = high - low;
    if (n <= 0) return;
    item *items = check_memory((size_t)n * sizeof *items);
    for (int64_t i = 0; i < n; i++) items[i] = item_of(type, keys, low + i);
    qsort(items, (size_t)n, sizeof *items, descending ? by_key_down : by_key);
    for (int64_t i = 0; i < n; i++) order[low + i] = items[i].index;
    free(items);
}

static void ref_move(size_t size, const void *in, const int64_t *order, int64_t n, void *out)
{
    for (int64_t i = 0; i < n; i++)
        memcpy((char *)out + (size_t)i * size, (const char *)in + (size_t)order[i] * size, size);
}

// ---- Sequences --------------------------------------------------------------------------------

typedef enum sequence {
    RANDOM,
    SORTED,
    REVERSED,
    EQUAL,
    FEW,        // a handful of values
    SPECIALS,   // NaN of all kinds, infinities, zeros
    ORGAN,      // up, then down
    ZIPF,       // small numbers far more often than large ones
    NARROW,     // integers of a small range
    LAST_WRONG, // sorted but for the last
    DOMINANT,   // one value nearly everywhere
    SPREAD,     // floats of all exponents
    CLUSTERS,   // some eight keys each are near each other
    LURE,       // 16 random keys among 1024 that are nearly the same
    SEQUENCES
} sequence;

static const char *const sequence_names[] = {
    "random",   "sorted", "reversed", "equal",  "few",
    "specials", "organ",  "zipf",     "narrow", "sorted but for the last",
    "dominant", "spread", "clusters", "lure"};

static void put_number(hd_type type, void *to, uint64_t v)
{
    const float f = (float)v;
    const double d = (double)v;
    const uint16_t half = check_is_float(type) && hd_type_size(type) == 2 ? ref_narrow(type, d) : 0;
    const uint8_t truth = v & 1;
    if (type == HD_F32)
        memcpy(to, &f, 4);
    else if (type == HD_F64)
        memcpy(to, &d, 8);
    else if (type == HD_F16 || type == HD_BF16)
        memcpy(to, &half, 2);
    else if (type == HD_BOOL)
        memcpy(to, &truth, 1);
    else
        memcpy(to, &v, hd_type_size(type)); // little endian, as every machine we run on
}

static void put_nan(hd_type type, void *to, uint64_t bits)
{
    const uint64_t sign = bits & 1, payload = bits >> 1 & 0x3f;
    const uint64_t nan64 = sign << 63 | 0x7ff0000000000001u | payload << 30;
    const uint32_t nan32 = (uint32_t)(sign << 31 | 0x7f800001u | payload << 10);
    const uint16_t nan16 =
        (uint16_t)(sign << 15 | (type == HD_F16 ? 0x7c01 : 0x7f81) | (payload & 0x3f));
    memcpy(to,
           type == HD_F64   ? (const void *)&nan64
           : type == HD_F32 ? (const void *)&nan32
                            : &nan16,
           hd_type_size(type));
}

static void rearrange(hd_type type, void *keys, int64_t n, sequence s)
{
    const size_t size = hd_type_size(type);
    int64_t *order = check_memory(8 * (size_t)n + 8);
    char *copy = check_memory(size * (size_t)n + 8);
    memcpy(copy, keys, size * (size_t)n);
    ref_order(type, copy, 0, n, s == REVERSED, order);
    if (s == ORGAN) {
        int64_t *organ = check_memory(8 * (size_t)n + 8);
        for (int64_t i = 0, j = 0; i < n; i += 2, j++) {
            organ[j] = order[i];
            if (i + 1 < n) organ[n - 1 - j] = order[i + 1];
        }
        memcpy(order, organ, 8 * (size_t)n);
        free(organ);
    }
    if (s == LAST_WRONG && n > 1) {
        const int64_t last = order[n - 1];
        order[n - 1] = order[0], order[0] = last;
    }
    ref_move(size, copy, order, n, keys);
    free(order);
    free(copy);
}

static void fill(hd_type type, void *keys, int64_t n, sequence s, uint64_t seed)
{
    const size_t size = hd_type_size(type);
    uint64_t state = seed;
    char *k = keys;
    check_fill(type, keys, n,
               s == FEW      ? CHECK_TIES
               : s == SPREAD ? CHECK_WIDE
                             : CHECK_ORDINARY,
               seed);
    if (s == EQUAL || s == DOMINANT)
        for (int64_t i = 1; i < n; i++)
            if (s == EQUAL || check_below(&state, 50)) memcpy(k + (size_t)i * size, k, size);
    if (s == ZIPF || s == NARROW)
        for (int64_t i = 0; i < n; i++) {
            const uint64_t range = s == NARROW ? 100 : 1 + (uint64_t)check_below(&state, 1 << 20);
            put_number(type, k + (size_t)i * size, (1u << 20) / range);
            if (s == NARROW)
                put_number(type, k + (size_t)i * size, 77 + (uint64_t)check_below(&state, 100));
        }
    if (s == CLUSTERS || s == LURE)
        for (int64_t i = 0; i < n; i++) {
            uint64_t centre = (uint64_t)check_below(&state, (int)(n / 8) + 1);
            if (s == LURE) centre = i % 1024 < 16 ? check_next(&state) : 0;
            const uint64_t near = (uint64_t)check_below(&state, 256);
            put_number(type, k + (size_t)i * size, centre * 2654435761u % (1u << 20) << 10 | near);
        }
    if (s == SPECIALS && check_is_float(type)) {
        check_fill(type, keys, n, CHECK_SPECIAL, seed);
        for (int64_t i = 0; i < n; i++) {
            const uint64_t bits = check_next(&state);
            if (bits % 5 == 0) put_nan(type, k + (size_t)i * size, bits >> 8);
            if (bits % 5 == 1) check_fill(type, k + (size_t)i * size, 1, CHECK_ZEROS, bits);
        }
    }
    if (s == SORTED || s == REVERSED || s == ORGAN || s == LAST_WRONG) rearrange(type, keys, n, s);
    if (type == HD_BOOL) // any byte but 0 is true
        for (int64_t i = 0; i < n; i++) k[i] = k[i] ? (char)(1 + check_below(&state, 3)) : 0;
}

// ---- One question -----------------------------------------------------------------------------

enum { MAX_VALUES = 3 };

typedef struct question {
    hd_type type;
    int64_t n;
    sequence sequence;
    bool descending, in_place, segmented, no_keys;
    int64_t rows; // 0: everything; else that many along the last axis
    int values;
    hd_type value[MAX_VALUES];
    check_layout layout;
} question;

static const char *describe(const question *q)
{
    static char text[300];
    snprintf(text, sizeof text,
             "%" PRId64 " %s, %s%s%s%s, %" PRId64 " rows, %s, %d values of %zu %zu %zu bytes", q->n,
             hd_type_name(q->type), sequence_names[q->sequence],
             q->descending ? ", descending" : "", q->in_place ? ", in place" : "",
             q->segmented ? ", segmented" : "", q->rows, check_layout_name(q->layout), q->values,
             hd_type_size(q->value[0]), hd_type_size(q->value[1]), hd_type_size(q->value[2]));
    return text;
}

typedef struct column {
    hd_type type;
    check_array in, out;
    void *dense, *want;
} column;

static check_array make(const question *q, hd_type type, bool front)
{
    if (q->rows == 0) return check_new(type, q->n, q->layout, front);
    const int64_t shape[] = {q->rows, q->n / q->rows};
    const int64_t turned[] = {2, 2 * q->rows + 1};
    return check_new_nd(type, 2, shape, q->layout == CHECK_DENSE ? NULL : turned, front);
}

static void column_begin(const question *q, column *c, hd_type type, uint64_t seed)
{
    const size_t bytes = hd_type_size(type) * (size_t)q->n + 16;
    *c = (column){type, make(q, type, seed & 1), make(q, type, seed & 2), check_memory(bytes),
                  check_memory(bytes)};
}

static void column_end(column *c)
{
    check_drop(&c->in);
    check_drop(&c->out);
    free(c->dense);
    free(c->want);
}

static void column_check(const question *q, const column *c, const check_array *got,
                         const char *what, const char *where, void *room)
{
    const size_t bytes = hd_type_size(c->type) * (size_t)q->n;
    check_get(got, room);
    int64_t at = 0;
    while (at < (int64_t)bytes && ((char *)room)[at] == ((const char *)c->want)[at]) at++;
    CHECK(at == (int64_t)bytes, "%s differ at %" PRId64 ": %s on %s", what,
          at / (int64_t)hd_type_size(c->type), describe(q), where);
    CHECK(check_gaps(got), "%s written between elements: %s on %s", what, describe(q), where);
}

static void ask(const question *q, const check_target *t, column *c, const hd_sort_options *o,
                void *room)
{
    hd_view views[2 * MAX_VALUES];
    for (int k = 0; k <= q->values; k++) {
        check_put(&c[k].in, c[k].dense);
        if (k == 0) continue;
        views[2 * k - 2] = c[k].in.view;
        views[2 * k - 1] = q->in_place ? c[k].in.view : c[k].out.view;
    }
    const hd_view out = q->no_keys ? (hd_view){0} : q->in_place ? c[0].in.view : c[0].out.view;
    CHECK_OK(t->ctx, hd_sort(t->ctx, c[0].in.view, out, (hd_views){views, 2 * q->values}, o));
    for (int k = q->no_keys; k <= q->values; k++)
        column_check(q, &c[k], q->in_place ? &c[k].in : &c[k].out, k ? "values" : "keys", t->name,
                     room);
}

static void ask_indices(const question *q, const check_target *t, const column *keys,
                        column *indices, const hd_sort_options *o, void *room)
{
    check_put(&keys->in, keys->dense);
    hd_sort_options with = *o;
    with.indices = &indices->out.view;
    CHECK_OK(t->ctx, hd_sort(t->ctx, keys->in.view, HD_EMPTY, HD_NO_VALUES, &with));
    column_check(q, indices, &indices->out, "indices", t->name, room);
}

static void want_indices(const question *q, column *c, const int64_t *order)
{
    const int64_t length = q->rows ? q->n / q->rows : q->n;
    for (int64_t i = 0; i < q->n; i++) {
        const int64_t v = order[i] - i / length * length;
        memcpy((char *)c->want + (size_t)i * hd_type_size(c->type), &v, hd_type_size(c->type));
    }
}

// Which targets answer: all, every third of the parallel ones, or the serial one and one other.
enum { ALL_TARGETS = -1, EVERY_THIRD = -2 };

static bool answers(int t, int one_target)
{
    if (one_target == EVERY_THIRD) return t % 3 == 1;
    return one_target < 0 || t == 0 || t == 1 + one_target % (target_count - 1);
}

static void try(const question *q, uint64_t seed, int one_target)
{
    uint64_t state = seed;
    column c[1 + MAX_VALUES], indices;
    static const hd_type index_types[] = {HD_I64, HD_U32, HD_I32, HD_U64};
    int64_t *order = check_memory(8 * (size_t)q->n + 8);
    int64_t *offsets = check_memory(8 * (size_t)q->n + 800), count = 0;
    void *room = check_memory(64 * (size_t)q->n + 64);
    for (int64_t i = 0; i < q->n; i++) order[i] = i;
    for (int k = 0; k <= q->values; k++)
        column_begin(q, &c[k], k ? q->value[k - 1] : q->type, seed + (uint64_t)k);
    column_begin(q, &indices, index_types[seed % 4], seed);
    fill(q->type, c[0].dense, q->n, q->sequence, seed);
    for (int k = 1; k <= q->values; k++) // random bytes
        for (size_t i = 0; i < hd_type_size(c[k].type) * (size_t)q->n; i++)
            ((char *)c[k].dense)[i] = (char)check_next(&state);
    hd_sort_options options = {.descending = q->descending};
    hd_view segments;
    if (q->segmented) {
        count = check_offsets(q->n, q->n / 2 + 2, &state, offsets);
        segments = HD_VIEW(offsets, count), options.segments = &segments;
        for (int64_t j = 0; j + 1 < count; j++)
            ref_order(q->type, c[0].dense, offsets[j], offsets[j + 1], q->descending, order);
    } else {
        const int64_t rows = q->rows ? q->rows : 1;
        if (q->rows) options.axis = HD_AXIS(-1);
        for (int64_t r = 0; r < rows; r++)
            ref_order(q->type, c[0].dense, q->n / rows * r, q->n / rows * (r + 1), q->descending,
                      order);
    }
    for (int k = 0; k <= q->values; k++)
        ref_move(hd_type_size(c[k].type), c[k].dense, order, q->n, c[k].want);
    if (q->type == HD_BOOL)
        for (int64_t i = 0; i < q->n; i++) ((char *)c[0].want)[i] = ((char *)c[0].want)[i] != 0;
    want_indices(q, &indices, order);
    for (int t = 0; t < target_count; t++)
        if (answers(t, one_target)) {
            ask(q, &targets[t], c, &options, room);
            if (seed % 3 == 0) ask_indices(q, &targets[t], &c[0], &indices, &options, room);
        }
    for (int k = 0; k <= q->values; k++) column_end(&c[k]);
    column_end(&indices);
    free(order);
    free(offsets);
    free(room);
}

// ---- Tests ------------------------------------------------------------------------------------

typedef struct twelve {
    char bytes[12];
} twelve;
typedef struct big {
    char bytes[40];
} big;

static const hd_type value_types[] = {HD_U32, HD_F64,         HD_U8, HD_I16, HD_STRUCT(twelve),
                                      HD_F32, HD_STRUCT(big), HD_I64};

static question question_of(hd_type type, int64_t n, int turn)
{
    question q = {.type = type, .n = n, .sequence = (sequence)(turn % SEQUENCES)};
    q.descending = turn / 2 % 2;
    q.in_place = turn / 3 % 3 == 1;
    q.segmented = turn % 7 == 5;
    q.values = turn % 5 == 4 ? 2 + turn / 5 % 2 : turn % 5 == 2 || turn % 5 == 3;
    q.no_keys = q.values > 0 && turn % 11 == 0;
    for (int k = 0; k < q.values; k++) q.value[k] = value_types[(turn / 5 + 3 * k) % 8];
    q.layout =
        turn % 6 == 1 && !q.segmented ? (check_layout)(turn / 6 % CHECK_LAYOUTS) : CHECK_DENSE;
    if (q.segmented && q.layout > CHECK_REVERSED) q.layout = CHECK_DENSE;
    return q;
}

static void test_sizes(hd_type type)
{
    static int turn;
    const int64_t limit = check_small() ? 1025 : 4099;
    for (int k = 0; check_size(k, limit) >= 0; k++, turn++) {
        const question q = question_of(type, check_size(k, limit), turn);
        try(&q, check_seed() + (uint64_t)turn,
            q.n <= (check_small() ? 65 : 257) ? ALL_TARGETS : turn);
    }
}

// Every sequence, at a size of several blocks and threads.
static void test_sequences(hd_type type)
{
    static int turn = 3;
    const int64_t sizes[] = {20011, 70001};
    for (int s = 0; s < SEQUENCES; s++, turn += 5) {
        question q = question_of(type, check_small() ? 5003 : sizes[s % 2], turn);
        q.sequence = (sequence)s;
        try(&q, check_seed() + (uint64_t)turn, turn);
        q.values = turn % 2;
        q.value[0] = value_types[turn / 2 % 2];
        q.segmented = q.no_keys = false;
        q.descending = !q.descending;
        q.layout = CHECK_DENSE;
        try(&q, check_seed() + (uint64_t)turn + 1, turn + 1);
    }
}

static void test_rows(hd_type type)
{
    static int turn = 1;
    static const int64_t shapes[][2] = {{1, 7}, {300, 1}, {33, 100}, {100, 33}, {4, 5000}, {0, 3}};
    for (int k = 0; k < 6; k++, turn += 3) {
        question q = question_of(type, shapes[k][0] * shapes[k][1], turn);
        if (shapes[k][0] == 0) continue;
        q.rows = shapes[k][0];
        q.segmented = false;
        q.layout = turn % 2 ? CHECK_STRIDED : CHECK_DENSE;
        try(&q, check_seed() + (uint64_t)turn, turn);
    }
}

// Large enough for the ways of large inputs, skew and all.
static void test_large(hd_type type, int64_t n, sequence s, int values, hd_type value)
{
    if (check_small()) n /= 16;
    question q = {.type = type, .n = n, .sequence = s, .values = values};
    q.value[0] = value;
    q.in_place = n & 1;
    q.descending = n & 2;
    // The serial backend is slow here, and has been compared often enough.
    try(&q, check_seed() + (uint64_t)n, EVERY_THIRD);
}

int main(void)
{
    target_count = check_targets(&targets);
    for (int t = 0; check_type(t); t++) {
        test_sizes(check_type(t));
        test_sequences(check_type(t));
        test_rows(check_type(t));
    }
    test_large(HD_U32, 1200001, RANDOM, 0, HD_NONE);
    test_large(HD_F32, 800002, ZIPF, 0, HD_NONE);
    test_large(HD_F32, 700003, RANDOM, 1, HD_U32);
    test_large(HD_U64, 500000, RANDOM, 0, HD_NONE);
    test_large(HD_F64, 500001, DOMINANT, 1, HD_I64);
    test_large(HD_I32, 900002, DOMINANT, 0, HD_NONE);
    test_large(HD_U16, 400001, RANDOM, 0, HD_NONE);
    test_large(HD_U32, 100003, CLUSTERS, 0, HD_NONE);
    test_large(HD_I32, 100002, CLUSTERS, 1, HD_F32);
    test_large(HD_U64, 100001, CLUSTERS, 0, HD_NONE);
    test_large(HD_U32, 1 << 19, LURE, 0, HD_NONE);
    return check_finish();
}
