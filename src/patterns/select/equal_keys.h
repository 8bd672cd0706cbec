// SPDX-License-Identifier: Apache-2.0
// Where runs of equal keys begin. Numbers compare by value (-0 equals +0; a NaN differs from
// everything, so it is a run of its own), structures byte by byte.
#ifndef HEDDLE_PATTERNS_SELECT_EQUAL_KEYS_H
#define HEDDLE_PATTERNS_SELECT_EQUAL_KEYS_H

#include "core/reader.h"

// heads[i] = key i differs from key i - 1 (heads of key 0 of the view is 1), for keys
// start .. start + n - 1; scratch holds n + 1 keys.
void hd__key_head_flags(const hd_view *keys, int64_t start, int64_t n, uint8_t *heads,
                        void *scratch);

#endif
