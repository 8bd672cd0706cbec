// SPDX-License-Identifier: Apache-2.0
//
// The model of patterns over ranks: what its formulas say by hand for small numbers, and what any
// such model must have.
#include "bench/scaling/scaling.c"

#include <math.h>
#include <string.h>

#include "tests/support/check.h"

static const scaling_pattern *named(const char *name)
{
    for (int k = 0; k < SCALING_PATTERNS; k++)
        if (strcmp(scaling_patterns[k].name, name) == 0) return &scaling_patterns[k];
    return NULL;
}

static scaling_cost cost_of(const char *name, double n, double ranks)
{
    return named(name)->cost(n, ranks);
}

static void check_cost(const char *name, double n, double ranks, scaling_cost want)
{
    const scaling_cost c = cost_of(name, n, ranks);
    const double got[] = {c.rounds, c.messages, c.bytes, c.exchanged, c.steps, c.again};
    const double by_hand[] = {want.rounds,    want.messages, want.bytes,
                              want.exchanged, want.steps,    want.again};
    static const char *const part[] = {"rounds",    "messages", "bytes",
                                       "exchanged", "steps",    "again"};
    for (int k = 0; k < 6; k++)
        CHECK(got[k] == by_hand[k], "%s of %g on %g ranks: %s: expected %g, got %g", name, n, ranks,
              part[k], by_hand[k], got[k]);
}

// As docs/scaling.md has them.
static void test_by_hand(void)
{
    // 8 ranks are 3 levels; a carry of 2^20 elements is 2 * 20 partial results of 8 bytes, and 64.
    check_cost("reduce", 1048576, 8, (scaling_cost){12, 3, 3 * 384, 0, 0, 0});
    check_cost("scan", 1048576, 8, (scaling_cost){9, 3, 3 * 384, 0, 0, 0});
    check_cost("compact", 4096, 8, (scaling_cost){3, 0, 0, 0, 0, 0});
    check_cost("histogram", 4096, 2, (scaling_cost){5, 0, 16 * 4096, 0, 0, 0});
    // Three of four elements of each of 4 ranks leave it, to 3 ranks; counts are 4 * 4 * 2 bytes.
    check_cost("transpose", 4096, 4, (scaling_cost){14, 3, 32, 768 * 8, 0, 0});
    check_cost("gather", 4096, 4, (scaling_cost){16, 6, 64, 768 * 16, 0, 0});
    check_cost("scatter", 4096, 4, (scaling_cost){16, 6, 64, 768 * 16, 0, 0});
    // 35 calls with a number for the one other rank, there and back; 34 searches in 2^11 keys.
    check_cost("sort", 4096, 2, (scaling_cost){44, 1, 35 * 16 + 8, 1024 * 4, 34 * 11, 0.5});
    check_cost("stencil", 49152, 4, (scaling_cost){16, 4, 32 + 2 * 8200, 0, 0, 0.5});
    // A list of 4096 nodes is ranked on rank 0 at once, two more take a round.
    check_cost("rank", 4096, 2, (scaling_cost){19, 0, 0, 100 * 1024, 0, 0});
    check_cost("rank", 4098, 2, (scaling_cost){29, 4, 32, 100 * 1024.5, 0, 0});
}

static void check_near(const char *what, double want, double got)
{
    CHECK(fabs(want - got) <= 1e-12 * want, "%s: expected %g, got %g", what, want, got);
}

// Seconds are the sum of the costs times what each takes.
static void test_seconds(void)
{
    const scaling_machine m = {1e-6, 1e-9, 2e-6, 3e-9, 5e-9};
    const scaling_cost c = {2, 3, 1000, 500, 100, 0};
    const scaling_pattern *sort = named("sort");
    check_near("between ranks", 4e-6 + 3e-6 + 1e-6 + 1.5e-6 + 0.5e-6, scaling_between(&m, &c));
    check_near("one rank", 1e-6, scaling_seconds(&m, sort, 1e-9, 1000, 1));
    const scaling_cost two = sort->cost(1000, 2);
    check_near("two ranks", 1.5 * 0.5e-6 + scaling_between(&m, &two),
               scaling_seconds(&m, sort, 1e-9, 1000, 2));
}

// What must hold on any number of ranks: a sort and a transposed matrix send each element at most
// once, a histogram and a reduction none.
static void test_volumes(void)
{
    for (double ranks = 2; ranks <= 131072; ranks *= 4) {
        const double n = 4194304 * ranks;
        for (int k = 0; k < SCALING_PATTERNS; k++) {
            const scaling_pattern *p = &scaling_patterns[k];
            const scaling_cost c = p->cost(n, ranks);
            CHECK(c.rounds >= log2(ranks), "%s: %g rounds on %g ranks", p->name, c.rounds, ranks);
        }
        const double mine = n / ranks, sorted = cost_of("sort", n, ranks).exchanged;
        const double turned = cost_of("transpose", n, ranks).exchanged;
        CHECK(sorted < 4 * mine, "sort sends %g bytes of %g", sorted, 4 * mine);
        CHECK(turned < 8 * mine, "transpose sends %g bytes of %g", turned, 8 * mine);
        CHECK(cost_of("histogram", n, ranks).exchanged == 0, "on %g ranks", ranks);
        CHECK(cost_of("reduce", n, ranks).bytes < 2e5, "on %g ranks", ranks);
    }
}

int main(void)
{
    test_by_hand();
    test_seconds();
    test_volumes();
    return check_finish();
}
