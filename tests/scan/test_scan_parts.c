// SPDX-License-Identifier: Apache-2.0
//
// Scans of parts: along any axis, over segments and by key, in both directions, exclusive, with
// init, in place.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

static const check_target *targets;
static int target_count;

typedef struct row {
    const hd_operator *op;
    hd_type type, out_type;
} row;

static const row rows[] = {
    {HD_SUM, HD_F32, HD_F32},      {HD_SUM, HD_I32, HD_I32},     {HD_ARGMAX, HD_F32, HD_I64},
    {HD_SUM, HD_F64, HD_F64},      {HD_MAX, HD_BF16, HD_BF16},   {HD_MEAN, HD_F16, HD_F16},
    {HD_VARIANCE, HD_I32, HD_F64}, {HD_ANY, HD_U8, HD_BOOL},     {HD_MIN, HD_I64, HD_I64},
    {HD_SUM, HD_F16, HD_F16},      {HD_PRODUCT, HD_F64, HD_F64}, {HD_XOR, HD_U32, HD_U32},
    {HD_ARGMIN, HD_U8, HD_I64},    {HD_SUM, HD_U8, HD_U64},      {HD_MEAN, HD_F32, HD_F64},
    {HD_MIN, HD_F32, HD_F32}};
enum { ROWS = sizeof rows / sizeof *rows };

static bool is_arg(const hd_operator *op)
{
    return op == HD_ARGMIN || op == HD_ARGMAX;
}

static bool takes_init(const hd_operator *op)
{
    return !is_arg(op) && op != HD_MEAN && op != HD_VARIANCE;
}

static const char *describe(row r, const ref_how *how, const char *part, const char *where)
{
    static char text[200];
    snprintf(text, sizeof text, "%s of %s by %s%s%s%s on %s", hd_operator_name(r.op),
             hd_type_name(r.type), part, how->exclusive ? ", exclusive" : "",
             how->backward ? ", backward" : "", how->init ? ", init" : "", where);
    return text;
}

// ---- Axes -----------------------------------------------------------------------------------

// The elements of one row, from and to a dense line.
static void move_row(hd_view v, int32_t axis, int64_t j, char *line, bool from_line)
{
    const int64_t size = (int64_t)hd_type_size(v.type);
    char *at = v.data;
    for (int32_t d = v.ndim - 1; d >= 0; d--) {
        if (d == axis) continue;
        at += j % v.shape[d] * v.stride[d] * size;
        j /= v.shape[d];
    }
    for (int64_t i = 0; i < v.shape[axis]; i++, line += size, at += v.stride[axis] * size)
        from_line ? memcpy(at, line, (size_t)size) : memcpy(line, at, (size_t)size);
}

static void scan_rows(row r, hd_view in, int32_t axis, hd_view out, const ref_how *how)
{
    const int64_t n = in.shape[axis], count = n ? hd_count(in) / n : 0;
    char *x = check_memory(8 * (size_t)n), *y = check_memory(8 * (size_t)n);
    for (int64_t j = 0; j < count; j++) {
        move_row(in, axis, j, x, false);
        ref_scan(r.op, r.type, x, n, r.out_type, y, NULL, how);
        move_row(out, axis, j, y, true);
    }
    free(x);
    free(y);
}

static void try_axis(row r, const check_array *in, int32_t axis, const ref_how *how,
                     uint64_t *state)
{
    int64_t stride[HD_MAX_DIMS];
    const hd_view v = in->view;
    const size_t bytes = 8 * (size_t)hd_count(v);
    check_strides(v.ndim, v.shape, state, stride);
    check_array want = check_new_nd(r.out_type, v.ndim, v.shape, NULL, false);
    check_array out =
        check_new_nd(r.out_type, v.ndim, v.shape, *state & 8 ? stride : NULL, *state & 1);
    void *got = check_memory(bytes), *expected = check_memory(bytes);
    scan_rows(r, v, axis, want.view, how);
    check_get(&want, expected);
    for (int t = 0; t < target_count; t++) {
        const hd_scan_options options = {.axis = t % 2 ? HD_AXIS(axis) : HD_AXIS(axis - v.ndim),
                                         .exclusive = how->exclusive,
                                         .backward = how->backward,
                                         .init = how->init};
        CHECK_OK(targets[t].ctx, hd_scan(targets[t].ctx, v, r.op, out.view, &options));
        check_get(&out, got);
        CHECK_SAME(r.out_type, got, expected, hd_count(v), "axis %d of %d: %s", (int)axis,
                   (int)v.ndim, describe(r, how, "axis", targets[t].name));
        CHECK(check_gaps(&out), "%s wrote between", describe(r, how, "axis", targets[t].name));
    }
    check_drop(&want), check_drop(&out);
    free(got);
    free(expected);
}

