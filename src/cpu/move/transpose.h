// SPDX-License-Identifier: Apache-2.0
// Squares transposed in place, a part of transpose.c with a file of its own.
#ifndef HEDDLE_CPU_MOVE_TRANSPOSE_H
#define HEDDLE_CPU_MOVE_TRANSPOSE_H

#include "cpu/runtime/progress.h"

// Swaps the last two axes, of one length, of a view where it lies. buffers: two of
// HD__TRANSPOSE_BUFFER bytes a thread.
void hd__cpu_transpose_square(hd_context *ctx, const hd_view *v, int threads, char *buffers,
                              hd__cpu_progress *progress);

#endif
