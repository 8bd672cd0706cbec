// SPDX-License-Identifier: Apache-2.0
//
// The patterns over MPI, on however many ranks mpirun starts: the bits of the serial backend over
// the whole, for random layouts.
//     test_mpi           every test
//     test_mpi delays    random calls, whose messages are delayed at random
//     test_mpi killed    the last rank dies in a sort: does not return
#include <stdio.h>
#include <string.h>

#include "mpi_test.h"
#include "profiling.h"

static void sort_and_die(ranks *r)
{
    enum { N = 1000 };
    float x[N], y[N];
    for (int i = 0; i < N; i++) x[i] = (float)((i * 7919 + r->rank) % N); // goes to all ranks
    if (r->rank == r->ranks - 1) die_at_next_message();
    const hd_status status = hd_mpi_sort(r->mpi, HD_VIEW(x, N), HD_VIEW(y, N), HD_NO_VALUES, NULL);
    CHECK(false, "a sort without rank %d: %s", r->ranks - 1, hd_status_name(status));
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    ranks r;
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
