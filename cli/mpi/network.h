// SPDX-License-Identifier: Apache-2.0
//
// What an MPI takes for messages, measured: between two ranks, among all, in collective calls.
#ifndef HEDDLE_CLI_MPI_NETWORK_H
#define HEDDLE_CLI_MPI_NETWORK_H

#include "bench/scaling/scaling.h"
#include "ranks.h"

typedef struct network {
    scaling_machine machine;
    double bandwidth; // bytes a second, one way, between two ranks
    double out;       // bytes a second out of each rank while all send to all
    double allreduce; // seconds of one number on all ranks
    int nodes;        // that share no memory
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
} network;

// About how many seconds each row is measured, and what of the times counts: the median, or the
// least where others use the machine.
typedef struct measuring {
    double seconds;
    bool least;
} measuring;

// Collective; two ranks or more.
int network_measure(const job *r, measuring how, network *net);

#endif
