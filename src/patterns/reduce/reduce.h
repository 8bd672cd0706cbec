// SPDX-License-Identifier: Apache-2.0
// The job of a reduction: what hd_reduce hands to a backend.
#ifndef HEDDLE_PATTERNS_REDUCE_REDUCE_H
#define HEDDLE_PATTERNS_REDUCE_REDUCE_H

#include "core/arguments.h"

struct hd__flags; // patterns/select/flags.h

typedef struct hd__reduce_job {
    hd__fold fold;
    hd__reader in; // its views are collapsed unless slices is HD__ROWS
    hd__slices slices;
    int32_t axis;
    hd_view out;
    hd_view values; // empty unless asked for
    hd_view segments, keys, keys_out;
    const hd_comparison *comparison; // of the keys, or NULL
    int64_t *runs;
    hd_view runs_to;                // a number on the device that receives them, or empty
    hd__tree *tree;                 // of a carry, or NULL
    const struct hd__flags *filter; // which elements take part; NULL: all. Of everything only
} hd__reduce_job;

// Checks the arguments of a reduction and fills its job. o has been taken (HD__TAKE_OPTIONS);
// plain: the caller gave none.
hd_status hd__make_reduce_job(hd_context *ctx, const hd_view *in, const hd_operator *op,
                              const hd_view *out, const hd_reduce_options *o, bool plain,
                              hd__reduce_job *job);

// Ends a reduction of indexed views: an index out of range among those it read is an error.
hd_status hd__report_reduced(hd_context *ctx, const char *call, const hd__reduce_job *job,
                             const hd_view *in, const hd_views *with);

#endif
