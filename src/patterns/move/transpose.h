// SPDX-License-Identifier: Apache-2.0
// What a backend gets of hd_transpose, hd_zip and hd_unzip.
#ifndef HEDDLE_PATTERNS_MOVE_TRANSPOSE_H
#define HEDDLE_PATTERNS_MOVE_TRANSPOSE_H

#include "core/backend.h"

// Copies in to out, element by element: the axes of in are already in the order of out's, so both
// have one shape. in_place: they are the same memory, and the last two axes are swapped and of one
// length.
typedef struct hd__transpose_job {
    hd_view in, out;
    bool in_place;
} hd__transpose_job;

// Field k of each structure lies at offset[k] and is field[k].type; all views have one shape and
// are collapsed alone. gaps: zipped fields do not fill the structure.
typedef struct hd__zip_job {
    hd_view structures;
    int32_t fields;
    bool unzips;
    hd_view field[HD_MAX_FIELDS];
    int64_t offset[HD_MAX_FIELDS];
} hd__zip_job;

#endif