static void test_axes(int32_t ndim, const int64_t *shape, int first, int count)
{
    uint64_t state = check_seed() + (uint64_t)ndim;
    for (int k = first; k < first + count; k++) {
        const row r = rows[k % ROWS];
        int64_t stride[HD_MAX_DIMS];
        _Alignas(8) unsigned char init[8];
        check_strides(ndim, shape, &state, stride);
        check_array in = check_new_nd(r.type, ndim, shape, k % 3 ? stride : NULL, k & 1);
        const int64_t n = hd_count(in.view);
        void *x = check_memory(hd_type_size(r.type) * (size_t)n);
        check_fill(r.type, x, n, r.op == HD_PRODUCT ? CHECK_UNITS : (check_pattern)(k % 4), state);
        check_fill(r.out_type, init, 1, CHECK_UNITS, state);
        check_put(&in, x);
        for (int32_t axis = 0; axis < ndim; axis++) {
            const ref_how how = {.exclusive = (k + axis) % 2,
                                 .backward = (k + axis) % 3 == 1,
                                 .init = k % 4 == 1 && takes_init(r.op) ? init : NULL};
            try_axis(r, &in, axis, &how, &state);
        }
        free(x);
        check_drop(&in);
    }
}

static void test_all_axes(void)
{
    static const int64_t small[][HD_MAX_DIMS] = {{17},
                                                 {5, 9},
                                                 {4, 0, 3},
                                                 {3, 4, 5},
                                                 {2, 3, 4, 5},
                                                 {2, 1, 3, 2, 5},
                                                 {2, 2, 3, 1, 2, 2, 3},
                                                 {2, 2, 2, 3, 2, 1, 2, 3},
                                                 {33, 65}};
    static const int32_t dims[] = {1, 2, 3, 3, 4, 5, 7, 8, 2};
    for (int k = 0; k < 9; k++) test_axes(dims[k], small[k], 0, check_small() ? 4 : ROWS);
    if (check_small()) return;
    test_axes(2, (int64_t[]){3, 40009}, 0, 4);
    test_axes(2, (int64_t[]){40009, 3}, 0, 4);
    test_axes(3, (int64_t[]){65, 31, 40}, 2, 5);
}

// ---- Segments and keys ----------------------------------------------------------------------

// One question over heads; where they come from is in options.
static void ask(row r, int64_t n, const void *x, const ref_how *how, hd_scan_options options,
                int turn, const char *part)
{
    const check_layout layout = turn % 3 ? CHECK_DENSE : (check_layout)(turn % 2 + 1);
    check_array in = check_new(r.type, n, layout, turn & 1),
                out = check_new(r.out_type, n, layout, turn & 2);
    check_array values = check_new(r.type, n, layout, false);
    void *want = check_memory(8 * (size_t)n), *want_values = check_memory(8 * (size_t)n),
         *got = check_memory(8 * (size_t)n);
    const bool in_place = r.type == r.out_type && turn % 3 == 1;
    ref_scan(r.op, r.type, x, n, r.out_type, want, is_arg(r.op) ? want_values : NULL, how);
    options.values = is_arg(r.op) ? HD_REF(values.view) : NULL;
    for (int t = 0; t < target_count; t++) {
        check_put(&in, x);
        CHECK_OK(targets[t].ctx,
                 hd_scan(targets[t].ctx, in.view, r.op, in_place ? in.view : out.view, &options));
        check_get(in_place ? &in : &out, got);
        CHECK_SAME(r.out_type, got, want, n, "%s", describe(r, how, part, targets[t].name));
        CHECK(check_gaps(&out), "%s wrote between", describe(r, how, part, targets[t].name));
        if (!is_arg(r.op)) continue;
        check_get(&values, got);
        CHECK_SAME(r.type, got, want_values, n, "values of %s",
                   describe(r, how, part, targets[t].name));
    }
    check_drop(&in), check_drop(&out), check_drop(&values);
    free(want), free(want_values), free(got);
}

