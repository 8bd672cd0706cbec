// SPDX-License-Identifier: Apache-2.0
//
// Reductions of parts: along any axis of one to eight dimensions, over segments, over runs of equal
// keys. Each part must have the bits of a reduction of its own.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

static const check_target *targets;
static int target_count;

// What is tried on every kind of part.
typedef struct row {
    const hd_operator *op;
    hd_type type, out_type;
} row;

static const row rows[] = {
    {HD_SUM, HD_F32, HD_F32},      {HD_SUM, HD_I16, HD_I64},     {HD_ARGMAX, HD_F32, HD_I64},
    {HD_SUM, HD_F64, HD_F64},      {HD_MAX, HD_BF16, HD_BF16},   {HD_MEAN, HD_F16, HD_F16},
    {HD_VARIANCE, HD_I32, HD_F64}, {HD_ANY, HD_U8, HD_BOOL},     {HD_MIN, HD_I64, HD_I64},
    {HD_SUM, HD_F16, HD_F32},      {HD_PRODUCT, HD_F64, HD_F64}, {HD_XOR, HD_U32, HD_U32},
    {HD_ARGMIN, HD_U8, HD_I64},    {HD_SUM, HD_U8, HD_U8},       {HD_MEAN, HD_F32, HD_F32},
    {HD_ALL, HD_F64, HD_BOOL}};

// ---- Axes -----------------------------------------------------------------------------------

// The reference: each row copied out and reduced on its own.
static void reduce_rows(row r, hd_view in, int32_t axis, hd_view out, hd_view values, int32_t ddof)
{
    const int64_t n = in.shape[axis], rows = hd_count(out);
    const size_t size = hd_type_size(r.type);
    char *x = check_memory(size * (size_t)(n + 1));
    for (int64_t j = 0; j < rows; j++) {
        int64_t rest = j;
        hd_view v = in;
        for (int32_t d = in.ndim - 1; d >= 0; d--) {
            if (d == axis) continue;
            v.data = (char *)v.data + rest % in.shape[d] * in.stride[d] * (int64_t)size;
            rest /= in.shape[d];
        }
        for (int64_t i = 0; i < n; i++)
            memcpy(x + size * (size_t)i, (char *)v.data + i * in.stride[axis] * (int64_t)size,
                   size);
        ref_reduce(r.op, r.type, x, n, r.out_type, check_element(out, j), check_element(values, j),
                   &(ref_how){.ddof = ddof});
    }
    free(x);
}

static int32_t without(int32_t ndim, const int64_t *shape, int32_t axis, int64_t *rest)
{
    int32_t kept = 0;
    for (int32_t d = 0; d < ndim; d++)
        if (d != axis) rest[kept++] = shape[d];
    if (kept == 0) rest[kept++] = 1;
    return kept;
}

static void compare(const check_array *got, const check_array *want, const char *what, row r,
                    const char *where)
{
    const int64_t n = hd_count(want->view);
    const size_t size = hd_type_size(want->view.type);
    void *a = check_memory(size * (size_t)n), *b = check_memory(size * (size_t)n);
    check_get(got, a);
    check_get(want, b);
    CHECK_SAME(want->view.type, a, b, n, "%s, %s of %s on %s", what, hd_operator_name(r.op),
               hd_type_name(r.type), where);
    CHECK(check_gaps(got), "%s, %s of %s on %s wrote between elements", what,
          hd_operator_name(r.op), hd_type_name(r.type), where);
    free(a);
    free(b);
}

static bool is_arg(const hd_operator *op)
{
    return op == HD_ARGMIN || op == HD_ARGMAX;
}

