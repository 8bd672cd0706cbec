// SPDX-License-Identifier: Apache-2.0
// Data that is wrong on one rank alone: offsets, indices, links, buckets and edges of all kinds,
// numbers that are none, sequences that are not sorted. All ranks return the same status, that of
// the wrong data where it must be noticed, and the next call works.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mpi_test.h"

enum { N = 24, WIDTH = 4 }; // elements, or rows, a rank

HD_COMPARISON(less_than, int64_t, HD_NO_SOURCE, { return a < b; })
HD_COMPARISON(never_equal, int64_t, HD_NO_SOURCE, { return a % 3 <= b % 3; })

typedef struct data {
    const ranks *r;
    hd_mpi *mpi;
    bool mine; // whether this rank's data is wrong
    int64_t first, all;
    float x[N * WIDTH], y[N * WIDTH];
    int64_t index[N], out[2 * N], offset[N + 1];
    uint8_t bucket[N];
} data;

static void fill(data *d)
{
    d->first = (int64_t)d->r->rank * N, d->all = (int64_t)d->r->ranks * N;
    check_fill(HD_F32, d->x, N * WIDTH, CHECK_ORDINARY, 7);
    for (int64_t i = 0; i < N; i++) d->index[i] = d->first + i, d->bucket[i] = i % 3;
    for (int64_t i = 0; i <= N; i++) d->offset[i] = i;
}

