// SPDX-License-Identifier: Apache-2.0
//
// Every public call that takes views, with arguments that are good as they stand, so that a test
// can make one of them bad: each view of a call has a slot.
#ifndef HEDDLE_TESTS_SUPPORT_EVERY_CALL_H
#define HEDDLE_TESTS_SUPPORT_EVERY_CALL_H

#include <heddle.h>

enum { EVERY_SLOTS = 7, EVERY_ROOM = 256 };

typedef struct every_slot {
    const char *name; // NULL: there are no more
    hd_type type;
    int32_t ndim;
    int64_t shape[2];
    bool zero; // else the elements are 0, 1, 2, ...
} every_slot;

typedef struct every_call {
    const char *name;
    // `number` is where the call puts what it gives through a pointer; NULL: nowhere.
    hd_status (*run)(hd_context *ctx, const hd_view *v, int64_t *number);
    const char *number; // what that is called; NULL: there is none
    every_slot slot[EVERY_SLOTS];
} every_call;

// The k-th call, from 0 on; NULL past the end.
const every_call *every_call_at(int k);

// The views of a call, over memory of their own; fresh contents. Returns how many there are.
int every_views(const every_call *call, hd_view *v);

#endif
