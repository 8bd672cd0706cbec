// SPDX-License-Identifier: Apache-2.0
//
// Copies that run by themselves (cp.async): their bytes move when a thread waits for them, or at
// its end, which is the latest that the hardware may take; what is read before is what was there.
#ifndef HEDDLE_MODEL_EXEC_COPIES_H
#define HEDDLE_MODEL_EXEC_COPIES_H

#include "machine.h"

#define MAX_WAITING 256 // of a warp; the oldest is made then, which it may be at any time

typedef struct copy {
    const operation *site;
    uint32_t mask; // lanes whose bytes have not moved
    uint32_t group[WARP];
    uint64_t from[WARP], to[WARP];
    uint8_t read[WARP]; // bytes of the source; the rest are zeros
} copy;

struct copies {
    uint32_t groups[WARP]; // closed by each lane
    int32_t count;
    copy at[MAX_WAITING];
};

#define COPIES_ALL (-1)

// Moves the bytes of these lanes' copies: of all groups but the newest `keep`, or of COPIES_ALL,
// also of those that are in no group yet.
void hd__model_copies_finish(machine *m, uint32_t lanes, int64_t keep);
void hd__model_copies_forget(warp *w);

// Moves the bytes of some lanes of a copy now.
void hd__model_copy_move(machine *m, const copy *c, uint32_t lanes);

#endif
