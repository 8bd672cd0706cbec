// SPDX-License-Identifier: Apache-2.0
//
// heddle_model.h from inside: what its files share, and what the GPU backend sets.
#ifndef HEDDLE_MODEL_MODEL_H
#define HEDDLE_MODEL_MODEL_H

#include "model/module/module.h"
#include "model/state/model_state.h"

// What it compiles from here on is the library's own: NVRTC need not run apart.
void hd__model_own_texts(hd_model *model);

// The host reads bytes of an allocation, from its byte `at` on (leaks.c).
void hd__model_host_reads(allocation *a, uint64_t at, int64_t bytes);

// Makes the report of a launch out of its observers' states, and gives the last one back.
hd_status hd__model_report_make(hd_model *model, const launch_states *s, const char *kernel);
void hd__model_report_free(hd_model_report *report);

// Warnings of a launch (report_warnings.c). false: no memory.
bool hd__model_report_warnings(hd_model_report *r, const launch_states *s);
void hd__model_report_warnings_free(hd_model_report *r);

#endif
