// SPDX-License-Identifier: Apache-2.0
//
// Reductions with a filter: by flags and by a predicate, every built-in operator over every type
// has the bits of hd_compact followed by hd_reduce, on every backend of the host and number of
// threads; indices are those of the input. What a filter does not go with is refused.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static const check_target *targets;
static int target_count;

HD_FUNCTION(is_positive, bool, HD_NO_SOURCE, (float, x), { return x > 0; })
HD_FUNCTION(is_above, int32_t, HD_NO_SOURCE, (float, x, float, y), { return x > y; })
HD_FUNCTION(quotient, int64_t, HD_NO_SOURCE, (int32_t, x, int32_t, y), { return x / y; })
HD_FUNCTION(second, bool, HD_NO_SOURCE, (int32_t, x, int32_t, y), { return y != 0 && x == x; })
HD_FUNCTION(identical, float, HD_NO_SOURCE, (float, x), { return x; })
HD_OPERATOR(leftmost, float, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a; })

enum { MAX = 5000 };

// How many are let in: none, all, a few, half of them.
static bool is_in(int density, uint64_t *state)
{
    const int64_t x = check_below(state, 100);
    return density == 1 || (density == 2 && x < 3) || (density == 3 && x < 50);
}

static void put_flag(hd_type type, void *flags, int64_t i, bool value)
{
    const size_t size = hd_type_size(type);
    memset((char *)flags + (size_t)i * size, 0, size);
    // any byte of an integer may be the one that is set
    if (value) ((unsigned char *)flags)[(size_t)i * size + (type == HD_BOOL ? 0 : size - 1)] = 1;
}

static void test_flags(hd_type type, hd_type flag_type, int64_t n, int density, uint64_t seed)
{
    hd_context *serial = targets->ctx;
    uint64_t state = seed;
    void *x = check_memory(8 * (size_t)n + 8), *flags = check_memory(8 * (size_t)n + 8),
         *kept = check_memory(8 * (size_t)n + 8);
    int64_t *where = check_memory(8 * (size_t)n + 8), count;
    check_array in = check_new(type, n, n % 2 ? CHECK_DENSE : CHECK_STRIDED, seed & 1);
    const bool invert = (seed & 4) != 0;
    check_fill(type, x, n, seed % 3 ? CHECK_ORDINARY : CHECK_TIES, seed);
    check_put(&in, x);
    for (int64_t i = 0; i < n; i++) put_flag(flag_type, flags, i, is_in(density, &state) != invert);
    const hd_view by = hd_view_of(flag_type, flags, n);
    CHECK_OK(serial,
             hd_compact(serial, in.view, hd_view_of(type, kept, n), HD_VIEW(&count, 1),
                        &(hd_compact_options){
                            .flags = &by, .invert = invert, .indices = HD_REF(HD_VIEW(where, n))}));
    for (int k = 0; hd_operator_at(k) != NULL; k++) {
        const hd_operator *op = hd_operator_at(k);
        const hd_type to = hd_default_output(op, type);
        const bool arg = op == HD_ARGMIN || op == HD_ARGMAX;
        _Alignas(16) unsigned char want[16], got[16];
        if (op == HD_DOT || to == HD_NONE) continue;
        CHECK_OK(serial, hd_reduce(serial, hd_view_of(type, kept, count), op,
                                   hd_view_of(to, want, 1), NULL));
        if (arg && count > 0) memcpy(want, &where[*(int64_t *)(void *)want], 8);
        for (int t = 0; t < target_count; t++) {
            hd_context *ctx = targets[t].ctx;
            memset(got, 0x5a, sizeof got);
            CHECK_OK(ctx, hd_reduce(ctx, in.view, op, hd_view_of(to, got, 1),
                                    &(hd_reduce_options){.flags = &by, .invert = invert}));
            CHECK_SAME(to, got, want, 1, "%s of %" PRId64 " of %" PRId64 " %s by %s on %s",
                       hd_operator_name(op), count, n, hd_type_name(type), hd_type_name(flag_type),
                       targets[t].name);
        }
    }
    check_drop(&in);
    free(x), free(flags), free(kept), free(where);
}

