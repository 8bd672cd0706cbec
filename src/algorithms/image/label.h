// SPDX-License-Identifier: Apache-2.0
// Components of an image as components of its runs: the elements of a row that follow each other
// and are not zero.
#ifndef HEDDLE_ALGORITHMS_IMAGE_LABEL_H
#define HEDDLE_ALGORITHMS_IMAGE_LABEL_H

#include <heddle_algorithms.h>

#include "../support/frame.h"

// Rows are taken w + 1 long, the last element being 0: runs end there, and a shift by w + 1 is one
// row.
typedef struct hd__runs {
    hd__frame *f;
    int64_t h, w, r;    // of the image; runs
    hd_view start, end; // i64, the first element of each run and the one after its last
    hd_view parent;     // i64, of each run the lowest run of its component, once they are joined
    int64_t rounds;
} hd__runs;

// All of it by the cores, where the memory is the host's; count is how many labels there are. Where
// out cannot hold it nothing is painted.
typedef struct hd__label_painting {
    hd_view out;
    int64_t count;
} hd__label_painting;
bool hd__label_cores_fit(hd_view in, hd_view out);
hd_status hd__label_cores(hd__frame *f, hd_view in, bool diagonal, hd__label_painting *p);
// Whether an integer type has room for labels up to a count.
bool hd__label_holds(hd_type type, int64_t count);

// Finds the runs of an image.
hd_status hd__runs_find(hd__runs *s, hd__frame *f, hd_view in);
// Joins runs that meet, diagonally too.
hd_status hd__runs_join(hd__runs *s, bool diagonal);

#endif
