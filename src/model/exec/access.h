// SPDX-License-Identifier: Apache-2.0
//
// An instruction's addresses made into places of the host: which space, in or out of bounds,
// aligned or not. Loads, stores, atomics and copies begin here.
#ifndef HEDDLE_MODEL_EXEC_ACCESS_H
#define HEDDLE_MODEL_EXEC_ACCESS_H

#include "observer.h"

typedef struct access_places {
    uint64_t address[WARP]; // within the space
    uint8_t *host[WARP];    // NULL: this lane has no place
    uint32_t good;          // lanes of the mask that have one
    access_shape shape;     // of the hosts too, unless the space is local
    access_order order;     // that observers are notified of
} access_places;

// Finds the places of o's addresses (slot a, plus its offset) for the lanes of the mask, `bytes`
// for each lane, and notifies the observers, once for each space that lanes address.
void hd__model_access_find(machine *m, const operation *o, access_kind kind, int bytes,
                           access_places *p);

// The same of addresses (and an order) that are in p already, in a space that need not be the
// operation's.
void hd__model_access_places(machine *m, const operation *o, ptx_space space, access_kind kind,
                             int bytes, access_places *p);

#endif