// By a predicate of one and of two inputs; with a map that must not see what is left out; in pieces
// with a carry; of two dimensions.
static void test_keep(int64_t n, uint64_t seed)
{
    hd_context *serial = targets->ctx;
    const int64_t shape[2] = {n / 5, 5}, m = n / 5 * 5, cut = n / 3;
    float *x = check_memory(4 * MAX), *y = check_memory(4 * MAX), *kept = check_memory(4 * MAX);
    int32_t *a = check_memory(4 * MAX), *b = check_memory(4 * MAX);
    int64_t count, sum, ratio = 0;
    float want, got;
    check_fill(HD_F32, x, n, CHECK_ORDINARY, seed);
    check_fill(HD_F32, y, n, CHECK_ORDINARY, seed + 1);
    check_fill(HD_I32, a, n, CHECK_LITTLE, seed + 2);
    check_fill(HD_I32, b, n, CHECK_LITTLE, seed + 3);
    for (int64_t i = 0; i < n; i++) {
        b[i] &= 3;
        if (b[i] != 0) ratio += a[i] / b[i];
    }
    CHECK_OK(serial,
             hd_compact(serial, HD_VIEW(x, n), HD_VIEW(kept, n), HD_VIEW(&count, 1),
                        &(hd_compact_options){.keep = is_above, .with = HD_VIEWS(HD_VIEW(y, n))}));
    CHECK_OK(serial, hd_reduce(serial, HD_VIEW(kept, count), HD_SUM, HD_VIEW(&want, 1), NULL));
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        const char *name = targets[t].name;
        hd_reduce_options o = {.keep = is_above, .with = HD_VIEWS(HD_VIEW(y, n))};
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(&got, 1), &o));
        CHECK_SAME(HD_F32, &got, &want, 1, "two inputs, %" PRId64 " on %s", n, name);
        CHECK_OK(ctx, hd_carry_open(ctx, &o.carry));
        for (int piece = 0; piece < 2; piece++) {
            const int64_t at = piece ? cut : 0, size = piece ? n - cut : cut;
            o.with = HD_VIEWS(HD_VIEW(y + at, size));
            CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x + at, size), HD_SUM, HD_VIEW(&got, 1), &o));
        }
        CHECK_SAME(HD_F32, &got, &want, 1, "in pieces, %" PRId64 " on %s", n, name);
        hd_carry_close(ctx, o.carry);
        CHECK_OK(ctx,
                 hd_reduce(ctx, HD_VIEW(a, n), HD_SUM, HD_VIEW(&sum, 1),
                           &(hd_reduce_options){
                               .map = quotient, .keep = second, .with = HD_VIEWS(HD_VIEW(b, n))}));
        CHECK(sum == ratio, "with a map, %" PRId64 " on %s", n, name);
        float by_rows;
        const hd_reduce_options one = {.keep = is_positive, .map = NULL};
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, m), HD_SUM, HD_VIEW(&got, 1), &one));
        CHECK_OK(ctx, hd_reduce(ctx, hd_view_nd(HD_F32, x, 2, shape, NULL), HD_SUM,
                                HD_VIEW(&by_rows, 1), &one));
        CHECK_SAME(HD_F32, &by_rows, &got, 1, "of two dimensions, %" PRId64 " on %s", n, name);
    }
    free(x), free(y), free(kept), free(a), free(b);
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
#define BAD(status, text, ...)                                                                     \
    expect(__LINE__, HD_ERROR_##status,                                                            \
           hd_reduce(ctx, in, HD_SUM, out, &(hd_reduce_options){__VA_ARGS__}), text)

static void test_refused(void)
{
    float x[6] = {1, 2, 3, 4, 5, 6}, y[6];
    bool flags[6] = {true};
    const int64_t offsets[2] = {0, 6};
    const int32_t index[6] = {0};
    hd_view in = HD_VIEW(x, 6);
    const hd_view out = HD_VIEW(y, 1);
    BAD(ARGUMENT, "invert goes with", .invert = true);
    BAD(ARGUMENT, "exclude each other", .flags = HD_REF(HD_VIEW(flags, 6)), .keep = is_positive);
    BAD(SHAPE, "flags has shape (5)", .flags = HD_REF(HD_VIEW(flags, 5)));
    BAD(TYPE, "flags are f32", .flags = HD_REF(HD_VIEW(x, 6)));
    BAD(TYPE, "is to return bool", .keep = identical);
    BAD(ARGUMENT, "not with axis", .flags = HD_REF(HD_VIEW(flags, 6)), .axis = HD_AXIS(0));
    BAD(ARGUMENT, "not with axis", .keep = is_positive, .segments = HD_REF(HD_VIEW(offsets, 2)));
    BAD(ARGUMENT, "takes 2 inputs; got 1", .keep = is_above);
    BAD(ARGUMENT, "takes 1 inputs; got 2", .keep = is_positive, .with = HD_VIEWS(in));
    BAD(ARGUMENT, "there is no function", .flags = HD_REF(HD_VIEW(flags, 6)), .with = HD_VIEWS(in));
    BAD(ALIAS, "out overlaps a view of with", .keep = is_above, .with = HD_VIEWS(HD_VIEW(y, 6)));
    BAD(ARGUMENT, "reserved", .keep = is_positive, .reserved_flags = {true});
    in = hd_indexed(in, HD_VIEW(index, 6));
    BAD(ARGUMENT, "do not go with an indexed view", .flags = HD_REF(HD_VIEW(flags, 6)));
    in = HD_VIEW(x, 6);
    int64_t at;
    hd_reduce_options o = {.keep = is_positive};
    CHECK_OK(ctx, hd_carry_open(ctx, &o.carry));
    expect(__LINE__, HD_ERROR_ARGUMENT, hd_reduce(ctx, in, HD_ARGMIN, HD_VIEW(&at, 1), &o),
           "has no carry");
    hd_carry_close(ctx, o.carry);
    x[0] = x[1] = x[2] = x[3] = x[4] = x[5] = -1;
    expect(__LINE__, HD_ERROR_VALUE,
           hd_reduce(ctx, in, leftmost, out, &(hd_reduce_options){.keep = is_positive}),
           "no identity");
    const float *first = x;
    x[3] = 7, x[4] = 9;
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(first, 6), leftmost, out,
                            &(hd_reduce_options){.keep = is_positive}));
    CHECK(y[0] == 7, "an operator without identity on %s", where);
}

int main(void)
{
    static const hd_type flags[] = {HD_BOOL, HD_U8, HD_I16, HD_U32, HD_I64};
    static const int64_t sizes[] = {0, 1, 63, 65, 1000, MAX - 1};
    // Small chunks, so that nodes of several meet.
    setenv("HEDDLE_TUNE", "cpu.select_chunk=128,cpu.grain_bytes=64", 1);
    target_count = check_targets(&targets);
    uint64_t state = check_seed();
    for (int k = 0; check_type(k) != HD_NONE; k++)
        for (int s = 0; s < 6; s++)
            test_flags(check_type(k), flags[(k + s) % 5], sizes[s], (k + s) % 4,
                       check_next(&state));
    test_keep(9, check_next(&state));
    test_keep(MAX - 3, check_next(&state));
    for (int t = 0; t < target_count; t++) {
        ctx = targets[t].ctx;
        where = targets[t].name;
        test_refused();
    }
    return check_finish();
}
