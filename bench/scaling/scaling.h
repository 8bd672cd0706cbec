// SPDX-License-Identifier: Apache-2.0
//
// How long patterns over ranks take, on paper: what the Cost lines of heddle_mpi.h count, times
// what a machine's MPI takes for it. docs/scaling.md has the formulas. Knows no MPI.
#ifndef HEDDLE_BENCH_SCALING_SCALING_H
#define HEDDLE_BENCH_SCALING_SCALING_H

// What was measured, in seconds.
typedef struct scaling_machine {
    double latency; // a message of 8 bytes, from rank to rank
    double byte;    // each further byte of a long one
    double
        collective;   // a round of a collective call of a few bytes: its time over ceil(log2 ranks)
    double exchanged; // each byte that a rank sends while all send to all
    double step;      // a step of a binary search in a rank's keys
} scaling_machine;

// What a pattern does between ranks, on the rank that waits longest.
typedef struct scaling_cost {
    double rounds;    // of collective calls of a few bytes, a message each
    double messages;  // from rank to rank
    double bytes;     // in those, and in collective calls of a number for each rank
    double exchanged; // bytes sent in exchanges of all with all
    double steps;     // of searches
    double again;     // how often the local work is done once more
} scaling_cost;

typedef struct scaling_pattern {
    const char *name, *element; // "sort", "u32"
    int bytes;                  // of an element
    // Of n elements over ranks; nothing for one rank.
    scaling_cost (*cost)(double n, double ranks);
} scaling_pattern;

enum { SCALING_PATTERNS = 10 };
extern const scaling_pattern scaling_patterns[SCALING_PATTERNS];

// Bins of the histogram, and elements of a row of the stencil's array, that the costs are of.
#define SCALING_BINS 4096
#define SCALING_ROW  1024

// Seconds between ranks, and in all where one rank alone takes `element` seconds for each element.
double scaling_between(const scaling_machine *m, const scaling_cost *c);
double scaling_seconds(const scaling_machine *m, const scaling_pattern *p, double element, double n,
                       double ranks);

#endif
