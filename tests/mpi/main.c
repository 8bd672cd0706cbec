// SPDX-License-Identifier: Apache-2.0
//
// The patterns over MPI, on however many ranks mpirun starts: the bits of the serial backend over
// the whole, for random layouts.
#include "mpi_test.h"

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

int main(int argc, char **argv)
{
    ranks r = {.state = check_seed()};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r.ranks);
    if (r.ranks > 64) return 1;
    r.serial = check_open(HD_SERIAL, 1, NULL);
    r.ctx = check_open(r.rank % 3 == 2 ? HD_SERIAL : HD_CPU, 1 + r.rank % 2, NULL);
    CHECK_OK(r.ctx, hd_mpi_open(&r.mpi, r.ctx, MPI_COMM_WORLD));
    test_reduce(&r);
    test_scan(&r);
    test_segments(&r);
    test_runs(&r);
    test_partition(&r);
    test_moves(&r);
    test_sort(&r);
    test_sorts(&r);
    test_by_index(&r);
    test_neighbours(&r);
    test_graphs(&r);
    test_lists(&r);
    test_failures(&r);
    test_errors(&r);
    test_messages(&r);
    hd_mpi_close(r.mpi);
    hd_close(r.ctx), hd_close(r.serial);
    MPI_Finalize();
    return check_finish();
}
