// SPDX-License-Identifier: Apache-2.0
//
// What a thread knows of others: for every thread of the launch, up to which time its accesses
// happened before. A view is a tree that is never changed, only made anew, and that views share:
// three digits of the block, one more of it, the warp, the lane. A time may stand for a lane, for a
// warp or for a block.
#ifndef HEDDLE_MODEL_DETECT_VECTOR_CLOCKS_H
#define HEDDLE_MODEL_DETECT_VECTOR_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VIEW_WAYS   32
#define VIEW_BLOCKS (1 << 18) // blocks are told apart modulo this

typedef struct view view;

// Of whom: warp and lane -1 stand for all.
typedef struct view_key {
    uint32_t block;
    int32_t warp, lane;
} view_key;

view *hd__view_hold(view *v); // NULL is allowed, and knows nothing
void hd__view_drop(view *v);

// What either knows. The result is the caller's to drop, the arguments stay. *lost is set, and `a`
// returned, where there is no memory.
view *hd__view_join(view *a, view *b, bool *lost);
view *hd__view_with(view *a, view_key key, uint32_t time, bool *lost);
// Lanes of one warp, each with its time; 0: nothing.
view *hd__view_with_lanes(view *a, uint32_t block, int32_t warp, const uint32_t time[VIEW_WAYS],
                          bool *lost);

// Up to which time all accesses of a thread, or of all that the key names, are known; 0: none.
uint32_t hd__view_time(const view *v, view_key key);

// *v becomes what both know.
static inline void view_add(view **v, view *other, bool *lost)
{
    if (other == NULL || *v == other) return;
    view *joined = hd__view_join(*v, other, lost);
    hd__view_drop(*v);
    *v = joined;
}

#endif
