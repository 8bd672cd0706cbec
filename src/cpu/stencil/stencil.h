// SPDX-License-Identifier: Apache-2.0
// The two ways of a stencil on the cores.
#ifndef HEDDLE_CPU_STENCIL_STENCIL_H
#define HEDDLE_CPU_STENCIL_STENCIL_H

#include "patterns/stencil/stencil.h"

// stencil_rows.c: any types, layouts and functions, a step at a time.
hd_status hd__cpu_stencil_rows(hd_context *ctx, const hd__stencil_job *job);

// stencil_blocks.c: f32 or f64 in rows, several steps at a time while a block is in cache.
hd_status hd__cpu_stencil_blocks(hd_context *ctx, const hd__stencil_job *job);

#endif
