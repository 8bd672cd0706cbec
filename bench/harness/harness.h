// SPDX-License-Identifier: Apache-2.0
//
// A race: contestants do the same work on the same data in the same run, in turns A B C A B C ...
// How a turn goes, and why, is written in measurement.md. Results are checked elsewhere,
// before the race.
#ifndef HEDDLE_BENCH_HARNESS_HARNESS_H
#define HEDDLE_BENCH_HARNESS_HARNESS_H

#include "bench/support/statistics.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum contestant_role { ROLE_HEDDLE, ROLE_PEAK, ROLE_PEER } contestant_role;

typedef struct contestant {
    const char *name;
    contestant_role role;
    void (*run)(void *state); // one call of the work
    // Where the work is done in another process: nanoseconds of so many calls there, or -1. Else
    // NULL.
    int64_t (*run_timed)(void *state, int64_t calls);
    void *state;

    // What race() finds out.
    bool cpu_time;   // as its settings have it
    double *samples; // nanoseconds a call; freed by contestant_clear
    int64_t count, capacity;
    double quickest; // nanoseconds a call, of the warm-ups; 0 or what is known before
    int64_t batch;   // calls in a sample
    int64_t calls;   // in all samples
    double cpu_ns;   // CPU time of all threads, a call
    statistics time; // of the samples
} contestant;

typedef struct race_settings {
    double seconds;   // about how long the race lasts
    int least_rounds; // turns everyone gets at least (slow peers excepted)
    bool cpu_time;    // times are those of the processors, of all threads
} race_settings;

// Fills in what is found out. Samples that find no memory are dropped.
void race(contestant *who, int count, const race_settings *settings);

void contestant_clear(contestant *c);

#endif
