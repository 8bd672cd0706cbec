// SPDX-License-Identifier: Apache-2.0
//
// The tour's stops beyond reduce and scan: examples, rows and calls of each.
#ifndef HEDDLE_CLI_TOUR_TOUR_PATTERNS_H
#define HEDDLE_CLI_TOUR_TOUR_PATTERNS_H

#include "tour.h"

extern const tour_example tour_difference_examples[], tour_convolve_examples[],
    tour_compact_examples[], tour_histogram_examples[], tour_sort_examples[];
extern const tour_row tour_difference_rows[], tour_convolve_rows[], tour_compact_rows[],
    tour_histogram_rows[], tour_sort_rows[];

int64_t tour_same_count(const tour_row *row, int64_t n);
int64_t tour_histogram_count(const tour_row *row, int64_t n);

hd_status tour_difference_run(hd_context *ctx, const tour_row *row, const tour_arrays *a);
hd_status tour_convolve_run(hd_context *ctx, const tour_row *row, const tour_arrays *a);
hd_status tour_compact_run(hd_context *ctx, const tour_row *row, const tour_arrays *a);
hd_status tour_histogram_run(hd_context *ctx, const tour_row *row, const tour_arrays *a);
hd_status tour_sort_run(hd_context *ctx, const tour_row *row, const tour_arrays *a);

#endif
