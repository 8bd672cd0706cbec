// SPDX-License-Identifier: Apache-2.0
//
// A progress bar on standard error, shown only on a terminal and only for what takes a while.
#ifndef HEDDLE_CLI_SUPPORT_PROGRESS_H
#define HEDDLE_CLI_SUPPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    const char *label;
    int64_t total; // elements, or -1: not known
    double started, shown;
    bool wanted, visible;
    bool steps; // what is counted is no elements: no rate
} progress;

// Seconds on a clock that never goes back.
double seconds_now(void);

progress progress_begin(const char *label, int64_t total);
void progress_step(progress *p, int64_t done);
void progress_end(progress *p); // wipes the bar
#endif
