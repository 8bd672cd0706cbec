// SPDX-License-Identifier: Apache-2.0
//
// Kernels of tests/kernels that say in a comment how they are run and what must be found:
//
//     // run 2 64: race             2 blocks of 64 threads, arguments x and y
//     // run 1 64 yd: nothing       y only, with 4096 bytes of dynamic shared memory
//     // run ring 4 64 xyc: nothing a cluster of all 4 blocks
//     // run scan 4 16x16: nothing  a kernel by its name, where the comment is not above it
//
// Arguments by letters: x 4096 ints that are there, y and z 4096 zeros, n the number 64, m 512, r
// 9; in a file that says "1024 numbers of its 4096" x has its first quarter, y nothing. Lines of a
// finding carry "//! " and what is found there.
#ifndef HEDDLE_TESTS_SUPPORT_MODEL_RUNS_H
#define HEDDLE_TESTS_SUPPORT_MODEL_RUNS_H

#include "model_check.h"

enum { MODEL_MOST_LINES = 8000, MODEL_MAX_RUNS = 200, MODEL_WORDS = 4096 };

typedef struct model_source {
    char *text;
    const char *line[MODEL_MOST_LINES];
    int count;
} model_source;

typedef struct model_run_line {
    char kernel[64], what[40], arguments[8];
    int blocks, threads[2];
    bool unwritten;
} model_run_line;

// A file of tests/kernels, by lines; the test fails where it is not there.
model_source model_read_source(const char *name);
void model_free_source(model_source *source);

// The kernels of a .cu that say how they are run: how many.
int model_runs(const model_source *source, model_run_line runs[MODEL_MAX_RUNS]);

// The report, also where the launch failed; NULL: there is none.
const hd_model_report *model_run_by_line(hd_model *model, const hd_model_module *module,
                                         const model_run_line *run);

#endif
