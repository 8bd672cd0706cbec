// SPDX-License-Identifier: Apache-2.0
//
// The benchmark's statistics and lists: order statistics, the verdict, sizes and words. Nothing
// here looks at a clock.
#include "bench/support/statistics.c"
#include "bench/support/lists.c"

#include "tests/support/check.h"

static void test_quantiles(void)
{
    const double odd[] = {5, 1, 4, 2, 3};
    statistics s = statistics_of(odd, 5);
    CHECK(s.count == 5 && s.least == 1 && s.median == 3, "median %g", s.median);
    CHECK(fabs(s.p10 - 1.4) < 1e-12 && fabs(s.p90 - 4.6) < 1e-12, "p10 %g p90 %g", s.p10, s.p90);
    CHECK(fabs(statistics_spread(&s) - 3.2 / 3) < 1e-12, "spread %g", statistics_spread(&s));
    const double even[] = {10, 20, 40, 30};
    s = statistics_of(even, 4);
    CHECK(s.median == 25, "median %g", s.median);
    s = statistics_of(even, 1);
    CHECK(s.least == 10 && s.p10 == 10 && s.median == 10 && s.p90 == 10, "one sample");
    s = statistics_of(NULL, 0);
    CHECK(s.count == 0 && s.median == 0 && statistics_spread(&s) == 0, "no samples");
    CHECK(odd[0] == 5 && odd[1] == 1, "the samples stay in their order");
}

static statistics around(double median, double half)
{
    return (statistics){9, median - half, median - half, median, median + half};
}

static void test_verdict(void)
{
    const statistics base = around(100, 5), wide = around(130, 40), slow = around(130, 5);
    const statistics quick = around(80, 5), near = around(101, 0.1);
    CHECK(statistics_compare(&base, &slow, 0.02) == 1, "slower");
    CHECK(statistics_compare(&base, &quick, 0.02) == -1, "faster");
    CHECK(statistics_compare(&base, &wide, 0.02) == 0, "within the other's spread");
    CHECK(statistics_compare(&wide, &base, 0.02) == 0, "within its own spread");
    CHECK(statistics_compare(&base, &near, 0.02) == 0, "nearer than 2 %%");
    const statistics none = {0, 0, 0, 0, 0};
    CHECK(statistics_compare(&base, &none, 0.02) == 0, "nothing to compare");
}

static void test_lists(void)
{
    int64_t n[4];
    CHECK(sizes_read("2^10", n, 4) == 1 && n[0] == 1024, "a power");
    CHECK(sizes_read("2^0,1000,2^24", n, 4) == 3 && n[0] == 1 && n[1] == 1000 && n[2] == 1 << 24,
          "a list");
    static const char *const wrong[] = {"",
                                        ",",
                                        "1,",
                                        "x",
                                        "2^",
                                        "2^41",
                                        "0",
                                        "-1",
                                        "1 2",
                                        "3^2",
                                        "2^10x",
                                        "1,,2",
                                        "2^-1",
                                        "1e3",
                                        "2^1^1",
                                        "1,2,3,4,5",
                                        "99999999999999999999"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        CHECK(sizes_read(wrong[k], n, 4) == -1, "'%s' is no list of sizes", wrong[k]);
    CHECK(list_has(NULL, "f32") && list_has("f32", "f32") && list_has("i32,F32", "f32"), "has");
    CHECK(!list_has("f3", "f32") && !list_has("f322,i32", "f32") && !list_has("", "f32"),
          "has not");
}

int main(void)
{
    test_quantiles();
    test_verdict();
    test_lists();
    return check_finish();
}
