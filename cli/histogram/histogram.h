// SPDX-License-Identifier: Apache-2.0
//
// heddle histogram from inside: what its files share.
#ifndef HEDDLE_CLI_HISTOGRAM_HISTOGRAM_H
#define HEDDLE_CLI_HISTOGRAM_HISTOGRAM_H

#include "cli/run/workspace.h"

typedef enum bin_kind { BINS_INTEGERS, BINS_EVEN, BINS_EDGES, BINS_LETTERS } bin_kind;

// The options of one axis as they were given, and what they come to.
typedef struct bin_options {
    const char *prefix; // of the options' names: "" or "with-"
    const char *range, *edges;
    arg_int bins, first;
    bool integers;
    arg_int letters;
} bin_options;

typedef struct bin_axis {
    bin_kind kind;
    int64_t bins, first;
    double lower, upper;
    hd_view edges;
    int32_t letters;
} bin_axis;

// What the options and, where they leave something open, the least and the greatest element say.
int histogram_axis(workspace *w, const bin_options *o, hd_view in, bin_axis *axis);

// A file's bytes as they are.
int histogram_text(const char *command, const char *file, void **memory, hd_view *view);

// One line a bin: what it holds, and its count; on a terminal a bar too.
void histogram_print(const bin_axis *axis, hd_view out, bool hex, bool bars);

#endif
