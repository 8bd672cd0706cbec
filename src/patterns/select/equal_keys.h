// SPDX-License-Identifier: Apache-2.0
// Where runs of equal keys begin. Numbers compare by value (-0 equals +0; a NaN differs from
// everything, so it is a run of its own), structures byte by byte; by a comparison neither of two
// equal neighbours comes before the other.
#ifndef HEDDLE_PATTERNS_SELECT_EQUAL_KEYS_H
#define HEDDLE_PATTERNS_SELECT_EQUAL_KEYS_H

#include "core/reader.h"

// Whether two neighbours differ by a comparison; in a sorted array one look mostly says so.
static inline bool hd__differ_by(const hd_comparison *comparison, const void *left,
                                 const void *right)
{
    return hd__precedes(comparison, left, right) || hd__precedes(comparison, right, left);
}

// heads[i] = key i differs from key i - 1 (heads of key 0 of the view is 1), for keys
// start .. start + n - 1, by a comparison unless it is NULL; scratch holds n + 1 keys.
void hd__key_head_flags(const hd_view *keys, const hd_comparison *comparison, int64_t start,
                        int64_t n, uint8_t *heads, void *scratch);

#endif
