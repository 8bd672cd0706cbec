// SPDX-License-Identifier: Apache-2.0
// What the two sorts share: keys of several types as u64 that have their order, with the place each
// came from; and their way back. Memory is the context's, by hd_alloc_scratch.
#ifndef HEDDLE_ALGORITHMS_SORTS_ORDER_KEYS_H
#define HEDDLE_ALGORITHMS_SORTS_ORDER_KEYS_H

#include <heddle_teaching.h>

typedef struct hd__order_keys {
    hd_context *ctx;
    hd_view keys, out;
    int64_t n;
    int bits;                    // of a key that can differ
    uint64_t *key, *key_next;    // and room to permute them into
    int64_t *place, *place_next; // where key i stands in `keys`
    int64_t *count[4];           // for the scans
    int64_t *more;               // as many arrays more as were asked for, n + 2 each
    hd_view memory;
} hd__order_keys;

// What a call was given.
typedef struct hd__order_call {
    const char *name;
    hd_view keys, out;
    const hd_steps_options *options; // or NULL
} hd__order_call;

// Checks the arguments of a call and makes the keys. close is due in any case.
hd_status hd__order_keys_open(hd__order_keys *o, hd_context *ctx, const hd__order_call *call,
                              int more);
// Key i goes to place to[i].
hd_status hd__order_keys_permute(hd__order_keys *o, int64_t *to);
// Writes the keys in their order to out.
hd_status hd__order_keys_write(hd__order_keys *o);
// Gives the memory back; returns the status it was given, whose text stays.
hd_status hd__order_keys_close(hd__order_keys *o, hd_status status);

#endif
