// SPDX-License-Identifier: Apache-2.0
//
// The options of heddle components and heddle spmv, which run over ranks, too (cli/mpi).
#ifndef HEDDLE_CLI_ALGORITHMS_GRAPH_OPTIONS_H
#define HEDDLE_CLI_ALGORITHMS_GRAPH_OPTIONS_H

#include "cli/run/workspace.h"

typedef struct components_args {
    const char *output, *out_type;
    arg_int nodes;
    bool count, json;
    file_options file;
    context_options run;
} components_args;

typedef struct spmv_args {
    const char *semiring, *method, *type, *output;
    bool transpose, json;
    file_options file;
    context_options run;
} spmv_args;

// The sum and the product that --semiring names, of f32 or f64; a map of NULL multiplies.
void spmv_semiring(const char *wanted, hd_type type, const hd_operator **op,
                   const hd_function **map);

#endif
