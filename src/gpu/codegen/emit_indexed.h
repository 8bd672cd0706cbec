// SPDX-License-Identifier: Apache-2.0
// The text of inputs that are indexed, and what it shares with that of other inputs.
#ifndef HEDDLE_GPU_CODEGEN_EMIT_INDEXED_H
#define HEDDLE_GPU_CODEGEN_EMIT_INDEXED_H

#include "emit_kernel.h"

// hk_one_NUMBER and hk_run_NUMBER of an indexed input.
void hd__gpu_emit_indexed(hd__gpu_text *t, const hd__gpu_kernel_config *config, int k);

// hk_ask_items and hk_get_items, where an input is indexed; mapped: a function has the inputs.
void hd__gpu_emit_asking(hd__gpu_text *t, const hd__gpu_kernel_config *config, bool mapped);

// Whether HK_K elements can be moved as whole words.
bool hd__gpu_is_wide(const hd__gpu_layout *l, int32_t k);

// Reads or writes bytes at p as words at u.w, and a call of the function: of elements i (format
// "one") or j of runs ("run").
void hd__gpu_emit_words(hd__gpu_text *t, const char *what, size_t bytes);
void hd__gpu_emit_call(hd__gpu_text *t, const hd__gpu_kernel_config *config, const char *format);

#endif
