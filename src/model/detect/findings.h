// SPDX-License-Identifier: Apache-2.0
//
// What detectors find: the same hazard at the same instructions is counted, not repeated; the text
// of the first one stays.
#ifndef HEDDLE_MODEL_DETECT_FINDINGS_H
#define HEDDLE_MODEL_DETECT_FINDINGS_H

#include "heddle_model.h"
#include "model/exec/launch.h"

typedef struct finding {
    hd_model_hazard hazard;
    const operation *site, *other; // other: NULL, or the second access
    int64_t times;
    int64_t block;      // of the first one: what decides between threads of the host
    uint64_t step;      // of that one: instructions that its block had run
    const void *object; // that it is at: a variable or an allocation; NULL: not known
    char text[600];
} finding;

typedef struct finding_list {
    finding *at;
    int32_t count, room;
    bool lost; // some were dropped: no memory, or too many
} finding_list;

// The finding of these sites, new or known, with its count raised; NULL: no room. A new one has an
// empty text, which the caller fills in.
finding *hd__model_finding_add(finding_list *list, const machine *m, hd_model_hazard hazard,
                               const operation *site, const operation *other);
void hd__model_findings_merge(finding_list *into, const finding_list *from);
void hd__model_findings_free(finding_list *list);

// "thread 5 of block (1,0,0)", for texts.
const char *hd__model_thread_name(const machine *m, int lane, char *text, size_t room);

// Where an address is: "byte 8 of 'part' in shared memory", "byte 8 of allocation 2".
const char *hd__model_place_name(const machine *m, ptx_space space, uint64_t address, char *text,
                                 size_t room);

// What is at an address: the variable of shared memory, the allocation of global memory, or NULL.
const void *hd__model_object_at(const machine *m, ptx_space space, uint64_t address);

// The name of a variable as it was written.
const char *hd__model_variable_name(const ptx_variable *v, char *text, size_t room);

// The observers whose state begins with a finding_list.
extern const observer hd__model_memory_check;  // bounds, alignment, freed memory
extern const observer hd__model_races;         // within a block and between blocks
extern const observer hd__model_uninitialised; // reads of what nobody wrote
extern const observer hd__model_pram;          // the PRAM's access rule, work and time
extern const observer hd__model_barriers;      // divergent, mismatched, waited at for ever

extern const observer hd__model_trace; // every access, in order

// Work, time and rule out of hd__model_pram's state.
void hd__model_pram_report(const void *state, hd_model_report *r);

// The report's trace. false: no memory.
bool hd__model_report_trace(hd_model_report *report, const launch_states *s);

#endif
