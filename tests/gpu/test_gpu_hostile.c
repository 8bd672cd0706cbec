// SPDX-License-Identifier: Apache-2.0
//
// Calls with hostile data on the GPU's kernels, by the model machine with its checks or on a card:
// see hostile.h; calls after one that failed half way; and elements of three bytes, whose writes
// begin before a cache line's.
#include "tests/hostile/hostile.h"

#include <stdlib.h>
#include <string.h>

typedef struct uncompilable {
    int32_t a, b, c;
} uncompilable;
// It has no source that a GPU's compiler could know the structure by.
HD_OPERATOR(last_of_two, uncompilable, HD_NO_SOURCE, 0, {
    (void)a;
    return b;
})

// Sorts its sources, notes a bad index, and then fails: the fold of the operator does not compile.
static void fail_half_way(hd_context *ctx, int32_t first_bad)
{
    enum { N = 6000 };
    static uncompilable in[N], out[N];
    static int32_t index[N];
    int64_t bad;
    for (int32_t i = 0; i < N; i++) index[i] = i == first_bad ? -1 : i;
    const hd_status status =
        hd_scatter(ctx, HD_VIEW_OF(HD_STRUCT(uncompilable), in, N), HD_VIEW(index, N),
                   HD_VIEW_OF(HD_STRUCT(uncompilable), out, N),
                   &(hd_scatter_options){.combine = last_of_two, .bad = HD_REF(HD_VIEW(&bad, 1))});
    CHECK(status == HD_ERROR_COMPILE, "a structure without its source: %s", hd_status_name(status));
}

// What the failed call noted is not the next one's.
static void test_after_failure(hd_context *ctx)
{
    int32_t x[10], back[10], z[10], ones[10];
    int64_t bad = -7, count = -7, counts[10];
    for (int32_t i = 0; i < 10; i++) x[i] = i, back[i] = 9 - i, ones[i] = 1;
    const hd_view in = HD_VIEW(x, 10), index = HD_VIEW(back, 10), out = HD_VIEW(z, 10);
    fail_half_way(ctx, 5000);
    CHECK_OK(ctx,
             hd_gather(ctx, in, index, out,
                       &(hd_gather_options){.checked = true, .bad = HD_REF(HD_VIEW(&bad, 1))}));
    CHECK(bad == -1 && z[0] == 9, "gather after a failure: bad %lld, %d", (long long)bad, z[0]);
    fail_half_way(ctx, 3);
    CHECK_OK(ctx, hd_scatter(ctx, in, index, out,
                             &(hd_scatter_options){.bad = HD_REF(HD_VIEW(&bad, 1))}));
    CHECK(bad == -1 && z[0] == 9, "scatter after a failure: bad %lld, %d", (long long)bad, z[0]);
    fail_half_way(ctx, 3);
    z[0] = -1;
    CHECK_OK(ctx, hd_expand(ctx, index, HD_VIEW(ones, 10), out, HD_VIEW(&count, 1), NULL));
    CHECK(count == 10 && z[0] == 9, "expand after a failure: %lld, %d", (long long)count, z[0]);
    fail_half_way(ctx, 5000);
    CHECK_OK(ctx, hd_partition(ctx, in, out, HD_VIEW(counts, 10),
                               &(hd_partition_options){.ways = 10, .buckets = HD_REF(index)}));
    CHECK_OK(ctx, hd_sync(ctx));
    CHECK(z[0] == 9 && counts[9] == 1, "partition after a failure: %d %lld", z[0],
          (long long)counts[9]);
}

// Elements of three bytes into the middle of a device's array: what is before and behind stays.
static void test_three_bytes(hd_context *ctx)
{
    enum { N = 64, ALL = 200, AT = 40, SIZE = 3 };
    const hd_type type = (hd_type)(HD_STRUCTURE | SIZE << 8);
    unsigned char x[N * SIZE], all[ALL * SIZE], got[ALL * SIZE];
    uint8_t flags[N];
    const int64_t shape = ALL;
    int64_t count;
    hd_view out;
    for (int i = 0; i < N * SIZE; i++) x[i] = (unsigned char)(i + 1);
    memset(all, 0xee, sizeof all), memset(flags, 1, sizeof flags);
    CHECK_OK(ctx, hd_alloc_device(ctx, type, 1, &shape, &out));
    CHECK_OK(ctx, hd_map(ctx, hd_view_of(type, all, ALL), NULL, out, NULL));
    CHECK_OK(ctx,
             hd_compact(ctx, hd_view_of(type, x, N), hd_slice(out, 0, AT, N, 1), HD_VIEW(&count, 1),
                        &(hd_compact_options){.flags = HD_REF(HD_VIEW(flags, N))}));
    CHECK_OK(ctx, hd_map(ctx, out, NULL, hd_view_of(type, got, ALL), NULL));
    memcpy(all + AT * SIZE, x, sizeof x);
    CHECK(memcmp(all, got, sizeof all) == 0, "three bytes: a neighbour was written, or none was");
    CHECK_OK(ctx, hd_free(ctx, &out));
}

static void test(hd_backend which)
{
    const char *cases = getenv("HEDDLE_TEST_CASES");
    const int64_t n = cases ? strtoll(cases, NULL, 0) : which == HD_CUDA ? 300 : 40;
    check_target targets[2] = {{check_open(HD_SERIAL, 1, NULL), "serial"},
                               {check_open(which, 0, NULL), ""}};
    strcpy(targets[1].name, hd_backend_name(which));
    test_after_failure(targets[1].ctx);
    test_three_bytes(targets[1].ctx);
    for (int64_t k = 0; k < n; k++) {
        hostile h = {.state = check_seed() * 1000003 + (uint64_t)k,
                     .targets = targets,
                     .target_count = 2,
                     .tried = 1,
                     .largest = which == HD_CUDA ? 400000
                                : k % 8 == 7     ? 20000
                                                 : 3000,
                     .gpu = true};
        hostile_case(&h);
    }
    for (int t = 0; t < 2; t++) hd_close(targets[t].ctx);
}

int main(void)
{
    return check_on_gpus(test);
}
