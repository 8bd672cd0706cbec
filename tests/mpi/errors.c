// SPDX-License-Identifier: Apache-2.0
// A failure of one rank is the status and the text of all, and nobody waits for it.
#include <stdio.h>
#include <string.h>

#include "counted_memory.h"

static void failed(const ranks *r, hd_status got, hd_status status, int rank, const char *text)
{
    char begin[32];
    snprintf(begin, sizeof begin, "rank %d: ", rank);
    CHECK(got == status, "%s: %s", hd_status_name(got), hd_mpi_error(r->mpi));
    CHECK(strncmp(hd_mpi_error(r->mpi), begin, strlen(begin)) == 0 &&
              strstr(hd_mpi_error(r->mpi), text) != NULL,
          "\"%s\"; expected \"%s... %s\"", hd_mpi_error(r->mpi), begin, text);
}

static void test_arguments(ranks *r, int bad)
{
    double x[5] = {1, 2, 3, 4, 5}, y[4];
    int64_t count;
    const bool mine = r->rank == bad;
    failed(r, hd_mpi_reduce(r->mpi, HD_VIEW(mine ? NULL : x, 4), HD_SUM, HD_VIEW(y, 1), NULL),
           HD_ERROR_ARGUMENT, bad, "hd_reduce");
    failed(r, hd_mpi_reduce(r->mpi, HD_VIEW(x, 4), HD_SUM, HD_VIEW(y, mine ? 2 : 1), NULL),
           HD_ERROR_SHAPE, bad, "expected 1");
    failed(r, hd_mpi_scan(r->mpi, HD_VIEW(x, 4), HD_SUM, HD_VIEW(y, mine ? 3 : 4), NULL),
           HD_ERROR_SHAPE, bad, "has not the 4 elements");
    failed(r,
           hd_mpi_compact(r->mpi, HD_VIEW(x, 4), HD_VIEW(y, mine ? 0 : 4), HD_VIEW(&count, 1), true,
                          NULL),
           HD_ERROR_SHAPE, bad, "expected 4");
    failed(r,
           hd_mpi_histogram(r->mpi, HD_VIEW(x, 4), HD_VIEW_OF(mine ? HD_F64 : HD_I64, y, 4),
                            &(hd_histogram_options){.even = true, .upper = 1}),
           HD_ERROR_TYPE, bad, "expected i32");
    failed(r, hd_mpi_sort(r->mpi, HD_VIEW(x, 4), HD_VIEW(mine ? x + 1 : y, 4), HD_NO_VALUES, NULL),
           HD_ERROR_ALIAS, bad, "overlaps");
    failed(r,
           hd_mpi_redistribute(r->mpi, HD_VIEW(x, 4), HD_VIEW_OF(HD_F64, y, mine ? -1 : 4), NULL),
           HD_ERROR_SHAPE, bad, "expected one");
}

// On every rank the same: the lowest speaks.
static void test_shapes(ranks *r)
{
    int32_t x[4] = {3, 1, 2, 0}, y[9];
    const int64_t room = r->rank == 0 ? 5 : 4;
    failed(r, hd_mpi_sort(r->mpi, HD_VIEW(x, 4), HD_VIEW(y, room), HD_NO_VALUES, NULL),
           HD_ERROR_SHAPE, 0, "the ins have");
    failed(r, hd_mpi_redistribute(r->mpi, HD_VIEW(x, 4), HD_VIEW(y, room), NULL), HD_ERROR_SHAPE, 0,
           "the ins have");
    failed(r,
           hd_mpi_sort(r->mpi, HD_VIEW(x, 4), HD_VIEW(y, 4), HD_NO_VALUES,
                       &(hd_mpi_sort_options){.reserved_flags = {true}}),
           HD_ERROR_ARGUMENT, 0, "reserved");
    CHECK(hd_mpi_reduce(NULL, HD_VIEW(x, 4), HD_SUM, HD_VIEW(y, 1), NULL) == HD_ERROR_ARGUMENT,
          "no ranks");
    CHECK(hd_mpi_error(NULL)[0] == 0, "nothing to say");
    hd_mpi_close(NULL);
    hd_mpi *none = NULL;
    CHECK(hd_mpi_open(&none, r->ctx, MPI_COMM_NULL) == HD_ERROR_ARGUMENT && none == NULL,
          "no communicator");
    CHECK(hd_mpi_open(&none, NULL, MPI_COMM_WORLD) == HD_ERROR_ARGUMENT && none == NULL,
          "no context");
}

