// SPDX-License-Identifier: Apache-2.0
// Partitions into two and many buckets, in layouts that have nothing to do with those of the
// inputs, against the calls over the whole.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_test.h"

HD_FUNCTION(bucket_of, int32_t, HD_NO_SOURCE, (int64_t, x, int32_t, ways),
            { return (int32_t)(x * x % ways); })
HD_FUNCTION(is_odd, bool, HD_NO_SOURCE, (int64_t, x), { return x % 2 != 0; })

enum { MAX_WAYS = 70 };

static void try_partition(ranks *r, int64_t n, int kind)
{
    int64_t *x = check_memory(8 * (size_t)n + 8), *want = check_memory(8 * (size_t)n + 8),
            *got = check_memory(8 * (size_t)n + 8), *index = check_memory(8 * (size_t)n + 8);
    uint32_t *mine = check_memory(4 * (size_t)n + 4);
    int64_t want_counts[MAX_WAYS], want_offsets[MAX_WAYS + 1];
    int32_t counts[MAX_WAYS], offsets[MAX_WAYS + 1];
    const int32_t ways = kind == 0 ? 2 : 1 + (int32_t)check_below(&r->state, MAX_WAYS - 1);
    for (int64_t i = 0; i < n; i++) x[i] = check_below(&r->state, 1000);
    const part p = draw_part(r, n), q = draw_part(r, n);
    const hd_view divisor = hd_constant(ways, n), here = hd_constant(ways, p.n);
    hd_view to = HD_VIEW(want_offsets, ways + 1), indices = HD_VIEW(index, n);
    hd_partition_options o = {.offsets = &to, .indices = &indices};
    if (kind == 0) o.keep = is_odd, o.invert = check_below(&r->state, 2);
    if (kind == 1) o.bucket = bucket_of, o.ways = ways, o.with = (hd_views){&divisor, 1};
    CHECK_OK(r->serial, hd_partition(r->serial, HD_VIEW(x, n), HD_VIEW(want, n),
                                     HD_VIEW(want_counts, ways), &o));
    to = HD_VIEW(offsets, ways + 1), indices = HD_VIEW(mine, q.n);
    if (kind == 1) o.with.view = &here;
    CHECK_MPI(r, hd_mpi_partition(r->mpi, HD_VIEW(x + p.begin, p.n), HD_VIEW(got, q.n),
                                  HD_VIEW(counts, ways), &o));
    int64_t wrong = 0;
    for (int64_t i = 0; i < q.n; i++) wrong += mine[i] != index[q.begin + i];
    for (int k = 0; k < ways; k++)
        wrong += counts[k] != want_counts[k] || offsets[k + 1] != want_offsets[k + 1];
    CHECK(wrong == 0 && memcmp(got, want + q.begin, (size_t)q.n * 8) == 0,
          "%lld in %d ways, %lld wrong numbers, rank %d of %d", (long long)n, (int)ways,
          (long long)wrong, r->rank, r->ranks);
    free(x), free(want), free(got), free(index), free(mine);
}

static void test_refused(const ranks *r)
{
    const int64_t x[4] = {1, 2, 3, 4};
    int64_t y[5], bucket[4] = {0, 1, 0, r->rank == r->ranks - 1 ? 9 : 1};
    const hd_view buckets = HD_VIEW(bucket, 4);
    char text[64];
    hd_status status = hd_mpi_partition(r->mpi, HD_VIEW(x, 4), HD_VIEW(y, 4), HD_EMPTY,
                                        &(hd_partition_options){.buckets = &buckets, .ways = 2});
    snprintf(text, sizeof text, "rank %d: hd_partition", r->ranks - 1);
    CHECK(status == HD_ERROR_VALUE && strstr(hd_mpi_error(r->mpi), text) != NULL, "%s: %s",
          hd_status_name(status), hd_mpi_error(r->mpi));
    status = hd_mpi_partition(r->mpi, HD_VIEW(x, 4), HD_VIEW(y, 5), HD_EMPTY, NULL);
    CHECK(status == HD_ERROR_SHAPE && strstr(hd_mpi_error(r->mpi), "the outs have room") != NULL,
          "%s: %s", hd_status_name(status), hd_mpi_error(r->mpi));
}

void test_partition(ranks *r)
{
    const int tries = r->ranks <= 2 ? 40 : r->ranks <= 7 ? 14 : 6;
    for (int k = 0; k < tries; k++)
        try_partition(r, check_below(&r->state, k % 3 ? 700 : 8), k % 2);
    test_refused(r);
}