static void try_axis(row r, const check_array *in, int32_t axis, uint64_t *state)
{
    int64_t rest[HD_MAX_DIMS], stride[HD_MAX_DIMS];
    const int32_t kept = without(in->view.ndim, in->view.shape, axis, rest);
    const bool turned = check_below(state, 2);
    check_strides(kept, rest, state, stride);
    check_array want = check_new_nd(r.out_type, kept, rest, NULL, false);
    check_array want_values = check_new_nd(r.type, kept, rest, NULL, false);
    check_array out = check_new_nd(r.out_type, kept, rest, turned ? stride : NULL, *state & 1);
    check_array values = check_new_nd(r.type, kept, rest, turned ? stride : NULL, *state & 2);
    hd_reduce_options options = {.ddof = r.op == HD_VARIANCE};
    reduce_rows(r, in->view, axis, want.view, want_values.view, options.ddof);
    for (int t = 0; t < target_count; t++) {
        char what[64];
        options.axis = t % 2 ? HD_AXIS(axis) : HD_AXIS(axis - in->view.ndim);
        options.values = is_arg(r.op) ? HD_REF(values.view) : NULL;
        CHECK_OK(targets[t].ctx, hd_reduce(targets[t].ctx, in->view, r.op, out.view, &options));
        snprintf(what, sizeof what, "axis %d of %d (%" PRId64 " long)", (int)axis,
                 (int)in->view.ndim, in->view.shape[axis]);
        compare(&out, &want, what, r, targets[t].name);
        if (is_arg(r.op)) compare(&values, &want_values, what, r, targets[t].name);
    }
    check_drop(&want), check_drop(&want_values), check_drop(&out), check_drop(&values);
}

static void test_axes(const int64_t *shape, int32_t ndim, int first, int count)
{
    uint64_t state = check_seed() + (uint64_t)ndim;
    for (int k = first; k < first + count; k++) {
        const row r = rows[k % 16];
        int64_t stride[HD_MAX_DIMS];
        check_strides(ndim, shape, &state, stride);
        check_array in = check_new_nd(r.type, ndim, shape, k % 3 ? stride : NULL, k & 1);
        const int64_t n = hd_count(in.view);
        void *x = check_memory(hd_type_size(r.type) * (size_t)n);
        check_fill(r.type, x, n, r.op == HD_PRODUCT ? CHECK_UNITS : (check_pattern)(k % 4),
                   check_seed() + (uint64_t)k);
        check_put(&in, x);
        for (int32_t axis = 0; axis < ndim; axis++) try_axis(r, &in, axis, &state);
        free(x);
        check_drop(&in);
    }
}

static void test_all_axes(void)
{
    static const int64_t small[][HD_MAX_DIMS] = {{17},
                                                 {5, 9},
                                                 {4, 0, 3},
                                                 {1, 7, 1},
                                                 {3, 4, 5},
                                                 {2, 3, 4, 5},
                                                 {2, 1, 3, 2, 5},
                                                 {2, 3, 2, 2, 3, 2},
                                                 {2, 2, 3, 1, 2, 2, 3},
                                                 {2, 2, 2, 3, 2, 1, 2, 3},
                                                 {0, 4},
                                                 {33, 65}};
    static const int32_t dims[] = {1, 2, 3, 3, 3, 4, 5, 6, 7, 8, 2, 2};
    for (int k = 0; k < 12; k++) test_axes(small[k], dims[k], 0, check_small() ? 4 : 16);
    if (check_small()) return;
    test_axes((int64_t[]){3, 70001}, 2, 0, 6);
    test_axes((int64_t[]){70001, 3}, 2, 0, 6);
    test_axes((int64_t[]){257, 511}, 2, 0, 16);
    test_axes((int64_t[]){129, 31, 40}, 3, 3, 6);
    test_axes((int64_t[]){1, 100003, 1}, 3, 0, 2);
}

// ---- Segments -------------------------------------------------------------------------------

// Offsets are of any integer type that holds them.
static check_array offsets_as(hd_type type, const int64_t *offsets, int64_t count, bool strided)
{
    check_array a = check_new(type, count, strided ? CHECK_STRIDED : CHECK_DENSE, false);
    for (int64_t k = 0; k < count; k++)
        memcpy(check_element(a.view, k), &offsets[k], hd_type_size(type));
    return a;
}

