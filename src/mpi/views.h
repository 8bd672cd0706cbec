// SPDX-License-Identifier: Apache-2.0
// Views as the calls of this library take them: made rows without gaps, or checked to be that.
#ifndef HEDDLE_MPI_VIEWS_H
#define HEDDLE_MPI_VIEWS_H

#include "ranks.h"

// options.size of a call whose options are `known` bytes.
hd_status hd__mpi_check_size(hd_mpi *m, const char *call, size_t given, size_t known);

// v as a row without gaps: v itself, or, of strides or implicit, a copy of it. One dimension.
hd_status hd__mpi_dense(hd_mpi *m, const char *call, const char *name, const hd_view *v,
                        hd_view *row);

// Integers of any type as such a row of i64; what u64 has beyond becomes negative.
hd_status hd__mpi_integers(hd_mpi *m, const char *call, const char *name, const hd_view *v,
                           hd_view *row);

// n times the same number, in scratch.
hd_status hd__mpi_filled(hd_mpi *m, int64_t n, int64_t number, hd_view *row);

// out[i] = in[index[i]], in scratch.
hd_status hd__mpi_gathered(hd_mpi *m, hd_view in, hd_view index, hd_view *out);

// A copy of v, whatever its strides, without gaps; its elements become those of type.
hd_status hd__mpi_copy(hd_mpi *m, const hd_view *v, hd_type type, hd_view *copy);

// A view that is cut along its first axis: host memory, row-major, no gaps. Its bytes a row.
hd_status hd__mpi_check_array(hd_mpi *m, const char *call, const char *name, const hd_view *v);
int64_t hd__mpi_row_bytes(const hd_view *v);
// All its elements as one row.
hd_view hd__mpi_flat(const hd_view *v);
// Scratch for n rows like its own, of elements of type.
hd_status hd__mpi_rows_like(hd_mpi *m, const hd_view *v, hd_type type, int64_t n, hd_view *rows);

// An option that receives one i64, NULL or empty where it is not wanted.
hd_status hd__mpi_check_number(hd_mpi *m, const char *call, const char *name, const hd_view *v);
void hd__mpi_give_number(const hd_view *v, int64_t number);

// An output of integers up to n - 1.
hd_status hd__mpi_check_holds(hd_mpi *m, const char *call, const char *name, const hd_view *v,
                              int64_t n);

#endif
