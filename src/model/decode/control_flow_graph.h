// SPDX-License-Identifier: Apache-2.0
//
// Control flow of a function: where the lanes of each branch reconverge, which is the nearest
// instruction that every way from the branch to the function's end passes.
#ifndef HEDDLE_MODEL_DECODE_CONTROL_FLOW_GRAPH_H
#define HEDDLE_MODEL_DECODE_CONTROL_FLOW_GRAPH_H

#include "model/ptx/ptx.h"

// join[i] of every branch i (else -1): the index of the instruction where its paths reconverge; the
// function's length if that is its end. false: no memory.
bool hd__model_flow_joins(const ptx_function *f, int32_t *join);

// The instructions control may pass to from i, at most `room` of them; `length` stands for the end.
// Returns how many there are.
int32_t hd__model_flow_successors(const ptx_function *f, int32_t i, int32_t *to, int32_t room);

#endif
