// SPDX-License-Identifier: Apache-2.0
//
// Scans of accurate sums without residuals or bounds, which go from elements to outputs in
// registers: in f64 of f32 and compensated, around the sizes of groups, vectors and blocks; arrays
// that begin one element off, in place, backward, exclusive, along rows and in pieces; infinities,
// NaN and two-sums that overflow. The rest is in test_sums.c.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

static const check_target *targets;
static int target_count;

typedef struct form {
    const hd_operator *op;
    hd_type type, out, accumulate;
    const char *name;
} form;

// Every form of scan that has kernels of its own; HD_SUM and HD_SUM_COMPENSATED are no constants.
enum { FORMS = 6 };
static form form_of(int k)
{
    const form forms[FORMS] = {
        {HD_SUM, HD_F32, HD_F32, HD_F64, "sum of f32 in f64"},
        {HD_SUM, HD_F32, HD_F64, HD_NONE, "sum of f32 into f64"},
        {HD_SUM_COMPENSATED, HD_F32, HD_F32, HD_NONE, "compensated f32"},
        {HD_SUM_COMPENSATED, HD_F64, HD_F64, HD_NONE, "compensated f64"},
        {HD_SUM_COMPENSATED, HD_F32, HD_F32, HD_F64, "compensated f32 in f64"},
        {HD_SUM_COMPENSATED, HD_F32, HD_F64, HD_NONE, "compensated f32 into f64"},
    };
    return forms[k];
}

// Around groups of 8, vectors of up to 16 groups, blocks of 8192 and 16384 nodes, and more than a
// thread's.
static const int64_t sizes[] = {1,     7,     8,     9,     16,    17,    63,
                                65,    127,   128,   129,   1023,  1025,  8192,
                                16383, 16384, 16385, 16392, 24584, 32769, 70001};
enum { SIZES = sizeof sizes / sizeof *sizes };

// A two-sum overflows on its way where hi stays finite: only the careful kernels get these right.
static void put_near_overflow(hd_type type, char *x, int64_t n, uint64_t seed)
{
    for (int k = 0; k < 4 && n > 2; k++) {
        const int64_t at = check_below(&seed, n - 2) & ~(int64_t)1;
        const double pair[2] = {type == HD_F32 ? -0x1.9138p+116 : -0x1.9138p+980,
                                type == HD_F32 ? 0x1.fffffep+127 : 0x1.fffffffffffffp+1023};
        for (int j = 0; j < 2; j++)
            if (type == HD_F32)
                ((float *)x)[at + j] = (float)(k % 2 ? -pair[j] : pair[j]);
            else
                ((double *)x)[at + j] = k % 2 ? -pair[j] : pair[j];
    }
}

// What a scan of n elements gives: by the reference, but for two-sums that overflow, which it has
// no f32 for: there by the serial backend, which is the definition.
static void expect(const form *f, const char *x, int64_t n, const hd_scan_options *o,
                   bool overflows, char *want)
{
    const ref_how how = {
        .exclusive = o->exclusive, .backward = o->backward, .accumulate = f->accumulate};
    if (overflows)
        CHECK_OK(targets[0].ctx, hd_scan(targets[0].ctx, HD_VIEW_OF(f->type, x, n), f->op,
                                         HD_VIEW_OF(f->out, want, n), o));
    else
        ref_scan(f->op, f->type, x, n, f->out, want, NULL, &how);
}

static bool overflows(uint64_t seed)
{
    return seed % 5 == 4;
}

static void fill(const form *f, char *x, int64_t n, uint64_t seed)
{
    static const check_pattern patterns[] = {CHECK_ORDINARY, CHECK_SPECIAL, CHECK_WIDE, CHECK_ZEROS,
                                             CHECK_ORDINARY};
    check_fill(f->type, x, n, patterns[seed % 5], seed);
    if (overflows(seed)) put_near_overflow(f->type, x, n, seed);
}

