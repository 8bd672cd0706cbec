// SPDX-License-Identifier: Apache-2.0
//
// Vector clocks (Lamport 1978; Flanagan and Freund 2009): for every thread of the launch, the time
// up to which its accesses happened before. A clock is an immutable tree whose nodes clocks share:
// three digits of the block, one more of it, the warp, the lane. A time may stand for a lane, for a
// warp or for a block.
#ifndef HEDDLE_MODEL_DETECT_VECTOR_CLOCKS_H
#define HEDDLE_MODEL_DETECT_VECTOR_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLOCK_WAYS   32
#define CLOCK_BLOCKS (1 << 18) // block numbers count modulo this

typedef struct vector_clock vector_clock;

// Of whom: warp and lane -1 stand for all.
typedef struct clock_key {
    uint32_t block;
    int32_t warp, lane;
} clock_key;

vector_clock *hd__model_clock_hold(vector_clock *v); // NULL is the clock of zeros
void hd__model_clock_drop(vector_clock *v);

// The maximum of both. The result is the caller's to drop, the arguments stay. *lost is set, and
// `a` returned, where there is no memory.
vector_clock *hd__model_clock_join(vector_clock *a, vector_clock *b, bool *lost);
vector_clock *hd__model_clock_with(vector_clock *a, clock_key key, uint32_t time, bool *lost);
// Lanes of one warp, each with its time; 0: nothing.
vector_clock *hd__model_clock_with_lanes(vector_clock *a, uint32_t block, int32_t warp,
                                         const uint32_t time[CLOCK_WAYS], bool *lost);

// The time up to which all accesses of a thread, or of all that the key names, happened before;
// 0: none.
uint32_t hd__model_clock_time(const vector_clock *v, clock_key key);

// *v becomes the maximum of both.
static inline void clock_add(vector_clock **v, vector_clock *other, bool *lost)
{
    if (other == NULL || *v == other) return;
    vector_clock *joined = hd__model_clock_join(*v, other, lost);
    hd__model_clock_drop(*v);
    *v = joined;
}

#endif
