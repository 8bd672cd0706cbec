// SPDX-License-Identifier: Apache-2.0
// Runs of random calls whose messages are delayed at random, so that those of different ranks come
// in any order: results stay the same, and no rank waits for ever.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mpi_test.h"
#include "profiling.h"

enum { FEW_RUNS = 12, RUNS = 1000, HANG_S = 300 };

static char hang_text[100];
static int hang_length;

static void hangs(int number)
{
    (void)number;
    if (write(STDOUT_FILENO, hang_text, (size_t)hang_length) < 0) _exit(2);
    _exit(1); // mpirun ends the others
}

// A run: calls on ranks of their own, of one seed.
static void run(const ranks *r, int k)
{
    const uint64_t seed = r->state + (uint64_t)k;
    ranks own = *r;
    own.state = seed;
    hang_length = snprintf(hang_text, sizeof hang_text, "rank %d hangs in run %d, seed %llu\n",
                           r->rank, k, (unsigned long long)seed);
    alarm(HANG_S);
    delay_messages(seed);
    CHECK_OK(r->ctx, hd_mpi_open(&own.mpi, own.ctx, MPI_COMM_WORLD));
    switch (k % 8) { // the shorter calls more often
    case 0: draw_by_index(&own); break;
    case 1: draw_neighbours(&own); break;
    case 2: draw_graph(&own); break;
    case 3: draw_error(&own); break;
    case 4:
    case 5: draw_fold(&own); break;
    default: draw_move(&own);
    }
    hd_mpi_close(own.mpi);
    stop_delays();
    alarm(0);
}

void test_delays(ranks *r)
{
    const char *given = getenv("HEDDLE_TEST_RUNS");
    const int runs = given != NULL ? atoi(given) : test_all() ? RUNS : FEW_RUNS;
    signal(SIGALRM, hangs);
    for (int k = 0; k < runs; k++) run(r, k);
}
