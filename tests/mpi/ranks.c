// SPDX-License-Identifier: Apache-2.0
// The ranks of a test, the layouts that they draw, and the tests that need no more of MPI than the
// library does.
#include "mpi_test.h"

#include <stdlib.h>
#include <string.h>

bool test_all(void)
{
    const char *all = getenv("HEDDLE_TEST_ALL");
    return all != NULL && *all != 0 && strcmp(all, "0") != 0;
}

part draw_part(ranks *r, int64_t n)
{
    int64_t cut[65];
    const int kind = (int)check_below(&r->state, 4), owner = (int)check_below(&r->state, r->ranks);
    for (int k = 0; k <= r->ranks; k++) cut[k] = hd_mpi_even(n, k, r->ranks);
    for (int k = 1; kind == 1 && k < r->ranks; k++) // some ranks have nothing
        if (check_below(&r->state, 2)) cut[k] = cut[k - 1];
    for (int k = 1; kind == 2 && k < r->ranks; k++) cut[k] = k <= owner ? 0 : n; // one has all
    for (int k = r->ranks - 1; kind == 3 && k > 0; k--)
        cut[k] = check_below(&r->state, cut[k + 1] + 1);
    return (part){cut[r->rank], cut[r->rank + 1] - cut[r->rank]};
}

void check_mpi(const char *file, int line, const char *text, const ranks *r, hd_status status)
{
    if (status != HD_OK)
        check_failed(file, line, text, "%s: %s", hd_status_name(status), hd_mpi_error(r->mpi));
}

void open_ranks(ranks *r, int threads)
{
    *r = (ranks){.state = check_seed()};
    MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r->ranks);
    if (r->ranks > 64) exit(1);
    r->serial = check_open(HD_SERIAL, 1, NULL);
    const int mine = threads > 0 ? threads : 1 + r->rank % 2;
    r->ctx = check_open(r->rank % 3 == 2 ? HD_SERIAL : HD_CPU, mine, NULL);
    CHECK_OK(r->ctx, hd_mpi_open(&r->mpi, r->ctx, MPI_COMM_WORLD));
}

void close_ranks(ranks *r)
{
    hd_mpi_close(r->mpi);
    hd_close(r->ctx), hd_close(r->serial);
}

void draw_everything(ranks *r)
{
    draw_fold(r);
    draw_move(r);
    draw_by_index(r);
    draw_neighbours(r);
    draw_graph(r);
    draw_error(r);
}

void test_everything(ranks *r)
{
    test_reduce(r);
    test_scan(r);
    test_segments(r);
    test_runs(r);
    test_partition(r);
    test_moves(r);
    test_sort(r);
    test_sorts(r);
    test_chunks(r);
    test_by_index(r);
    test_neighbours(r);
    test_graphs(r);
    test_lists(r);
    test_failures(r);
    test_hostile(r);
    test_errors(r);
}