// The same status everywhere: `want`, or, where that is HD_OK, any.
static void agrees(data *d, const char *what, hd_status got, hd_status want)
{
    const int64_t mine[2] = {got, -(int64_t)got};
    int64_t most[2];
    MPI_Allreduce(mine, most, 2, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    CHECK(most[0] == -most[1] && (want == HD_OK || got == want),
          "%s: %s on rank %d of %d, expected %s: %s", what, hd_status_name(got), d->r->rank,
          d->r->ranks, hd_status_name(want), hd_mpi_error(d->mpi));
    double total = 0;
    fill(d);
    const hd_status next =
        hd_mpi_reduce(d->mpi, HD_VIEW(d->x, N), HD_SUM, HD_VIEW(&total, 1), NULL);
    CHECK(next == HD_OK && total == total, "after %s: %s", what, hd_mpi_error(d->mpi));
}

static hd_view rows_of(float *x)
{
    return hd_view_nd(HD_F32, x, 2, (int64_t[]){N, WIDTH}, NULL);
}

// ---- Numbers of elements ------------------------------------------------------------------------

static const int64_t wrong[] = {INT64_MIN,     INT64_MIN + 1, -1000,
                                INT64_MAX - 1, INT64_MAX,     (int64_t)1 << 40};
enum { WRONG = sizeof wrong / sizeof wrong[0] };

static void try_indices(data *d, int64_t bad)
{
    const hd_view x = HD_VIEW(d->x, N), y = HD_VIEW(d->y, N), index = HD_VIEW(d->index, N);
    const hd_status bad_value = HD_ERROR_VALUE;
    if (d->mine) d->index[5] = bad;
    agrees(d, "gather", hd_mpi_gather(d->mpi, x, index, y, &(hd_gather_options){.checked = true}),
           bad_value);
    if (d->mine) d->index[5] = bad;
    agrees(d, "gather, unchecked", hd_mpi_gather(d->mpi, x, index, y, NULL), HD_OK);
    if (d->mine) d->index[5] = bad;
    agrees(d, "scatter",
           hd_mpi_scatter(d->mpi, x, index, y, &(hd_scatter_options){.checked = true}), bad_value);
    if (d->mine) d->index[5] = bad;
    agrees(d, "scatter, unchecked", hd_mpi_scatter(d->mpi, x, index, y, NULL), HD_OK);
    if (d->mine) d->index[5] = bad;
    agrees(d, "components", hd_mpi_components(d->mpi, index, index, HD_VIEW(d->out, N), NULL),
           bad_value);
    if (d->mine) d->index[5] = bad;
    agrees(d, "spmv", hd_mpi_spmv(d->mpi, HD_VIEW(d->offset, N + 1), index, x, x, HD_DOT, y, NULL),
           bad_value);
    if (d->mine) d->index[5] = bad;
    agrees(d, "list_rank", hd_mpi_list_rank(d->mpi, index, HD_VIEW(d->out, N), NULL), bad_value);
    if (d->mine) d->index[5] = bad;
    agrees(d, "list_scan", hd_mpi_list_scan(d->mpi, index, x, HD_SUM, y, NULL), bad_value);
}

// Offsets of rows, which are a rank's own, and of segments, which rise over all ranks.
static void try_offsets(data *d, int64_t bad)
{
    const hd_view x = HD_VIEW(d->x, N), y = HD_VIEW(d->y, N);
    int64_t begin[2] = {d->first, d->first + 3};
    const int64_t results = 2 - (d->r->rank == d->r->ranks - 1);
    const hd_view segments = HD_VIEW(begin, 2);
    if (d->mine) d->offset[5] = bad;
    agrees(
        d, "offsets of spmv",
        hd_mpi_spmv(d->mpi, HD_VIEW(d->offset, N + 1), HD_VIEW(d->index, N), x, x, HD_DOT, y, NULL),
        HD_ERROR_VALUE);
    if (d->mine) begin[0] = bad;
    agrees(d, "segments of reduce",
           hd_mpi_reduce(d->mpi, x, HD_SUM, HD_VIEW(d->y, results),
                         &(hd_reduce_options){.segments = &segments}),
           HD_ERROR_VALUE);
    agrees(d, "segments of scan",
           hd_mpi_scan(d->mpi, x, HD_MEAN, y, &(hd_scan_options){.segments = &segments}),
           HD_ERROR_VALUE);
}

// Two nodes link to one, or all in a circle over all ranks.
static void try_links(data *d)
{
    for (int64_t i = 0; i < N; i++) d->index[i] = (d->first + i + 1) % d->all;
    agrees(d, "a circle", hd_mpi_list_rank(d->mpi, HD_VIEW(d->index, N), HD_VIEW(d->out, N), NULL),
           HD_ERROR_VALUE);
    if (d->mine) d->index[3] = (d->first + 9) % d->all, d->index[4] = (d->first + 9) % d->all;
    agrees(d, "two links to one",
           hd_mpi_list_scan(d->mpi, HD_VIEW(d->index, N), HD_VIEW(d->x, N), HD_SUM,
                            HD_VIEW(d->y, N), NULL),
           HD_ERROR_VALUE);
}

// ---- Neighbourhoods, buckets, orders ------------------------------------------------------------

static void try_neighbourhoods(data *d)
{
    static const double sigma[] = {NAN, INFINITY, -1, 1e300, 1e18, 0};
    const hd_view in = rows_of(d->x), out = rows_of(d->y);
    for (size_t k = 0; k < sizeof sigma / sizeof sigma[0]; k++) {
        agrees(d, "blur", hd_mpi_blur(d->mpi, in, d->mine ? sigma[k] : 0.7, out, NULL), HD_OK);
        agrees(d, "blur of all", hd_mpi_blur(d->mpi, in, sigma[k], out, NULL), HD_OK);
    }
    for (int k = 0; k < WRONG; k++) {
        int64_t offset[4] = {-1, 0, d->mine ? wrong[k] : 1, 0};
        const float weight[2] = {1, 2};
        char what[60];
        snprintf(what, sizeof what, "stencil, offset %lld", (long long)wrong[k]);
        agrees(d, what,
               hd_mpi_stencil(d->mpi, in, hd_view_nd(HD_I64, offset, 2, (int64_t[]){2, 2}, NULL),
                              HD_VIEW(weight, 2), out, NULL),
               wrong[k] == -1000 && d->r->ranks == 1 ? HD_OK : HD_ERROR_ARGUMENT);
    }
    for (int64_t i = 0; d->mine && i < N; i++) d->x[i] = i % 2 ? NAN : INFINITY;
    const float mask[3] = {1, NAN, 1};
    agrees(d, "NaN",
           hd_mpi_convolve(d->mpi, HD_VIEW(d->x, N), HD_VIEW(mask, 3), HD_VIEW(d->y, N), NULL),
           HD_OK);
}

static void try_buckets(data *d)
{
    const hd_view x = HD_VIEW(d->x, N), y = HD_VIEW(d->y, N), buckets = HD_VIEW(d->bucket, N);
    if (d->mine) d->bucket[7] = 200;
    agrees(d, "partition",
           hd_mpi_partition(d->mpi, x, y, HD_EMPTY,
                            &(hd_partition_options){.buckets = &buckets, .ways = 3}),
           HD_ERROR_VALUE);
    double bins[5];
    for (int64_t i = 0; d->mine && i < N; i++) d->x[i] = i % 3 ? NAN : -INFINITY;
    agrees(d, "histogram of NaN",
           hd_mpi_histogram(
               d->mpi, x, HD_VIEW(bins, 5),
               &(hd_histogram_options){.even = true, .lower = -1, .upper = 1, .weights = &x}),
           HD_OK);
    int32_t counts[5];
    if (d->mine) d->index[0] = INT64_MIN, d->index[1] = INT64_MAX;
    agrees(d, "histogram of numbers",
           hd_mpi_histogram(d->mpi, HD_VIEW(d->index, N), HD_VIEW(counts, 5), NULL), HD_OK);
}

static void try_orders(data *d)
{
    const hd_view index = HD_VIEW(d->index, N), both = HD_VIEW(d->out, 2 * N),
                  out = HD_VIEW(d->out, N);
    for (int64_t i = 0; d->mine && i < N; i++) d->index[i] = d->all - i * 5 % 7;
    agrees(d, "a merge of what is not sorted",
           hd_mpi_merge(d->mpi, index, index, both, HD_NO_VALUES, NULL), HD_OK);
    agrees(d, "a comparison of its own",
           hd_mpi_sort(d->mpi, index, out, HD_NO_VALUES,
                       &(hd_mpi_sort_options){.comparison = d->mine ? never_equal : less_than}),
           HD_OK);
    agrees(d, "a merge by such a comparison",
           hd_mpi_merge(d->mpi, index, index, both, HD_NO_VALUES,
                        &(hd_mpi_merge_options){.comparison = d->mine ? never_equal : less_than}),
           HD_OK);
}

void test_hostile(ranks *r)
{
    const int bad[] = {0, r->ranks / 2, r->ranks - 1};
    for (int k = 0; k < 3; k++) {
        if (k > 0 && bad[k] == bad[k - 1]) continue;
        data d = {.r = r, .mpi = r->mpi, .mine = r->rank == bad[k]};
        fill(&d);
        for (int j = 0; j < WRONG; j++) try_indices(&d, wrong[j]), try_offsets(&d, wrong[j]);
        try_links(&d);
        try_neighbourhoods(&d);
        try_buckets(&d);
        try_orders(&d);
    }
}