static hd_type offset_type(int64_t n, int turn)
{
    static const hd_type types[] = {HD_I64, HD_I32, HD_U64, HD_U32, HD_I16, HD_U16, HD_U8, HD_I8};
    static const int64_t most[] = {INT64_MAX, INT32_MAX, INT64_MAX, UINT32_MAX,
                                   32767,     65535,     255,       127};
    for (int k = turn;; k++)
        if (n <= most[k % 8]) return types[k % 8];
}

// part[j] .. part[j + 1] of x, each on its own.
static void reduce_parts(row r, const void *x, const int64_t *part, int64_t parts,
                         const ref_how *how, const check_array *out, const check_array *values)
{
    for (int64_t j = 0; j < parts; j++)
        ref_reduce(r.op, r.type, (const char *)x + hd_type_size(r.type) * (size_t)part[j],
                   part[j + 1] - part[j], r.out_type, check_element(out->view, j),
                   check_element(values->view, j), how);
}

// Long enough that all threads share one segment: a few of them between short ones.
enum { LONG = 300007 };
static const int64_t long_offsets[] = {0, 3, LONG + 3, LONG + 3, LONG + 10, 2 * LONG + 10};

static void try_segments(row r, int64_t n, int turn)
{
    uint64_t state = check_seed() + (uint64_t)turn * 31;
    const int64_t room = n / 3 + 20;
    int64_t *offsets = check_memory(8 * (size_t)room);
    int64_t count = check_offsets(n, room, &state, offsets);
    if (n > 2 * LONG) {
        count = sizeof long_offsets / sizeof *long_offsets;
        memcpy(offsets, long_offsets, sizeof long_offsets);
    }
    void *x = check_memory(hd_type_size(r.type) * (size_t)n);
    _Alignas(8) unsigned char init[8];
    check_fill(r.type, x, n, r.op == HD_PRODUCT ? CHECK_UNITS : (check_pattern)(turn % 4), state);
    check_fill(r.out_type, init, 1, CHECK_UNITS, state);
    const bool with_init = turn % 4 == 1 && !is_arg(r.op) && r.op != HD_MEAN && r.op != HD_VARIANCE;
    const ref_how how = {.ddof = r.op == HD_VARIANCE, .init = with_init ? init : NULL};
    const check_layout layout = turn % 3 ? CHECK_DENSE : (check_layout)(turn % 2 + 1);
    check_array in = check_new(r.type, n, layout, false),
                seg = offsets_as(offset_type(n, turn), offsets, count, turn % 5 == 0);
    check_array out = check_new(r.out_type, count - 1, layout, true),
                want = check_new(r.out_type, count - 1, CHECK_DENSE, true);
    check_array values = check_new(r.type, count - 1, layout, true),
                want_values = check_new(r.type, count - 1, CHECK_DENSE, true);
    check_put(&in, x);
    reduce_parts(r, x, offsets, count - 1, &how, &want, &want_values);
    for (int t = 0; t < target_count; t++) {
        hd_reduce_options options = {
            .segments = HD_REF(seg.view), .ddof = how.ddof, .init = how.init};
        options.values = is_arg(r.op) ? HD_REF(values.view) : NULL;
        CHECK_OK(targets[t].ctx, hd_reduce(targets[t].ctx, in.view, r.op, out.view, &options));
        compare(&out, &want, "segments", r, targets[t].name);
        if (is_arg(r.op)) compare(&values, &want_values, "values of segments", r, targets[t].name);
    }
    check_drop(&in), check_drop(&seg), check_drop(&out), check_drop(&want);
    check_drop(&values), check_drop(&want_values);
    free(x);
    free(offsets);
}

// ---- Keys -----------------------------------------------------------------------------------

typedef struct three {
    unsigned char bytes[3];
} three;

static hd_type key_type(int turn)
{
    return turn % 14 == 13 ? HD_STRUCT(three) : check_type(turn % 14);
}

static int64_t runs_of(hd_type type, const void *keys, int64_t n, int64_t *part)
{
    unsigned char *heads = check_memory((size_t)n);
    int64_t runs = 0;
    ref_heads_of_keys(type, keys, heads, n);
    for (int64_t i = 0; i < n; i++)
        if (heads[i]) part[runs++] = i;
    part[runs] = n;
    free(heads);
    return runs;
}

