// SPDX-License-Identifier: Apache-2.0
// What the tests over MPI share: a context for serial calls over the whole, one with its ranks, a
// sequence that all ranks make alike, and the layouts it is cut in.
#ifndef HEDDLE_TESTS_MPI_MPI_TEST_H
#define HEDDLE_TESTS_MPI_MPI_TEST_H

#include <heddle_mpi.h>

#include "tests/support/check.h"

typedef struct ranks {
    hd_context *serial; // the definition, over the whole
    hd_context *ctx;    // this rank's
    hd_mpi *mpi;
    int rank, ranks;
    uint64_t state; // of random numbers, the same on all ranks
} ranks;

// Where this rank's elements begin and how many they are, in a layout drawn from the state: even,
// with empty ranks, all on one, or wildly uneven.
typedef struct part {
    int64_t begin, n;
} part;
part draw_part(ranks *r, int64_t n);

// The call must succeed on all ranks; a failure shows the text.
#define CHECK_MPI(r, call) check_mpi(__FILE__, __LINE__, #call, (r), (call))
void check_mpi(const char *file, int line, const char *text, const ranks *r, hd_status status);

// HEDDLE_TEST_ALL=1: ./test --all.
bool test_all(void);

// This process's, or thread's, contexts and rank; collective. threads: of each context, 0: one on
// some ranks and two on others.
void open_ranks(ranks *r, int threads);
void close_ranks(ranks *r);

// The tests, a file each.
void test_reduce(ranks *r);
void test_scan(ranks *r);
void test_moves(ranks *r);
void test_sort(ranks *r);
void test_chunks(ranks *r);
void test_errors(ranks *r);
void test_by_index(ranks *r);
void test_failures(ranks *r);
void test_hostile(ranks *r);
void test_graphs(ranks *r);
void test_neighbours(ranks *r);
void test_segments(ranks *r);
void test_sorts(ranks *r);
void test_runs(ranks *r);
void test_partition(ranks *r);
void test_lists(ranks *r);
void test_everything(ranks *r); // those above

// Those that count and delay what goes to MPI (profiling.h).
void test_messages(ranks *r);
void test_delays(ranks *r);

// Views of a device, on the model machine if it is here. know: tells an MPI of the device, whose
// memory then goes to it as it lies; NULL: it goes through copies.
void test_devices(ranks *r, void (*know)(hd_context *ctx));
void test_direct(ranks *r); // what an MPI that knows the device is given (device_aware.h)

// A few calls each, of random sizes and layouts, and their errors.
void draw_fold(ranks *r);
void draw_move(ranks *r);
void draw_by_index(ranks *r);
void draw_neighbours(ranks *r);
void draw_graph(ranks *r);
void draw_error(ranks *r);
void draw_everything(ranks *r); // those above

#endif
