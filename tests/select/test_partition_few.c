// SPDX-License-Identifier: Apache-2.0
//
// hd_partition of few elements into very many buckets: the parts against the definition, on serial
// and cpu; and that it takes memory for the elements, not for the buckets.
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

HD_FUNCTION(spread, uint32_t, HD_NO_SOURCE, (int32_t, x),
            { return (uint32_t)x * 2654435761u % 65536; })

enum { MAX = 1000 };

typedef struct meter {
    size_t now, most;
} meter;

static void *take(void *user, size_t bytes, size_t alignment)
{
    meter *m = user;
    void *memory =
        bytes < (size_t)1 << 30 ? aligned_alloc(alignment, (bytes + 63) / 64 * 64) : NULL;
    if (memory != NULL) m->now += bytes;
    if (m->now > m->most || memory == NULL) m->most = memory != NULL ? m->now : bytes;
    return memory;
}

static void give(void *user, void *memory, size_t bytes)
{
    ((meter *)user)->now -= bytes;
    free(memory);
}

// The definition: bucket by bucket, in the order of the elements; all of them, one bucket at a
// time, where one is not empty.
static int by_bucket(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

static void check_parts(const char *what, int64_t n, int64_t ways, const int32_t *in,
                        const int64_t *bucket, const int32_t *out, const int32_t *indices,
                        const int64_t *counts, const int64_t *offsets)
{
    static int64_t pairs[MAX][2];
    int64_t at = 0;
    for (int64_t i = 0; i < n; i++) pairs[i][0] = bucket[i], pairs[i][1] = i;
    qsort(pairs, (size_t)n, sizeof *pairs, by_bucket);
    for (int64_t i = 0; i < n; i++)
        CHECK(out[i] == in[pairs[i][1]] && indices[i] == (int32_t)pairs[i][1],
              "%s: %lld into %lld: place %lld has %d", what, (long long)n, (long long)ways,
              (long long)i, (int)out[i]);
    for (int64_t k = 0; k < ways; k++) {
        const int64_t begin = at;
        while (at < n && pairs[at][0] == k) at++;
        CHECK(offsets[k] == begin && counts[k] == at - begin, "%s: %lld into %lld: part %lld", what,
              (long long)n, (long long)ways, (long long)k);
    }
    CHECK(offsets[ways] == n, "%s: the last offset is %lld", what, (long long)offsets[ways]);
}

static void try(hd_context *ctx, int64_t n, int64_t ways, int turn)
{
    static int32_t in[MAX], wide[2 * MAX], out[MAX], indices[MAX];
    static int64_t bucket[MAX];
    uint64_t seed = check_seed() + (uint64_t)turn;
    int64_t *counts = check_memory((size_t)ways * 8),
            *offsets = check_memory((size_t)(ways + 1) * 8);
    for (int64_t i = 0; i < n; i++) {
        in[i] = (int32_t)check_next(&seed);
        bucket[i] = turn % 3 == 0 ? ways - 1 - i % 3 : check_below(&seed, ways);
        wide[2 * i] = in[i];
    }
    const bool apart = turn % 2 == 1;
    const hd_view from = apart ? hd_slice(HD_VIEW(wide, 2 * MAX), 0, 0, n, 2) : HD_VIEW(in, n);
    CHECK_OK(ctx,
             hd_partition(ctx, from, HD_VIEW(out, n), HD_VIEW(counts, ways),
                          &(hd_partition_options){.buckets = HD_REF(HD_VIEW(bucket, n)),
                                                  .ways = ways,
                                                  .offsets = HD_REF(HD_VIEW(offsets, ways + 1)),
                                                  .indices = HD_REF(HD_VIEW(indices, n))}));
    check_parts(hd_backend_name(hd_last_backend(ctx)), n, ways, in, bucket, out, indices, counts,
                offsets);
    for (int64_t i = 0; i < n; i++) bucket[i] = (uint32_t)in[i] * 2654435761u % 65536;
    if (ways >= 65536) {
        CHECK_OK(ctx,
                 hd_partition(ctx, from, HD_VIEW(out, n), HD_VIEW(counts, ways),
                              &(hd_partition_options){.bucket = spread,
                                                      .ways = ways,
                                                      .offsets = HD_REF(HD_VIEW(offsets, ways + 1)),
                                                      .indices = HD_REF(HD_VIEW(indices, n))}));
        check_parts("by a function", n, ways, in, bucket, out, indices, counts, offsets);
    }
    free(counts), free(offsets);
}

// Ten elements into 2^30 buckets.
static void test_cost(hd_backend backend)
{
    meter m = {0, 0};
    hd_context *ctx = NULL;
    float in[10], out[10];
    int32_t bucket[10], index[10];
    for (int i = 0; i < 10; i++) in[i] = (float)i, bucket[i] = (10 - i) << 26;
    CHECK(hd_open(&ctx, &(hd_context_options){.backend = backend, .allocator = {take, give, &m}}) ==
              HD_OK,
          "%s", hd_error(ctx));
    hd_partition_options o = {.buckets = HD_REF(HD_VIEW(bucket, 10)),
                              .ways = 1 << 30,
                              .indices = HD_REF(HD_VIEW(index, 10))};
    CHECK_OK(ctx, hd_partition(ctx, HD_VIEW(in, 10), HD_VIEW(out, 10), HD_EMPTY, &o));
    for (int i = 0; i < 10; i++)
        CHECK(out[i] == (float)(9 - i) && index[i] == 9 - i, "place %d has %g", i, (double)out[i]);
    CHECK(m.most < (size_t)1 << 20, "%zu bytes for ten elements", m.most);
    static const int32_t bad[] = {-1, 1 << 30, INT32_MAX};
    for (int k = 0; k < 3; k++) {
        bucket[7] = bad[k];
        CHECK(hd_partition(ctx, HD_VIEW(in, 10), HD_VIEW(out, 10), HD_EMPTY, &o) ==
                      HD_ERROR_VALUE &&
                  strstr(hd_error(ctx), "element 7 is of bucket") != NULL,
              "%s", hd_error(ctx));
    }
    hd_close(ctx);
}

int main(void)
{
    static const int64_t sizes[] = {0, 1, 2, 10, 255, 256, 257, MAX};
    static const int64_t ways[] = {5, 41, 300, 4001, 65536, 1 << 20};
    static const hd_backend backends[] = {HD_SERIAL, HD_CPU};
    int turn = 0;
    for (int b = 0; b < 2; b++) {
        hd_context *ctx = check_open(backends[b], 2, NULL);
        for (int s = 0; s < 8; s++)
            for (int w = 0; w < 6; w++) try(ctx, sizes[s], ways[w], turn++);
        hd_close(ctx);
        test_cost(backends[b]);
    }
    return check_finish();
}
