// SPDX-License-Identifier: Apache-2.0
//
// The options of commands that run over ranks, too (cli/mpi): the structures that their tables
// fill. The tables are in the commands' files, and their help with them.
#ifndef HEDDLE_CLI_PATTERNS_COMMAND_OPTIONS_H
#define HEDDLE_CLI_PATTERNS_COMMAND_OPTIONS_H

#include "condition.h"
#include "neighbours.h"

typedef struct reduce_args {
    const char *op, *with, *segments, *keys, *keys_out, *values_out, *init, *out_type, *output,
        *accumulate;
    arg_int axis, ddof;
    file_options file;
    context_options run;
    bool json, hex, residual, bound;
} reduce_args;

// What the table of options cannot say: which of them go together. An exit code.
int reduce_check(const reduce_args *a, const hd_operator *op, const char *file);

typedef struct sort_args {
    bool descending, argsort, json, hex;
    arg_int axis;
    const char *key, *segments, *output, *values, *values_out;
    file_options file;
    context_options run;
} sort_args;

// The files of --values and --values-out: a list, cut at its commas.
#define SORT_MAX_VALUES 4
typedef struct sort_names {
    char text[4096];
    const char *file[SORT_MAX_VALUES];
    int count;
} sort_names;
int sort_cut(const char *option, const char *list, sort_names *out);
int sort_check(const sort_args *a, const char *file, const sort_names *in, const sort_names *out);

typedef struct compact_args {
    where_options where;
    const char *output, *indices_out;
    file_options file;
    context_options run;
    bool indices, json, hex;
} compact_args;

typedef struct gather_args {
    const char *output;
    arg_int axis;
    file_options file;
    context_options run;
    bool checked, json, hex;
} gather_args;

typedef struct scatter_args {
    const char *op, *into, *output;
    arg_int size;
    file_options file;
    context_options run;
    bool any_order, unique, checked, json, hex;
} scatter_args;

typedef struct transpose_args {
    const char *axes, *output;
    bool split, json, hex;
    file_options file;
    context_options run;
} transpose_args;

typedef struct stencil_args {
    const char *weights, *weights_file, *heat, *spacing, *output;
    arg_int laplacian, derivative, order, axes, steps;
    bool json, hex;
    border_options border;
    file_options file;
    context_options run;
} stencil_args;

// The neighbourhood that the options ask for, with memory for one that the library made; of
// integers (whole) its numbers are integers, too.
typedef struct stencil_neighbourhood {
    hd_view offsets, weights;
    int64_t offset[HD_MAX_LAPLACIAN * 3];
    double weight[HD_MAX_LAPLACIAN];
} stencil_neighbourhood;
int stencil_weights(workspace *w, const stencil_args *a, hd_view in, stencil_neighbourhood *t);

typedef struct convolve_args {
    const char *mask, *mask_file, *divide, *anchor, *out_type, *output;
    bool flip, direct, batches, json, hex;
    border_options border;
    file_options file;
    context_options run;
} convolve_args;

// The mask, the type of the result and the call's options.
typedef struct convolve_call {
    hd_view mask;
    hd_type type;
    hd_convolve_options options;
    int64_t anchor[2];
} convolve_call;
int convolve_prepare(workspace *w, const convolve_args *a, hd_view in, convolve_call *c);

typedef struct blur_args {
    const char *sigma, *output;
    arg_int radius;
    bool boxes, batches, json, hex;
    border_options border;
    file_options file;
    context_options run;
} blur_args;

// The standard deviation and the call's options, but for channels.
int blur_prepare(const blur_args *a, double *sigma, hd_blur_options *o);

// How far boxes in the place of a Gaussian are off: measured, and said on standard error where that
// is far; the members of it in a document.
typedef struct blur_error {
    bool known;
    int64_t box[3];   // radii
    double sigma;     // the standard deviation of the three together
    double deviation; // the largest difference of a weight from the Gaussian's
    double greatest;  // weight of the Gaussian
} blur_error;
blur_error blur_boxes(const hd_blur_options *o, double sigma);
void blur_json(json *j, const void *error);

typedef struct difference_args {
    const char *before, *output;
    arg_int axis;
    file_options file;
    context_options run;
    bool json, hex;
} difference_args;

typedef struct rank_args {
    const char *method, *heads, *values, *op, *out_type, *output, *depth_out;
    bool from_head, roots, exclusive, backward, counts, json;
    file_options file;
    context_options run;
} rank_args;
int rank_check(const rank_args *a);

#endif
