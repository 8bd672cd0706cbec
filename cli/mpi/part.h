// SPDX-License-Identifier: Apache-2.0
//
// Arrays of files in parts, one a rank: read and written by all ranks at once where the format
// allows that (.npy and raw files), else through rank 0. All functions are collective, and begin
// with a checkpoint.
#ifndef HEDDLE_CLI_MPI_PART_H
#define HEDDLE_CLI_MPI_PART_H

#include "ranks.h"

// An array of which each rank has a part: its consecutive elements, row-major.
typedef struct part_array {
    hd_view view;  // this rank's: one row of elements, or its rows of the array
    int64_t first; // where they begin in the whole, in elements
    int64_t count; // elements of the whole
    int32_t ndim;  // of the whole; 0: a number without dimensions
    int64_t shape[HD_MAX_DIMS];
} part_array;

// What is cut: the elements, whatever the shape, or the rows of the first axis.
typedef enum part_cut { PART_ELEMENTS, PART_ROWS } part_cut;

// The array of a file, cut evenly. A NULL file gives an unset view.
int part_load(job *r, const char *file, const io_read_options *how, part_cut cut, part_array *p);

// An array of the shape and the cut of another, of a type.
int part_like(job *r, const part_array *other, hd_type type, part_array *p);

// An array of a shape, cut evenly; and one of one dimension, of which this rank has a row.
int part_new(job *r, hd_type type, int32_t ndim, const int64_t *shape, part_cut cut, part_array *p);
int part_of(job *r, hd_view row, part_array *p);

// Writes an array as a file, which appears whole or not at all.
int part_write(job *r, const char *file, const part_array *p);

// All of an array on rank 0, elsewhere a row of nothing.
int part_collect(job *r, const part_array *p, hd_view *whole);

// A result on its way out, as workspace_emit: e says how; what it has of arrays is filled in.
// values and keys, printed beside out, may be NULL.
int part_emit(job *r, const part_array *out, const part_array *values, const part_array *keys,
              const emission *e);

#endif