static void try_whole(const form *f, const char *x, int64_t n, bool exclusive, bool backward,
                      uint64_t seed)
{
    const size_t size = hd_type_size(f->type), out_size = hd_type_size(f->out);
    // One element of room before, so that views begin on odd addresses; one behind, which must stay
    // as it is.
    char *want = check_memory(out_size * (size_t)n),
         *got = check_memory(out_size * (size_t)(n + 2)),
         *in = check_memory(size * (size_t)(n + 1));
    const hd_scan_options o = {
        .exclusive = exclusive, .backward = backward, .accumulate = f->accumulate};
    expect(f, x, n, &o, overflows(seed), want);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        const size_t off = (seed + (uint64_t)t) % 2;
        char *to = got + off * out_size;
        memcpy(in + off * size, x, size * (size_t)n);
        memset(got, 0x5a, out_size * (size_t)(n + 2));
        CHECK_OK(ctx, hd_scan(ctx, HD_VIEW_OF(f->type, in + off * size, n), f->op,
                              HD_VIEW_OF(f->out, to, n), &o));
        CHECK_SAME(f->out, to, want, n, "%s, %" PRId64 "%s%s on %s", f->name, n,
                   exclusive ? ", exclusive" : "", backward ? ", backward" : "", targets[t].name);
        for (size_t b = 0; b < out_size; b++)
            CHECK(to[out_size * (size_t)n + b] == 0x5a, "written past the end of %" PRId64, n);
        if (f->type != f->out || off == 0) continue;
        hd_view both = HD_VIEW_OF(f->type, in + off * size, n);
        CHECK_OK(ctx, hd_scan(ctx, both, f->op, both, &o));
        CHECK_SAME(f->out, in + off * size, want, n, "%s, %" PRId64 "%s%s in place on %s", f->name,
                   n, exclusive ? ", exclusive" : "", backward ? ", backward" : "",
                   targets[t].name);
    }
    free(want), free(got), free(in);
}

static void try_pieces(const form *f, const char *x, int64_t n, bool exclusive, uint64_t seed)
{
    const size_t size = hd_type_size(f->type), out_size = hd_type_size(f->out);
    char *want = check_memory(out_size * (size_t)n), *got = check_memory(out_size * (size_t)n);
    hd_scan_options o = {.exclusive = exclusive, .accumulate = f->accumulate};
    expect(f, x, n, &o, overflows(seed), want);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        hd_carry *carry = NULL;
        CHECK_OK(ctx, hd_carry_open(ctx, &carry));
        o.carry = carry;
        for (int64_t at = 0, m; at < n; at += m) {
            m = 1 + check_below(&seed, seed % 3 ? 40 : 20000);
            if (m > n - at) m = n - at;
            CHECK_OK(ctx, hd_scan(ctx, HD_VIEW_OF(f->type, x + size * (size_t)at, m), f->op,
                                  HD_VIEW_OF(f->out, got + out_size * (size_t)at, m), &o));
        }
        CHECK_SAME(f->out, got, want, n, "%s, %" PRId64 " in pieces%s on %s", f->name, n,
                   exclusive ? ", exclusive" : "", targets[t].name);
        hd_carry_close(ctx, carry);
    }
    free(want), free(got);
}

static void try_rows(const form *f, const char *x, int64_t rows, int64_t length, bool exclusive,
                     uint64_t seed)
{
    const size_t size = hd_type_size(f->type), out_size = hd_type_size(f->out);
    const int64_t n = rows * length, shape[2] = {rows, length};
    char *want = check_memory(out_size * (size_t)n), *got = check_memory(out_size * (size_t)n);
    hd_scan_options o = {.exclusive = exclusive, .accumulate = f->accumulate};
    for (int64_t r = 0; r < rows; r++)
        expect(f, x + size * (size_t)(r * length), length, &o, overflows(seed),
               want + out_size * (size_t)(r * length));
    o.axis = HD_AXIS(1);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_scan(ctx, hd_view_nd(f->type, x, 2, shape, NULL), f->op,
                              hd_view_nd(f->out, got, 2, shape, NULL), &o));
        CHECK_SAME(f->out, got, want, n, "%s, %" PRId64 " rows of %" PRId64 "%s on %s", f->name,
                   rows, length, exclusive ? ", exclusive" : "", targets[t].name);
    }
    free(want), free(got);
}

int main(void)
{
    const int64_t most = sizes[SIZES - 1];
    uint64_t seed = check_seed();
    target_count = check_targets(&targets);
    char *x = check_memory(8 * (size_t)most);
    for (int k = 0; k < FORMS; k++) {
        const form f = form_of(k);
        for (int s = 0; s < (check_small() ? SIZES - 3 : SIZES); s++)
            for (int way = 0; way < 3; way++, seed++) {
                fill(&f, x, sizes[s], seed);
                try_whole(&f, x, sizes[s], way == 1, way == 2, seed);
            }
        for (int way = 0; way < 6; way++, seed++) {
            fill(&f, x, 40001, seed);
            try_pieces(&f, x, 40001, way % 2, seed);
            try_rows(&f, x, way + 1, 6655 - way, way % 2, seed);
        }
    }
    free(x);
    return check_finish();
}
