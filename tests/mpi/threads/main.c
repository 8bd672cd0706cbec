// SPDX-License-Identifier: Apache-2.0
//
// The tests over MPI with ranks that are threads of one process, for sanitizers: on few and on more
// ranks, random calls with every exchange in chunks and without. Each rank works with one thread:
// those of OpenMP's library, which is not instrumented, would look unordered.
#include "tests/mpi/mpi_test.h"

#include <stdlib.h>

static void run_rank(void *any)
{
    const int *runs = any;
    ranks r;
    open_ranks(&r, 1);
    for (int k = 0; k < *runs; k++) draw_everything(&r);
    test_failures(&r);
    test_hostile(&r);
    test_errors(&r);
    if (r.ranks == 3) test_chunks(&r), test_devices(&r, NULL);
    close_ranks(&r);
}

int main(void)
{
    static const int sizes[] = {1, 2, 3, 5, 8};
    const char *given = getenv("HEDDLE_TEST_RUNS");
    int runs = given != NULL ? atoi(given) : test_all() ? 60 : check_small() ? 3 : 12;
    for (int k = 0; k < 5; k++) mpi_run_ranks(sizes[k], run_rank, &runs);
    return check_finish();
}
