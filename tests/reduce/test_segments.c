// SPDX-License-Identifier: Apache-2.0
//
// Reductions of segments where the cpu backend has ways of its own: many short ones, all of one
// length, long ones shared by all threads. Each must have the bits of a reduction of its own,
// nothing outside may be read, and offsets that are wrong anywhere must be refused.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

static const check_target *targets;
static int target_count;

// ---- Lengths ----------------------------------------------------------------------------------

typedef int64_t length_of(int64_t j, uint64_t *state);

static int64_t eight(int64_t j, uint64_t *state)
{
    (void)j, (void)state;
    return 8;
}

static int64_t sixteen(int64_t j, uint64_t *state)
{
    (void)j, (void)state;
    return 16;
}

static int64_t almost_thirty_two(int64_t j, uint64_t *state)
{
    (void)state;
    return j == 20011 ? 31 : j == 20012 ? 33 : 32;
}

static int64_t all_sorts(int64_t j, uint64_t *state)
{
    (void)state;
    return j % 70;
}

static int64_t tiny_or_none(int64_t j, uint64_t *state)
{
    (void)j;
    return (int64_t)check_below(state, 8);
}

// About as many elements in segments of any length from 1 to 2^17.
static int64_t power_law(int64_t j, uint64_t *state)
{
    (void)j;
    const int64_t u = (int64_t)check_below(state, 1 << 17) + 1;
    return (1 << 17) / u;
}

static int64_t hundreds_and_more(int64_t j, uint64_t *state)
{
    return 200 * power_law(j, state) + (int64_t)check_below(state, 300);
}

static int64_t everything(int64_t j, uint64_t *state)
{
    (void)j, (void)state;
    return INT64_MAX / 2;
}

static const struct {
    const char *name;
    length_of *of;
} lengths[] = {{"8 each", eight},
               {"16 each", sixteen},
               {"32 each but two", almost_thirty_two},
               {"0 to 69", all_sorts},
               {"0 to 7", tiny_or_none},
               {"power law", power_law},
               {"hundreds and more", hundreds_and_more},
               {"one", everything}};

// offsets[0 .. m] over n elements; returns m.
static int64_t make_offsets(length_of *of, int64_t n, int64_t *offsets, uint64_t *state)
{
    int64_t m = 0;
    for (offsets[0] = 0; offsets[m] < n && m < n; m++) {
        const int64_t length = of(m, state), left = n - offsets[m];
        offsets[m + 1] = offsets[m] + (length < left ? length : left);
    }
    return m;
}

// ---- Bits -------------------------------------------------------------------------------------

static void try_lengths(hd_type type, const hd_operator *op, int64_t n, int which)
{
    uint64_t state = check_seed() + (uint64_t)which;
    const size_t size = hd_type_size(type);
    int64_t *offsets = check_memory(8 * (size_t)(n + 1));
    const int64_t m = make_offsets(lengths[which].of, n, offsets, &state);
    check_array in = check_new(type, n, CHECK_DENSE, false),
                out = check_new(type, m, CHECK_DENSE, false);
    char *want = check_memory(size * (size_t)m);
    check_fill(type, in.view.data, n, op == HD_PRODUCT ? CHECK_UNITS : (check_pattern)(which % 4),
               state);
    for (int64_t j = 0; j < m; j++)
        ref_reduce(op, type, (const char *)in.view.data + size * (size_t)offsets[j],
                   offsets[j + 1] - offsets[j], type, want + size * (size_t)j, NULL, &(ref_how){0});
    for (int t = 0; t < target_count; t++) {
        const hd_reduce_options options = {.segments = HD_REF(HD_VIEW(offsets, m + 1))};
        memset(out.view.data, CHECK_FILLER, size * (size_t)m);
        CHECK_OK(targets[t].ctx, hd_reduce(targets[t].ctx, in.view, op, out.view, &options));
        CHECK_SAME(type, out.view.data, want, m, "%s of %" PRId64 " %s, lengths %s, on %s",
                   hd_operator_name(op), n, hd_type_name(type), lengths[which].name,
                   targets[t].name);
    }
    check_drop(&in), check_drop(&out);
    free(want), free(offsets);
}

// ---- Offsets that are wrong -------------------------------------------------------------------

// Good ones over all elements, then again from the start: each group is good but one.
static void test_twice_the_elements(int64_t n, int64_t length)
{
    const int64_t m = 2 * (n / length);
    int64_t *offsets = check_memory(8 * (size_t)(m + 1));
    for (int64_t j = 0; j <= m; j++) offsets[j] = j <= m / 2 ? j * length : (j - m / 2) * length;
    check_array in = check_new(HD_F32, n, CHECK_DENSE, false),
                out = check_new(HD_F32, m, CHECK_DENSE, false);
    memset(in.view.data, 0, 4 * (size_t)n);
    for (int t = 0; t < target_count; t++) {
        const hd_reduce_options options = {.segments = HD_REF(HD_VIEW(offsets, m + 1))};
        const hd_status status = hd_reduce(targets[t].ctx, in.view, HD_SUM, out.view, &options);
        CHECK(status == HD_ERROR_VALUE, "offsets that fall, length %" PRId64 ", on %s: status %d",
              length, targets[t].name, (int)status);
    }
    check_drop(&in), check_drop(&out);
    free(offsets);
}

// One offset of many even ones is far outside.
static void test_one_outside(int64_t n, int64_t value)
{
    const int64_t m = n / 16;
    int64_t *offsets = check_memory(8 * (size_t)(m + 1));
    for (int64_t j = 0; j <= m; j++) offsets[j] = 16 * j;
    offsets[m / 2 / 16 * 16] = value;
    check_array in = check_new(HD_F32, n, CHECK_DENSE, false),
                out = check_new(HD_F32, m, CHECK_DENSE, false);
    memset(in.view.data, 0, 4 * (size_t)n);
    for (int t = 0; t < target_count; t++) {
        const hd_reduce_options options = {.segments = HD_REF(HD_VIEW(offsets, m + 1))};
        const hd_status status = hd_reduce(targets[t].ctx, in.view, HD_SUM, out.view, &options);
        CHECK(status == HD_ERROR_VALUE, "offset %" PRId64 " on %s: status %d", value,
              targets[t].name, (int)status);
    }
    check_drop(&in), check_drop(&out);
    free(offsets);
}

int main(void)
{
    const int64_t large = check_small() ? 70001 : (1 << 20) + 4711;
    target_count = check_targets(&targets);
    for (int k = 0; k < (int)(sizeof lengths / sizeof *lengths); k++) {
        try_lengths(HD_F32, HD_SUM, large, k);
        try_lengths(HD_F32, HD_SUM, 1000 + k, k);
        try_lengths(HD_F32, HD_PRODUCT, 30011, k);
        try_lengths(HD_F64, HD_SUM, k % 2 ? 30011 : large, k);
        try_lengths(HD_I32, HD_SUM, 30011, k);
        try_lengths(HD_F32, HD_MAX, 30011, k);
    }
    test_twice_the_elements(1 << 20, 1 << 15);
    test_twice_the_elements(1 << 21, 300);
    test_twice_the_elements(1 << 21, 16);
    test_one_outside(1 << 21, -1);
    test_one_outside(1 << 21, INT64_MIN);
    test_one_outside(1 << 21, INT64_MAX);
    test_one_outside(1 << 21, (1 << 21) + 1);
    return check_finish();
}
