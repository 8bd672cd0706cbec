// SPDX-License-Identifier: Apache-2.0
//
// HD_SUM_EXACT, HD_DOT and HD_NORM2 on the GPU and on the model machine: every pattern that folds,
// against the serial definition.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

enum { MOST = 300000 };

static hd_context *gpu, *serial;
static bool card;
static hd_type type;
static const hd_operator *op;
static int64_t n;
static char *x, *y, *want, *got;
static int32_t *keys;
static int64_t *offsets, segments;

static hd_view in(void)
{
    return HD_VIEW_OF(type, x, n);
}

static hd_views with(void)
{
    static hd_view second;
    second = HD_VIEW_OF(type, y, n);
    return (hd_views){&second, op == HD_DOT ? 1 : 0};
}

static void same(int64_t count, const char *what)
{
    CHECK_SAME(type, got, want, count, "%s of %lld %s, %s", hd_operator_name(op), (long long)n,
               hd_type_name(type), what);
}

static void reduce(hd_view v, hd_reduce_options o, int64_t count, const char *what)
{
    o.with = with();
    if (v.ndim == 2) o.with = (hd_views){&v, o.with.count};
    CHECK_OK(serial, hd_reduce(serial, v, op, HD_VIEW_OF(type, want, count), &o));
    CHECK_OK(gpu, hd_reduce(gpu, v, op, HD_VIEW_OF(type, got, count), &o));
    same(count, what);
}

static void scan(hd_scan_options o, const char *what)
{
    o.with = with();
    CHECK_OK(serial, hd_scan(serial, in(), op, HD_VIEW_OF(type, want, n), &o));
    CHECK_OK(gpu, hd_scan(gpu, in(), op, HD_VIEW_OF(type, got, n), &o));
    same(n, what);
}

static void test_carry(void)
{
    hd_context *contexts[] = {serial, gpu};
    char *results[] = {want, got};
    for (int k = 0; k < 2; k++) {
        hd_carry *carry;
        CHECK_OK(contexts[k], hd_carry_open(contexts[k], &carry));
        for (int64_t at = 0, m; at < n; at += m) {
            m = n - at < 1001 ? n - at : 1001;
            const hd_view second = HD_VIEW_OF(type, y + (size_t)at * hd_type_size(type), m);
            CHECK_OK(contexts[k],
                     hd_reduce(contexts[k],
                               HD_VIEW_OF(type, x + (size_t)at * hd_type_size(type), m), op,
                               HD_VIEW_OF(type, results[k], 1),
                               &(hd_reduce_options){.carry = carry,
                                                    .with = {&second, op == HD_DOT ? 1 : 0}}));
        }
        hd_carry_close(contexts[k], carry);
    }
    same(1, "carried");
}

static void test_scatter(void)
{
    hd_context *contexts[] = {serial, gpu};
    char *results[] = {want, got};
    for (int k = 0; k < 2; k++) {
        check_fill(type, results[k], 100, CHECK_ORDINARY, 5);
        CHECK_OK(contexts[k],
                 hd_scatter(contexts[k], in(), HD_VIEW(keys, n), HD_VIEW_OF(type, results[k], 100),
                            &(hd_scatter_options){.combine = op, .with = with()}));
    }
    same(100, "scattered");
}

// The model machine takes half of the patterns for each operator and type, so that every pattern
// meets each of them: compiling takes most of the time. A card and HEDDLE_TEST_HUGE take all.
static bool takes(int pattern, int pair)
{
    return card || check_huge() || type == HD_BF16 || (pattern + pair) % 2 == 0;
}

static void test_patterns(int pair)
{
    const int64_t rows = n / 40, shape[] = {rows, 40};
    const hd_view matrix = hd_view_nd(type, x, 2, shape, NULL);
    _Alignas(8) unsigned char init[8];
    check_fill(type, init, 1, CHECK_ORDINARY, 3);
    reduce(in(), (hd_reduce_options){0}, 1, "everything");
    reduce(in(), (hd_reduce_options){.init = init}, 1, "with init");
    if (takes(0, pair)) reduce(matrix, (hd_reduce_options){.axis = HD_AXIS(1)}, rows, "rows");
    if (takes(1, pair)) reduce(matrix, (hd_reduce_options){.axis = HD_AXIS(0)}, 40, "columns");
    if (takes(2, pair))
        reduce(in(), (hd_reduce_options){.segments = HD_REF(HD_VIEW(offsets, segments + 1))},
               segments, "segments");
    int64_t runs = 0;
    memset(want, 0, (size_t)n * 8), memset(got, 0, (size_t)n * 8);
    if (takes(3, pair))
        reduce(in(),
               (hd_reduce_options){.keys = HD_REF(HD_VIEW(keys, n)),
                                   .runs = HD_REF(HD_VIEW(&runs, 1))},
               n, "keys");
    if (takes(4, pair)) scan((hd_scan_options){0}, "scanned");
    // Kernels of large nodes take the model machine most of a minute.
    if (takes(5, pair) && (card || op != HD_SUM_EXACT || type != HD_F64))
        scan((hd_scan_options){.exclusive = true, .keys = HD_REF(HD_VIEW(keys, n))},
             "scanned by key");
    if (takes(6, pair)) test_carry();
    if (takes(7, pair)) test_scatter();
}

