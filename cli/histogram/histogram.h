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

typedef struct histogram_args {
    const char *range, *edges, *weights, *with, *with_range, *with_edges, *out_type, *output;
    arg_int bins, first, letters, with_bins, with_first;
    file_options file;
    context_options run;
    bool integers, clamp, any_order, outside, json, hex;
} histogram_args;

typedef struct histogramming {
    workspace w;
    histogram_args args;
    const char *file;
    void *text; // of --letters
    hd_view in, out, weights, with;
    hd_histogram_options options;
    bin_axis first, second;
    int64_t counted, outside;
    hd_view outside_view; // of it
} histogramming;

// Its steps: whether the options go together; the bins, from options and from the least and the
// greatest of these; room for them, and the call's options; the result on its way out.
int histogram_check(const histogramming *h);
int histogram_choose(histogramming *h, hd_view rows_of, hd_view columns_of);
int histogram_allocate(histogramming *h);
int histogram_emit(histogramming *h, bool bars);

#endif
