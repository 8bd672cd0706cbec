// SPDX-License-Identifier: Apache-2.0
// A panel of Gauss-Jordan elimination on the cores.
#ifndef HEDDLE_ALGORITHMS_LINEAR_PANEL_CORES_H
#define HEDDLE_ALGORITHMS_LINEAR_PANEL_CORES_H

#include "../support/frame.h"

// What the panels of an elimination share: scratch, and whether the context computes on cores.
typedef struct hd__panels {
    bool serves;
    hd_view step, factor, column, row, other;
} hd__panels;

hd_status hd__panels_open(hd__frame *f, hd_type type, int64_t n, int64_t most_columns,
                          hd__panels *panels);

// panel: columns p .. of a matrix of scratch, n rows without gaps. They are eliminated; rows of w,
// the matrix, and of order (i64) are exchanged as those of the panel were. *failed is the column
// that has no pivot but *size, which is 0 or not finite, or -1.
hd_status hd__panel_eliminate(hd__frame *f, const hd__panels *panels, hd_view panel, int64_t p,
                              hd_view w, hd_view order, int64_t *failed, double *size);

#endif