static void make(int64_t count, check_pattern pattern, uint64_t *state)
{
    n = count;
    check_fill(type, x, n, pattern, check_next(state));
    check_fill(type, y, n, CHECK_UNITS, check_next(state));
    check_keys(HD_I32, keys, n, state);
    segments = check_offsets(n, 100, state, offsets) - 1;
}

// Rows and segments that blocks sum, and rows that all of them do.
static void test_long(uint64_t *state)
{
    make(12000, CHECK_WIDE, state);
    segments = 3;
    for (int64_t j = 0; j <= 3; j++) offsets[j] = 4000 * j;
    reduce(in(), (hd_reduce_options){.segments = HD_REF(HD_VIEW(offsets, 4))}, 3, "long segments");
    make(2 << 16, CHECK_ORDINARY, state);
    const int64_t shape[] = {2, 1 << 16}, turned[] = {1 << 16, 2};
    reduce(hd_view_nd(type, x, 2, shape, NULL), (hd_reduce_options){.axis = HD_AXIS(1)}, 2,
           "long rows");
    reduce(hd_view_nd(type, x, 2, turned, NULL), (hd_reduce_options){.axis = HD_AXIS(0)}, 2,
           "long columns");
}

// Each number with its opposite far away, but for one: what is cut off on the way is all there is.
static void test_cancelled(uint64_t *state)
{
    const size_t size = hd_type_size(type);
    make(9001, CHECK_WIDE, state);
    for (int64_t i = 0; i < n / 2; i++) {
        char *to = x + (size_t)(n - 1 - i) * size;
        memcpy(to, x + (size_t)i * size, size);
        to[size - 1] = (char)(to[size - 1] ^ 0x80);
    }
    reduce(in(), (hd_reduce_options){0}, 1, "cancelled");
    segments = 1;
    offsets[0] = 0, offsets[1] = n;
    reduce(in(), (hd_reduce_options){.segments = HD_REF(HD_VIEW(offsets, 2))}, 1,
           "cancelled segments");
}

// Numbers of the given sign bit, exponent field and fraction.
static void put_bits(int64_t i, uint64_t minus, uint64_t exponent, uint64_t fraction)
{
    if (type == HD_F64)
        ((uint64_t *)x)[i] = minus << 63 | exponent << 52 | fraction >> 12;
    else
        ((uint32_t *)x)[i] = (uint32_t)(minus << 31 | exponent << 23 | fraction >> 41);
}

// Everything, and one segment of it for a block, and for a warp: others are empty.
static void reduce_each_way(const char *what)
{
    reduce(in(), (hd_reduce_options){0}, 1, what);
    for (int64_t j = 0; j <= 40; j++) offsets[j] = j > 0 ? n : 0;
    reduce(in(), (hd_reduce_options){.segments = HD_REF(HD_VIEW(offsets, 2))}, 1, what);
    reduce(in(), (hd_reduce_options){.segments = HD_REF(HD_VIEW(offsets, 41))}, 40, what);
}

// What the bins of exact_bins.cuh may do wrong: numbers too great for an expansion, which fill a
// word as fast as any, past the times it must be carried; all exponents one after another;
// specials.
static void test_bins(uint64_t *state)
{
    const bool wide = type == HD_F64;
    const uint64_t fullest = wide ? 2027 : 223, top = wide ? 2047 : 255;
    const int64_t room = wide ? 511 : 255; // numbers of a lane
    for (int form = 0; form < 3; form++)
        for (int64_t more = -1; more <= 20; more += form < 2 ? 7 : 100) {
            make(32 * (room + more), CHECK_ORDINARY, state);
            for (int64_t i = 0; i < n; i++)
                put_bits(i, form < 2 ? (uint64_t)form : i / 32 & 1, fullest, UINT64_MAX);
            reduce_each_way("full bins");
        }
    for (int form = 0; form < 5; form++) {
        make(2 * 8192 + 77, CHECK_ORDINARY, state);
        for (int64_t i = 0; i < n; i++)
            put_bits(i, check_next(state) & 1, (uint64_t)i * 7 % top, check_next(state));
        if (form == 1 || form == 3) put_bits(5000, 0, top, 0);
        if (form == 2 || form == 3) put_bits(6001, 1, top, 0);
        if (form == 4) put_bits(7002, 1, top, 1ull << 63);
        reduce_each_way(form == 0 ? "all exponents" : "specials");
    }
    // Subnormals beside numbers that cancel, which leave nothing else.
    make(8192, CHECK_ORDINARY, state);
    for (int64_t i = 0; i < n; i++)
        put_bits(i, i / 512 & 1, i % 4 ? top - 1 - (uint64_t)i % 3 : 0,
                 i % 4 ? UINT64_MAX : (uint64_t)i << 41);
    reduce_each_way("subnormals");
    for (int64_t i = 0; i < n; i++) put_bits(i, 1, 0, 0);
    reduce_each_way("-0");
}

