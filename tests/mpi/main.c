// SPDX-License-Identifier: Apache-2.0
//
// The patterns over MPI, on however many ranks mpirun starts: the bits of the serial backend over
// the whole, for random layouts.
//     test_mpi           every test
//     test_mpi delays    random calls, whose messages are delayed at random
//     test_mpi devices   every call with views of a device, through copies on the host and as an MPI
//                        takes them that knows the device
//     test_mpi killed    the last rank dies in a sort: does not return
#include <stdio.h>
#include <string.h>

#include "device_aware.h"
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
    open_ranks(&r, 0);
    if (strcmp(what, "delays") == 0) {
        test_delays(&r);
    } else if (strcmp(what, "devices") == 0) {
        test_devices(&r, NULL);
        test_devices(&r, know_device);
        test_direct(&r);
    } else if (strcmp(what, "killed") == 0) {
        sort_and_die(&r);
    } else {
        test_everything(&r);
        test_messages(&r);
    }
    close_ranks(&r);
    MPI_Finalize();
    return check_finish();
}
