// SPDX-License-Identifier: Apache-2.0
//
// Laws that need no reference: a scan's element is the reduction of its prefix, bit for bit; a
// longer input changes no earlier output; halves of a power of two combine to the whole; exact
// operators forget the order; exclusive is inclusive shifted; directions mirror each other.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static const check_target *targets;
static int target_count;

typedef struct sequence {
    hd_context *ctx;
    const char *where;
    const hd_operator *op;
    hd_type type, out_type;
    int64_t n;
    char *x, *scanned;
    size_t size, out_size;
} sequence;

static void reduce(const sequence *s, int64_t begin, int64_t count, void *out)
{
    const hd_view in = HD_VIEW_OF(s->type, s->x + s->size * (size_t)begin, count);
    CHECK_OK(s->ctx, hd_reduce(s->ctx, in, s->op, HD_VIEW_OF(s->out_type, out, 1), NULL));
}

// scan[i] == reduce(x[0 .. i]): every i for small ones, many for others.
static void test_prefixes(const sequence *s)
{
    const hd_view in = HD_VIEW_OF(s->type, s->x, s->n),
                  out = HD_VIEW_OF(s->out_type, s->scanned, s->n);
    CHECK_OK(s->ctx, hd_scan(s->ctx, in, s->op, out, NULL));
    const int64_t step = s->n < 600 ? 1 : s->n / 97;
    for (int64_t i = 0; i < s->n; i += step) {
        _Alignas(8) unsigned char one[8];
        reduce(s, 0, i + 1, one);
        CHECK_SAME(s->out_type, one, s->scanned + s->out_size * (size_t)i, 1,
                   "prefix %" PRId64 " of %" PRId64 ", %s of %s on %s", i, s->n,
                   hd_operator_name(s->op), hd_type_name(s->type), s->where);
    }
}

// The scan of a shorter input is the beginning of the scan of a longer one.
static void test_growth(const sequence *s)
{
    const int64_t shorter = s->n * 2 / 3;
    char *other = check_memory(s->out_size * (size_t)s->n);
    CHECK_OK(s->ctx, hd_scan(s->ctx, HD_VIEW_OF(s->type, s->x, shorter), s->op,
                             HD_VIEW_OF(s->out_type, other, shorter), NULL));
    CHECK_SAME(s->out_type, other, s->scanned, shorter, "growth, %s of %s on %s",
               hd_operator_name(s->op), hd_type_name(s->type), s->where);
    free(other);
}

// exclusive[i] == inclusive[i - 1]
static void test_shift(const sequence *s)
{
    char *other = check_memory(s->out_size * (size_t)s->n);
    CHECK_OK(s->ctx,
             hd_scan(s->ctx, HD_VIEW_OF(s->type, s->x, s->n), s->op,
                     HD_VIEW_OF(s->out_type, other, s->n), &(hd_scan_options){.exclusive = true}));
    if (s->n > 1)
        CHECK_SAME(s->out_type, other + s->out_size, s->scanned, s->n - 1, "shift, %s of %s on %s",
                   hd_operator_name(s->op), hd_type_name(s->type), s->where);
    if (s->n > 0) {
        _Alignas(8) unsigned char nothing[8];
        reduce(s, 0, 0, nothing);
        CHECK_SAME(s->out_type, other, nothing, 1, "the empty prefix, %s on %s",
                   hd_operator_name(s->op), s->where);
    }
    free(other);
}

// A backward scan is the forward scan of the reversed view, reversed.
static void test_mirror(const sequence *s)
{
    char *back = check_memory(s->out_size * (size_t)s->n),
         *forth = check_memory(s->out_size * (size_t)s->n);
    const hd_view in = HD_VIEW_OF(s->type, s->x, s->n), out = HD_VIEW_OF(s->out_type, forth, s->n);
    const hd_view turned = s->n ? hd_slice(in, 0, s->n - 1, s->n, -1) : in;
    const hd_view turned_out = s->n ? hd_slice(out, 0, s->n - 1, s->n, -1) : out;
    CHECK_OK(s->ctx, hd_scan(s->ctx, in, s->op, HD_VIEW_OF(s->out_type, back, s->n),
                             &(hd_scan_options){.backward = true}));
    CHECK_OK(s->ctx, hd_scan(s->ctx, turned, s->op, turned_out, NULL));
    CHECK_SAME(s->out_type, back, forth, s->n, "mirror, %s of %s on %s", hd_operator_name(s->op),
               hd_type_name(s->type), s->where);
    free(back);
    free(forth);
}

// One segment is no segment; single elements in segments of their own come back.
static void test_trivial_segments(const sequence *s)
{
    const int64_t ends[] = {0, s->n};
    _Alignas(8) unsigned char one[8], whole[8];
    char *other = check_memory(s->out_size * (size_t)s->n);
    reduce(s, 0, s->n, whole);
    CHECK_OK(s->ctx, hd_reduce(s->ctx, HD_VIEW_OF(s->type, s->x, s->n), s->op,
                               HD_VIEW_OF(s->out_type, one, 1),
                               &(hd_reduce_options){.segments = HD_REF(HD_VIEW(ends, 2))}));
    CHECK_SAME(s->out_type, one, whole, 1, "one segment, %s on %s", hd_operator_name(s->op),
               s->where);
    CHECK_OK(s->ctx, hd_scan(s->ctx, HD_VIEW_OF(s->type, s->x, s->n), s->op,
                             HD_VIEW_OF(s->out_type, other, s->n),
                             &(hd_scan_options){.segments = HD_REF(HD_VIEW(ends, 2))}));
    CHECK_SAME(s->out_type, other, s->scanned, s->n, "scan of one segment, %s on %s",
               hd_operator_name(s->op), s->where);
    free(other);
}

