// SPDX-License-Identifier: Apache-2.0
// Rows of scratch on the host that are taken and given back (hd_alloc_scratch, hd_free_scratch),
// kept by the context for the next call: fresh pages cost a third of what many algorithms do.
#ifndef HEDDLE_CORE_SCRATCH_ROWS_H
#define HEDDLE_CORE_SCRATCH_ROWS_H

#include <heddle.h>

enum { HD__SCRATCH_ROWS = 32 };

// No more is kept than was taken at once: kept + taken <= peak.
typedef struct hd__scratch_rows {
    struct {
        void *memory;
        size_t bytes;
    } row[HD__SCRATCH_ROWS]; // the one that was given back first is the first
    int count;
    size_t kept, taken, peak; // bytes
} hd__scratch_rows;

// Frees rows that nobody has until at most so many bytes are kept.
void hd__trim_rows(hd_context *ctx, size_t keep);

#endif