// One block takes so many tiles that its bins are carried more than once; a card has too many
// blocks.
static void test_many_tiles(uint64_t *state)
{
    hd_context *usual = gpu;
    setenv("HEDDLE_TUNE", "exact_blocks=1 exact_wide_blocks=1", 1);
    gpu = check_open(HD_MODEL, 0, NULL);
    make(256 * 1100 + 3, CHECK_ORDINARY, state);
    const uint64_t exponent = type == HD_F64 ? 2027 : 223;
    for (int64_t i = 0; i < n; i++) put_bits(i, 1, exponent, UINT64_MAX);
    reduce(in(), (hd_reduce_options){0}, 1, "many tiles");
    unsetenv("HEDDLE_TUNE");
    hd_close(gpu);
    gpu = usual;
}

// Sizes that fill blocks, in the hardest kinds of numbers there are: a card takes all of them, the
// model machine one for each operator and type, in turn.
static void test_large(int first, uint64_t *state)
{
    static const check_pattern patterns[] = {CHECK_ORDINARY, CHECK_WIDE, CHECK_SPECIAL};
    for (int k = card ? 0 : first; k < (card ? 3 : first + 1); k++) {
        make(card ? MOST : check_small() ? 9001 : 20001, patterns[k], state);
        reduce(in(), (hd_reduce_options){0}, 1, check_pattern_name(patterns[k]));
    }
}

// Integers, of both signs and of all of their bits: halves of them are summed, and how many were
// below zero.
static void test_integers(uint64_t *state)
{
    static const hd_type whole[] = {HD_I64, HD_I32};
    for (int t = 0; t < 2; t++) {
        double expected, result;
        const int64_t count = 3001;
        check_fill(whole[t], x, count, CHECK_ORDINARY, check_next(state));
        const hd_view numbers = HD_VIEW_OF(whole[t], x, count);
        CHECK_OK(serial, hd_reduce(serial, numbers, HD_SUM_EXACT, HD_VIEW(&expected, 1), NULL));
        CHECK_OK(gpu, hd_reduce(gpu, numbers, HD_SUM_EXACT, HD_VIEW(&result, 1), NULL));
        CHECK_SAME(HD_F64, &result, &expected, 1, "%s", hd_type_name(whole[t]));
    }
}

static void test(hd_backend which)
{
    static const hd_type types[] = {HD_F64, HD_F32, HD_BF16};
    const hd_operator *const operators[] = {HD_SUM_EXACT, HD_NORM2, HD_DOT};
    uint64_t state = check_seed();
    card = which != HD_MODEL;
    gpu = check_open(which, 0, NULL);
    serial = check_open(HD_SERIAL, 0, NULL);
    for (int o = 0; o < 3; o++)
        for (int t = 0; t < 3; t++) {
            if (t == 2 && !card && o > 0) continue;
            // Sanitizers: each operator and each type once; other builds have all pairs.
            if (check_small() && !card && t != (o == 0) && t != 2) continue;
            op = operators[o], type = types[t];
            make(check_small() ? 700 : 1500, t == 1 ? CHECK_ORDINARY : CHECK_WIDE, &state);
            test_patterns(o + t);
            test_large((o + t) % 3, &state);
            if (o == 0) test_cancelled(&state);
            if (o == 0 && t < 2) test_bins(&state);
            if (o == 0 && t < 2 && !card) test_many_tiles(&state);
            if (o == 0 && (card || t == 1)) test_long(&state);
        }
    test_integers(&state);
    hd_close(gpu), hd_close(serial);
}

int main(void)
{
    x = check_memory((size_t)MOST * 8), y = check_memory((size_t)MOST * 8);
    want = check_memory((size_t)MOST * 8), got = check_memory((size_t)MOST * 8);
    keys = check_memory((size_t)MOST * 4), offsets = check_memory(128 * sizeof *offsets);
    const int code = check_on_gpus(test);
    free(x), free(y), free(want), free(got), free(keys), free(offsets);
    return code;
}
