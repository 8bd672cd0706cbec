// SPDX-License-Identifier: Apache-2.0
//
// Functions of the caller's that answer otherwise when they are asked again. What they choose is
// then unspecified, but every output is written within its bounds and every call ends: partition
// asks once, a histogram of very many bins notices.
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/check.h"

static atomic_long asked;
static long first_answers; // as many calls are answered with 0
static int32_t later;      // and the others with this

static int32_t answer(void)
{
    return atomic_fetch_add(&asked, 1) < first_answers ? 0 : later;
}

HD_FUNCTION(shifty, int32_t, HD_NO_SOURCE, (int32_t, x), { return (void)x, answer(); })
HD_FUNCTION(shifty_flag, bool, HD_NO_SOURCE, (int32_t, x), { return (void)x, answer() != 0; })

static void begin(long answers, int32_t then)
{
    atomic_store(&asked, 0);
    first_answers = answers, later = then;
}

static void test_partition(const check_target *t, int64_t n, int32_t then)
{
    check_array in = check_new(HD_I32, n, CHECK_DENSE, false);
    int64_t counts[10];
    for (int at_front = 0; at_front < 2; at_front++) {
        check_array out = check_new(HD_I32, n, CHECK_DENSE, at_front);
        begin((long)n, then);
        const hd_partition_options many = {.ways = 10, .bucket = shifty};
        CHECK_OK(t->ctx, hd_partition(t->ctx, in.view, out.view, HD_VIEW(counts, 10), &many));
        CHECK(counts[0] == n && check_slack(&out), "%s: %lld of bucket 0", t->name,
              (long long)counts[0]);
        begin((long)n, 1);
        const hd_partition_options two = {.keep = shifty_flag};
        CHECK_OK(t->ctx, hd_partition(t->ctx, in.view, out.view, HD_VIEW(counts, 2), &two));
        CHECK(counts[1] == n && check_slack(&out), "%s: %lld kept", t->name, (long long)counts[0]);
        check_drop(&out);
    }
    check_drop(&in);
}

static void test_histogram(const check_target *t)
{
    enum { N = 1500000, BINS = 5000000 };
    check_array in = check_new(HD_I32, N, CHECK_DENSE, false);
    check_array out = check_new(HD_U32, BINS, CHECK_DENSE, true);
    memset(in.view.data, 0, sizeof(int32_t) * N);
    begin(N, BINS - 1);
    const hd_status status =
        hd_histogram(t->ctx, in.view, out.view, &(hd_histogram_options){.bin = shifty});
    CHECK(status == HD_OK || (status == HD_ERROR_VALUE && strstr(hd_error(t->ctx), "another bin")),
          "%s: %s", t->name, hd_error(t->ctx));
    CHECK(check_slack(&out), "%s: wrote beside the bins", t->name);
    check_drop(&in), check_drop(&out);
}

int main(void)
{
    const check_target *targets;
    const int count = check_targets(&targets);
    static const int32_t then[] = {9, 1000000, -1};
    alarm(300); // a call that does not end fails the test
    for (int t = 0; t < count; t++) {
        for (int k = 0; k < 3; k++)
            test_partition(&targets[t], 1000, then[k]),
                test_partition(&targets[t], 100003, then[k]);
        if (t % 4 == 1 && !check_small()) test_histogram(&targets[t]);
    }
    return check_finish();
}
