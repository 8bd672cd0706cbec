// SPDX-License-Identifier: Apache-2.0
//
// The patterns of bench/scaling timed: on one rank alone, where nothing crosses a network, and over
// all ranks.
#ifndef HEDDLE_CLI_MPI_SPEEDS_H
#define HEDDLE_CLI_MPI_SPEEDS_H

#include "bench/scaling/scaling.h"
#include "network.h"

typedef struct speeds {
    int64_t n;                        // elements of a rank
    double alone[SCALING_PATTERNS];   // seconds of a call on n elements of one rank
    double over[SCALING_PATTERNS];    // on n elements of each
    double element[SCALING_PATTERNS]; // alone, for each element
} speeds;

// Collective: the slowest rank's times. n: elements of a rank, at least 4096.
int speeds_measure(job *r, int64_t n, measuring how, speeds *s);

#endif