static void try_parts(row r, int64_t n, int turn)
{
    uint64_t state = check_seed() + (uint64_t)turn * 41;
    unsigned char *heads = check_memory((size_t)n);
    _Alignas(8) unsigned char init[8];
    const int64_t room = n / 2 + 20;
    int64_t *offsets = check_memory(8 * (size_t)room);
    const hd_type key_type = check_type(turn % 13);
    void *x = check_memory(hd_type_size(r.type) * (size_t)n), *keys = check_memory(8 * (size_t)n);
    check_fill(r.type, x, n, r.op == HD_PRODUCT ? CHECK_UNITS : (check_pattern)(turn % 4), state);
    check_fill(r.out_type, init, 1, CHECK_UNITS, state);
    ref_how how = {.exclusive = turn & 1,
                   .backward = turn & 2,
                   .heads = heads,
                   .init = turn % 5 == 1 && takes_init(r.op) ? init : NULL};
    hd_scan_options options = {
        .exclusive = how.exclusive, .backward = how.backward, .init = how.init};

    const int64_t count = check_offsets(n, room, &state, offsets);
    ref_heads_of_offsets(offsets, count, heads, n);
    options.segments = HD_REF(HD_VIEW(offsets, count));
    ask(r, n, x, &how, options, turn, "segments");

    check_keys(key_type, keys, n, &state);
    ref_heads_of_keys(key_type, keys, heads, n);
    options.segments = NULL;
    options.keys = HD_REF(HD_VIEW_OF(key_type, keys, n));
    ask(r, n, x, &how, options, turn, "key");
    free(x), free(keys), free(heads), free(offsets);
}

// Offsets may be few: none, one in the middle, only the ends, many at one place.
static void test_few_offsets(void)
{
    const int32_t x[] = {1, 2, 3, 4, 5, 6};
    static const struct {
        int64_t count, offsets[6];
        int32_t want[6];
    } cases[] = {{0, {0}, {1, 3, 6, 10, 15, 21}},
                 {1, {3}, {1, 3, 6, 4, 9, 15}},
                 {2, {0, 6}, {1, 3, 6, 10, 15, 21}},
                 {4, {2, 2, 2, 5}, {1, 3, 3, 7, 12, 6}},
                 {6, {0, 1, 2, 3, 4, 5}, {1, 2, 3, 4, 5, 6}},
                 {3, {6, 6, 6}, {1, 3, 6, 10, 15, 21}}};
    for (int t = 0; t < target_count; t++)
        for (int k = 0; k < 6; k++) {
            int32_t got[6] = {0};
            uint8_t narrow[6];
            for (int i = 0; i < 6; i++) narrow[i] = (uint8_t)cases[k].offsets[i];
            const hd_scan_options options = {.segments = HD_REF(HD_VIEW(narrow, cases[k].count))};
            CHECK_OK(targets[t].ctx,
                     hd_scan(targets[t].ctx, HD_VIEW(x, 6), HD_SUM, HD_VIEW(got, 6), &options));
            CHECK_SAME(HD_I32, got, cases[k].want, 6, "offsets %d on %s", k, targets[t].name);
        }
}

int main(void)
{
    static const int64_t sizes[] = {0, 1, 2, 9, 33, 100, 257, 1000, 4097, 10007, 40009, 131101};
    target_count = check_targets(&targets);
    test_few_offsets();
    test_all_axes();
    for (int k = 0; k < 12; k++)
        for (int r = 0; r < ROWS; r++) {
            if (sizes[k] > 5000 && r % 4 != k % 4) continue;
            if (check_small() && sizes[k] > 1000 && (sizes[k] != 40009 || r % 8 != 2)) continue;
            try_parts(rows[r], sizes[k], k * 17 + r);
        }
    return check_finish();
}
