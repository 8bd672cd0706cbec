// SPDX-License-Identifier: Apache-2.0
//
// Counts by source site (instruction): the state of every observer that only counts. The report
// adds the tables of all of them, member by member.
#ifndef HEDDLE_MODEL_COUNTERS_SOURCE_SITES_H
#define HEDDLE_MODEL_COUNTERS_SOURCE_SITES_H

#include "heddle_model.h"
#include "model/exec/launch.h"

typedef struct site_table {
    hd_model_counts *at; // by operation.site
    int32_t count;
} site_table;

bool hd__model_sites_open(void *any, const grid *g);
void hd__model_sites_merge(void *into, const void *from);
void hd__model_sites_close(void *any);
void hd__model_counts_add(hd_model_counts *into, const hd_model_counts *from);

static inline hd_model_counts *counts_of(void *any, const operation *o)
{
    return &((site_table *)any)->at[o->site];
}

// What one request adds.
void hd__model_count_global(hd_model_counts *c, const access_event *e, const machine_settings *s);
// How often an atomic's request sends one sector (its number: address / sector_bytes).
int32_t hd__model_atomic_sends(const access_event *e, uint64_t sector, int32_t sector_bytes);
void hd__model_count_shared(hd_model_counts *c, const access_event *e, const machine_settings *s);

extern const observer hd__model_instruction_counts; // instructions, branches, barriers
extern const observer hd__model_coalescing;         // requests, sectors and lines of global memory
extern const observer hd__model_bank_conflicts;     // wavefronts of shared memory
extern const observer hd__model_atomic_chains;      // atomics that wait for each other

extern const observer hd__model_samples; // the worst request of each instruction

// The report's samples. false: no memory.
bool hd__model_report_samples(hd_model_report *report, const launch_states *s);

#endif
