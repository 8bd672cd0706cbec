// SPDX-License-Identifier: Apache-2.0
//
// Counts of what a predicate holds for, hd_reduce by HD_SUM of a function with results of a byte:
// sums of bool and u8 come from a loop of the function's own, a block at a time, and what is left
// over from its results. The same count at any size and of any inputs, on every backend.
#include <inttypes.h>
#include <string.h>

#include "tests/support/check.h"

HD_FUNCTION(above, bool, HD_NO_SOURCE, (float, x, float, y), { return x > y; })
HD_FUNCTION(above_two, bool, HD_NO_SOURCE, (float, x), { return x > 2; })
HD_FUNCTION(low_byte, uint8_t, HD_NO_SOURCE, (float, x), { return (uint8_t)((int)x * 50); })
HD_FUNCTION(sign, int8_t, HD_NO_SOURCE, (float, x), { return (int8_t)(x > 2 ? -1 : 1); })
HD_FUNCTION(digit, char, HD_NO_SOURCE, (float, x), { return (char)(x > 2 ? 200 : 1); })
HD_FUNCTION(whole, int32_t, HD_NO_SOURCE, (float, x), { return (int32_t)x; })
HD_FUNCTION_STATE(above_state, bool, HD_NO_SOURCE, (float, x), float, { return x > *state; })
HD_SOURCE(
    pairs, typedef struct pair { float a, b; } pair;)
HD_FUNCTION(doubled, pair, pairs, (float, x), {
    pair p = {x, x};
    return p;
})

enum { MOST = 200003 };
static float x[MOST], y[MOST], strided[2 * MOST];
static int32_t order[MOST];

// Functions have the loop or not by the type of their results, copies with a state too.
static void test_loops(void)
{
    const float two = 2;
    const hd_function with = hd_with_state(above_state, &two, sizeof two);
    CHECK(above->sum != NULL && above_two->sum != NULL && low_byte->sum != NULL && with.sum != NULL,
          "a predicate without a loop of its own");
    CHECK(sign->sum == NULL && digit->sum == NULL && whole->sum == NULL && doubled->sum == NULL,
          "a loop of sums that nobody may take");
    const void *in[] = {x};
    CHECK(with.sum(in, HD__SUM_BLOCK, &two) == above_two->sum(in, HD__SUM_BLOCK, NULL), "%d",
          (int)with.sum(in, HD__SUM_BLOCK, &two));
}

#define COUNT(what, expected, ...)                                                                 \
    CHECK_OK(target->ctx,                                                                          \
             hd_reduce(target->ctx, __VA_ARGS__, HD_SUM, HD_VIEW(&got, 1), &options));             \
    CHECK(got == (expected), "%s of %" PRId64 ": %" PRId64 "; expected %" PRId64 " on %s", what,   \
          n, got, (int64_t)(expected), target->name)

static void test_size(const check_target *target, int64_t n)
{
    int64_t got, high = 0, higher = 0, bytes = 0, signs = 0, digits = 0;
    const float two = 2;
    const hd_view in = HD_VIEW(x, n);
    for (int64_t i = 0; i < n; i++) {
        high += x[i] > 2, higher += x[i] > y[i];
        bytes += (uint8_t)((int)x[i] * 50);
        signs += x[i] > 2 ? -1 : 1, digits += x[i] > 2 ? 200 : 1;
    }
    hd_reduce_options options = {.map = above_two};
    COUNT("a predicate", high, in);
    COUNT("of strided elements", high, hd_slice(HD_VIEW(strided, 2 * MOST), 0, 0, n, 2));
    COUNT("of an indexed view", high, hd_indexed(HD_VIEW(x, MOST), HD_VIEW(order, n)));
    options.map = low_byte;
    COUNT("bytes", bytes, in);
    options.map = sign;
    COUNT("signed bytes", signs, in);
    options.map = digit;
    COUNT("chars", digits, in);
    options.map = HD_WITH_STATE(above_state, &two);
    COUNT("with a state", high, in);
    options.map = above;
    options.with = HD_VIEWS(HD_VIEW(y, n));
    COUNT("of two arrays", higher, in);
    options.with = HD_VIEWS(hd_constant(2.0f, 1));
    COUNT("of a constant", high, in);
}

int main(void)
{
    const check_target *targets;
    const int count = check_targets(&targets);
    uint64_t state = 7;
    for (int i = 0; i < MOST; i++) {
        x[i] = strided[2 * i] = (float)check_below(&state, 6);
        y[i] = (float)check_below(&state, 6), strided[2 * i + 1] = 9;
        order[i] = i;
    }
    test_loops();
    static const int64_t sizes[] = {0,    1,    63,   64,   65,    127,   128,   1000,
                                    4095, 4096, 4097, 8255, 65536, 65600, 65601, MOST};
    for (int t = 0; t < count; t++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            test_size(&targets[t], sizes[k]);
        }
    return check_finish();
}
