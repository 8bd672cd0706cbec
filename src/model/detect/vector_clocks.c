// SPDX-License-Identifier: Apache-2.0
//
// Views as trees of 32 ways. Trees are shared by threads of the host: a node is only read once it
// is made, and counted.
#include "vector_clocks.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH       6 // digits: 3, 5, 5, 5 bits of the block, the warp, the lane
#define BLOCK_DIGIT 3
#define WARP_DIGIT  4
#define LANE_DIGIT  5

struct vector_clock {
    atomic_int holders;
    uint32_t time[CLOCK_WAYS]; // of all below
    vector_clock *below[CLOCK_WAYS];
};

vector_clock *hd__model_clock_hold(vector_clock *v)
{
    if (v != NULL) atomic_fetch_add_explicit(&v->holders, 1, memory_order_relaxed);
    return v;
}

void hd__model_clock_drop(vector_clock *v)
{
    if (v == NULL || atomic_fetch_sub_explicit(&v->holders, 1, memory_order_acq_rel) != 1) return;
    for (int k = 0; k < CLOCK_WAYS; k++) hd__model_clock_drop(v->below[k]);
    free(v);
}

static vector_clock *new_node(bool *lost)
{
    vector_clock *v = calloc(1, sizeof *v);
    if (v == NULL)
        *lost = true;
    else
        atomic_init(&v->holders, 1);
    return v;
}

vector_clock *hd__model_clock_join(vector_clock *a, vector_clock *b, bool *lost)
{
    vector_clock *below[CLOCK_WAYS];
    bool is_a = true, is_b = true;
    if (b == NULL || a == b) return hd__model_clock_hold(a);
    if (a == NULL) return hd__model_clock_hold(b);
    for (int k = 0; k < CLOCK_WAYS; k++) {
        below[k] = hd__model_clock_join(a->below[k], b->below[k], lost);
        is_a &= below[k] == a->below[k] && a->time[k] >= b->time[k];
        is_b &= below[k] == b->below[k] && b->time[k] >= a->time[k];
    }
    vector_clock *v = is_a || is_b ? hd__model_clock_hold(is_a ? a : b) : new_node(lost);
    if (is_a || is_b || v == NULL) {
        for (int k = 0; k < CLOCK_WAYS; k++) hd__model_clock_drop(below[k]);
        return v != NULL ? v : hd__model_clock_hold(a);
    }
    memcpy(v->below, below, sizeof below);
    for (int k = 0; k < CLOCK_WAYS; k++)
        v->time[k] = a->time[k] > b->time[k] ? a->time[k] : b->time[k];
    return v;
}

static int digit(clock_key key, int depth)
{
    if (depth <= BLOCK_DIGIT) return (int)(key.block >> 5 * (BLOCK_DIGIT - depth)) & 31;
    return depth == WARP_DIGIT ? key.warp : key.lane;
}

// The tree that knows one thing only: `last` is the depth of its time, or of its lowest node.
static vector_clock *path_to(clock_key key, int last, uint32_t time, vector_clock *lowest,
                             bool *lost)
{
    vector_clock *v = lowest;
    for (int depth = last; depth >= 0; depth--) {
        vector_clock *up = new_node(lost);
        if (up == NULL) {
            hd__model_clock_drop(v);
            return NULL;
        }
        up->below[digit(key, depth)] = v;
        if (depth == last) up->time[digit(key, depth)] = time;
        v = up;
    }
    return v;
}

static vector_clock *joined(vector_clock *a, vector_clock *path, bool *lost)
{
    vector_clock *v = hd__model_clock_join(a, path, lost);
    hd__model_clock_drop(path);
    return v;
}

vector_clock *hd__model_clock_with(vector_clock *a, clock_key key, uint32_t time, bool *lost)
{
    const int last = key.warp < 0 ? BLOCK_DIGIT : key.lane < 0 ? WARP_DIGIT : LANE_DIGIT;
    if (time == 0) return hd__model_clock_hold(a);
    return joined(a, path_to(key, last, time, NULL, lost), lost);
}

vector_clock *hd__model_clock_with_lanes(vector_clock *a, uint32_t block, int32_t warp,
                                         const uint32_t time[CLOCK_WAYS], bool *lost)
{
    vector_clock *lanes = new_node(lost);
    if (lanes == NULL) return hd__model_clock_hold(a);
    memcpy(lanes->time, time, sizeof lanes->time);
    return joined(a, path_to((clock_key){block, warp, -1}, WARP_DIGIT, 0, lanes, lost), lost);
}

uint32_t hd__model_clock_time(const vector_clock *v, clock_key key)
{
    uint32_t time = 0;
    const int last = key.warp < 0 ? BLOCK_DIGIT : key.lane < 0 ? WARP_DIGIT : LANE_DIGIT;
    for (int depth = 0; v != NULL && depth <= last; depth++) {
        const int k = digit(key, depth);
        if (v->time[k] > time) time = v->time[k];
        v = v->below[k];
    }
    return time;
}
