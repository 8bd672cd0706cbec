// SPDX-License-Identifier: Apache-2.0
// Index ranges cut into buckets of a power of two, and when that pays: what large gathers, scatters
// and shuffles share.
#ifndef HEDDLE_CPU_MOVE_BUCKETS_H
#define HEDDLE_CPU_MOVE_BUCKETS_H

#include "core/view.h"

// Buckets of 2^shift places each for places 0 .. limit - 1, limit >= 1: of at least `least` places,
// and at most `most` of them; a bucket has fewer than 2^32 places.
void hd__cpu_select_buckets(int64_t limit, int64_t least, int most, int *shift, int *buckets);

// Whether the indices of a view stay near each other, as far as a sample tells: most have one of
// the next few within a few lines of elements of this size.
bool hd__cpu_is_local(const hd_view *index, int64_t size);

// Asks for large pages for memory about to be used at random.
void hd__cpu_advise_huge(void *memory, size_t bytes);

#endif
