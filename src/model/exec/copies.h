// SPDX-License-Identifier: Apache-2.0
//
// Copies that run by themselves (cp.async): their bytes move when a thread waits for them, or at
// its end, which is the latest that the hardware may take; what is read before is what was there.
#ifndef HEDDLE_MODEL_EXEC_COPIES_H
#define HEDDLE_MODEL_EXEC_COPIES_H

#include "machine.h"

#define COPIES_ALL (-1)

// Moves the bytes of these lanes' copies: of all groups but the newest `keep`, or of COPIES_ALL,
// also of those that are in no group yet.
void hd__copies_finish(machine *m, uint32_t lanes, int64_t keep);
void hd__copies_forget(warp *w);

// Arrives at an mbarrier (slot and offset are operand k of o) for the lanes of the mask, once each.
void hd__mbarrier_arrive(machine *m, const operation *o, int k);
// Bytes of a copy have come: told to the mbarrier at a shared address, by one lane.
void hd__mbarrier_complete(machine *m, const operation *o, uint64_t address, int lane,
                           int64_t bytes);

#endif