// Options of a later version, whose members this one has not are zero; and axes of a transposition.
static void test_options(ranks *r)
{
    int32_t x[4] = {3, 1, 2, 0}, y[4];
    struct {
        hd_mpi_sort_options known;
        uint64_t more;
    } later = {{.size = sizeof later, .descending = true}, 0};
    const hd_view in = HD_VIEW(x, 4), out = HD_VIEW(y, 4);
    CHECK_MPI(r, hd_mpi_sort(r->mpi, in, out, HD_NO_VALUES, &later.known));
    CHECK(y[0] >= y[3] && (r->rank > 0 || y[0] == 3), "%d, ..., %d", (int)y[0], (int)y[3]);
    later.more = 1;
    failed(r, hd_mpi_sort(r->mpi, in, out, HD_NO_VALUES, &later.known), HD_ERROR_ARGUMENT, 0,
           "options.size");
    failed(r, hd_mpi_redistribute(r->mpi, in, out, &(hd_mpi_redistribute_options){.size = 3}),
           HD_ERROR_ARGUMENT, 0, "options.size");
    const hd_view square = hd_view_nd(HD_I32, x, 2, (int64_t[]){2, 2}, NULL);
    failed(r,
           hd_mpi_transpose(r->mpi, square, hd_view_nd(HD_I32, y, 2, (int64_t[]){2, 2}, NULL),
                            &(hd_transpose_options){.axes = (int32_t[]){0, 1}}),
           HD_ERROR_ARGUMENT, 0, "axes are 0, 1");
}

static void test_mismatch(ranks *r)
{
    float x[4] = {1, 2, 3, 4}, y[1];
    if (r->ranks == 1) return;
    const hd_status status =
        hd_mpi_reduce(r->mpi, HD_VIEW(x, 4), r->rank == 1 ? HD_MAX : HD_SUM, HD_VIEW(y, 1), NULL);
    CHECK(status == HD_ERROR_ARGUMENT && strstr(hd_mpi_error(r->mpi), "another operator"), "%s: %s",
          hd_status_name(status), hd_mpi_error(r->mpi));
}

// ---- Memory that runs out on one rank -----------------------------------------------------------

static void test_memory(const ranks *r)
{
    enum { N = 500 };
    float x[N], y[N];
    check_fill(HD_F32, x, N, CHECK_ORDINARY, 1);
    const int step = r->ranks <= 2 ? 1 : 4; // ranks that wait for a core each cost time
    for (int k = 0; k < 14; k += step) {
        counted_memory counts;
        hd_context *ctx = NULL;
        hd_mpi *mpi = NULL;
        open_counted(&counts, &ctx, &mpi);
        if (r->rank == r->ranks / 2) counts.fail_at = counts.calls + k;
        const hd_status status[3] = {
            hd_mpi_reduce(mpi, HD_VIEW(x, N), HD_SUM, HD_VIEW(y, 1), NULL),
            hd_mpi_scan(mpi, HD_VIEW(x, N), HD_SUM, HD_VIEW(y, N), NULL),
            hd_mpi_sort(mpi, HD_VIEW(x, N), HD_VIEW(y, N), HD_NO_VALUES, NULL)};
        int failures = 0, met = counts.fail_at >= 0 && counts.calls > counts.fail_at, any;
        MPI_Allreduce(&met, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        for (int c = 0; c < 3; c++) {
            CHECK(status[c] == HD_OK || status[c] == HD_ERROR_MEMORY, "%s: %s",
                  hd_status_name(status[c]), hd_mpi_error(mpi));
            failures += status[c] == HD_ERROR_MEMORY;
        }
        CHECK(failures == any, "allocation %d: %d calls failed", k, failures);
        close_counted(&counts, ctx, mpi);
    }
}

void draw_error(ranks *r)
{
    test_arguments(r, (int)check_below(&r->state, r->ranks));
}

void test_errors(ranks *r)
{
    test_arguments(r, r->ranks - 1);
    test_arguments(r, r->ranks / 2);
    test_shapes(r);
    test_options(r);
    test_mismatch(r);
    test_memory(r);
}