static void check_run_keys(const check_array *keys_out, const void *keys, const int64_t *part,
                           int64_t runs, const char *where)
{
    const hd_type type = keys_out->view.type;
    const size_t size = hd_type_size(type);
    for (int64_t j = 0; j < runs; j++)
        CHECK_SAME(type, check_element(keys_out->view, j),
                   (const char *)keys + size * (size_t)part[j], 1, "key of run %" PRId64 " on %s",
                   j, where);
}

static void try_keys(row r, int64_t n, int turn)
{
    uint64_t state = check_seed() + (uint64_t)turn * 37;
    const hd_type type = key_type(turn);
    const check_layout layout = turn % 3 ? CHECK_DENSE : (check_layout)(turn % 2 + 1);
    int64_t *part = check_memory(8 * (size_t)(n + 1)), spare = turn % 2 ? 5 : 0;
    void *x = check_memory(hd_type_size(r.type) * (size_t)n),
         *keys = check_memory(hd_type_size(type) * (size_t)n);
    check_fill(r.type, x, n, r.op == HD_PRODUCT ? CHECK_UNITS : (check_pattern)(turn % 4), state);
    check_keys(type, keys, n, &state);
    if (n > 2 * LONG) memset(keys, 0, hd_type_size(type) * (size_t)(n - 10));
    const int64_t runs = runs_of(type, keys, n, part);
    check_array in = check_new(r.type, n, layout, false), key = check_new(type, n, layout, false);
    check_array out = check_new(r.out_type, runs + spare, layout, true),
                want = check_new(r.out_type, runs, CHECK_DENSE, true);
    check_array values = check_new(r.type, runs, CHECK_DENSE, true),
                keys_out = check_new(type, runs + spare, layout, true);
    check_put(&in, x), check_put(&key, keys);
    reduce_parts(r, x, part, runs, &(ref_how){.ddof = r.op == HD_VARIANCE}, &want, &values);
    for (int t = 0; t < target_count; t++) {
        int64_t got_runs = -1;
        const hd_reduce_options options = {.keys = HD_REF(key.view),
                                           .ddof = r.op == HD_VARIANCE,
                                           .keys_out =
                                               HD_REF(turn % 4 ? keys_out.view : (hd_view){0}),
                                           .runs = turn % 3 ? HD_REF(HD_VIEW(&got_runs, 1)) : NULL};
        CHECK_OK(targets[t].ctx, hd_reduce(targets[t].ctx, in.view, r.op, out.view, &options));
        CHECK(got_runs == (turn % 3 ? runs : -1), "%" PRId64 " runs, expected %" PRId64 ", on %s",
              got_runs, runs, targets[t].name);
        check_array head = out;
        head.view = hd_slice(out.view, 0, 0, runs, 1);
        compare(&head, &want, "keys", r, targets[t].name);
        if (turn % 4) check_run_keys(&keys_out, keys, part, runs, targets[t].name);
    }
    check_drop(&in), check_drop(&key), check_drop(&out), check_drop(&want), check_drop(&values),
        check_drop(&keys_out);
    free(x), free(keys), free(part);
}

int main(void)
{
    static const int64_t sizes[] = {0, 1, 2, 9, 33, 100, 257, 1000, 4097, 10007, 40009, 131101};
    target_count = check_targets(&targets);
    test_all_axes();
    for (int k = 0; k < 12; k++)
        for (int r = 0; r < 16; r++) {
            if (sizes[k] > 20000 && r % 4 != k % 4) continue;
            if (check_small() && sizes[k] > 1000 && (sizes[k] != 40009 || r % 8 != 2)) continue;
            try_segments(rows[r], sizes[k], k * 16 + r);
            try_keys(rows[r], sizes[k], k * 17 + r);
        }
    for (int r = 0; r < 16 && !check_small(); r += 2) {
        try_segments(rows[r], 2 * LONG + 20, r);
        try_keys(rows[r], 2 * LONG + 20, r);
    }
    return check_finish();
}
