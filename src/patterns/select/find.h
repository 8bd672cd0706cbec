// SPDX-License-Identifier: Apache-2.0
// The job of hd_find.
#ifndef HEDDLE_PATTERNS_SELECT_FIND_H
#define HEDDLE_PATTERNS_SELECT_FIND_H

#include "core/reader.h"

typedef struct hd__find_job {
    hd__reader in;     // no fold
    const void *value; // NULL: what is not zero
    bool last;
    int64_t *position;   // receives what was found, or -1
    hd_view position_to; // a number on the device that does instead, and position is NULL; or empty
} hd__find_job;

// Whether an element is what is looked for.
bool hd__is_wanted(hd_type type, const void *element, const void *value);

#endif