static void test_laws(void)
{
    static const struct {
        const hd_operator *op;
        hd_type type, out_type;
    } rows[] = {{HD_SUM, HD_F32, HD_F32},     {HD_SUM, HD_F64, HD_F64},
                {HD_SUM, HD_F16, HD_F16},     {HD_SUM, HD_BF16, HD_F32},
                {HD_PRODUCT, HD_F32, HD_F32}, {HD_MAX, HD_F32, HD_F32},
                {HD_SUM, HD_U8, HD_U64},      {HD_ARGMIN, HD_F32, HD_I64},
                {HD_MEAN, HD_F32, HD_F32},    {HD_VARIANCE, HD_F64, HD_F64}};
    static const int64_t sizes[] = {0, 1, 100, 513, 5000, 70001};
    for (int t = 0; t < target_count; t++)
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
            for (int k = 0; k < (check_small() ? 4 : 6); k++) {
                if (sizes[k] > 60000 && (t + (int)r) % 3) continue;
                sequence s = {targets[t].ctx,
                              targets[t].name,
                              rows[r].op,
                              rows[r].type,
                              rows[r].out_type,
                              sizes[k],
                              NULL,
                              NULL,
                              hd_type_size(rows[r].type),
                              hd_type_size(rows[r].out_type)};
                s.x = check_memory(s.size * (size_t)s.n),
                s.scanned = check_memory(s.out_size * (size_t)s.n);
                check_fill(s.type, s.x, s.n, s.op == HD_PRODUCT ? CHECK_UNITS : CHECK_ORDINARY,
                           check_seed() + r);
                test_prefixes(&s);
                test_growth(&s);
                test_shift(&s);
                test_mirror(&s);
                test_trivial_segments(&s);
                free(s.x), free(s.scanned);
            }
}

// R(2^k + 2^k) = R(2^k) op R(2^k) of the two halves, and R(2^k + m) = R(2^k) op R(m) for m <= 2^k
// that is a power of two.
static void test_concatenation(void)
{
    enum { N = 1 << 15 };
    float *x = check_memory(4 * 2 * N);
    check_fill(HD_F32, x, 2 * N, CHECK_ORDINARY, check_seed());
    for (int t = 0; t < target_count; t++)
        for (int64_t left = 1; left <= N; left *= 2)
            for (int64_t right = 1; right <= left; right *= 2) {
                const sequence s = {.ctx = targets[t].ctx,
                                    .op = HD_SUM,
                                    .type = HD_F32,
                                    .out_type = HD_F32,
                                    .x = (char *)x,
                                    .size = 4};
                float a = 0, b = 0, whole = 0;
                reduce(&s, 0, left, &a);
                reduce(&s, left, right, &b);
                reduce(&s, 0, left + right, &whole);
                CHECK(whole == a + b, "%" PRId64 " + %" PRId64 " on %s", left, right,
                      targets[t].name);
            }
    free(x);
}

// Exact operators give the same for any order of the elements.
static void test_permutations(void)
{
    enum { N = 3001 };
    static const hd_operator *ops[] = {HD_SUM, HD_PRODUCT, HD_MIN, HD_MAX, HD_AND, HD_OR, HD_XOR};
    int32_t *x = check_memory(4 * N);
    uint64_t state = check_seed();
    check_fill(HD_I32, x, N, CHECK_UNITS, state);
    for (int round = 0; round < 3; round++)
        for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
            int32_t first = 0;
            for (int t = 0; t < target_count; t++) {
                int32_t got = 0;
                CHECK_OK(targets[t].ctx,
                         hd_reduce(targets[t].ctx, HD_VIEW(x, N), ops[o], HD_VIEW(&got, 1), NULL));
                if (t == 0) first = got;
                CHECK(got == first, "%s: %d and %d", hd_operator_name(ops[o]), (int)first,
                      (int)got);
                for (int64_t i = N - 1; i > 0; i--) { // shuffled before the next
                    const int64_t j = check_below(&state, i + 1);
                    const int32_t keep = x[i];
                    x[i] = x[j], x[j] = keep;
                }
            }
        }
    free(x);
}

// The error of a float sum stays within the bound of numerics.md, d u (1 + d u / 2) sum |x|.
static void test_error_bound(void)
{
    enum { N = 1000003 }; // floor(log2) 19, 10 set bits
    if (check_small()) return;
    float *x = check_memory(4 * N), got = 0;
    double exact = 0, magnitude = 0;
    check_fill(HD_F32, x, N, CHECK_ORDINARY, check_seed());
    for (int64_t i = 0; i < N; i++)
        exact += (double)x[i], magnitude += x[i] < 0 ? -(double)x[i] : (double)x[i];
    const double d = 19 + __builtin_popcount(N) - 1, u = 0x1p-24;
    for (int t = 0; t < target_count; t++) {
        CHECK_OK(targets[t].ctx,
                 hd_reduce(targets[t].ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(&got, 1), NULL));
        const double error = (double)got > exact ? (double)got - exact : exact - (double)got;
        CHECK(error <= d * u * (1 + d * u / 2) * magnitude, "error %g on %s", error,
              targets[t].name);
    }
    free(x);
}

int main(void)
{
    target_count = check_targets(&targets);
    test_laws();
    test_concatenation();
    test_permutations();
    test_error_bound();
    return check_finish();
}
