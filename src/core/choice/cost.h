// SPDX-License-Identifier: Apache-2.0
// What a job costs, as far as the choice of a backend goes: work of one class, and the bytes that a
// device would have to be sent and to send back.
#ifndef HEDDLE_CORE_CHOICE_COST_H
#define HEDDLE_CORE_CHOICE_COST_H

#include "core/backend.h"

typedef enum hd__work_class {
#define WORK(name, NAME, cores, call, each) HD__##NAME##_WORK,
#include "work_classes.def"
#undef WORK
    HD__WORK_CLASSES
} hd__work_class;

typedef struct hd__cost {
    hd__work_class work_class;
    double work;    // in units of its class
    double in, out; // bytes of host views
    bool overlaps;  // large views go through a device in chunks: copies in and out overlap
} hd__cost;

// The cost of each pattern's job, all of whose views are in host memory or implicit: by the
// patterns of patterns.def, so that none can be left out. src/patterns/costs/costs.c defines it.
typedef hd__cost hd__cost_of(const void *job);
extern hd__cost_of *const hd__costs[HD__PATTERN_COUNT];

#endif
