// SPDX-License-Identifier: Apache-2.0
// Texts of kernels in one file, to be read and changed by people: HEDDLE_DUMP_KERNEL=FILE writes
// every text that a process uses, HEDDLE_LOAD_KERNEL=FILE takes texts from there instead. Each
// stands behind a line
//     // heddle kernel NAME DIGEST
// whose digest is that of the text as it was made, so that a changed one is still found.
#ifndef HEDDLE_GPU_RUNTIME_KERNEL_FILES_H
#define HEDDLE_GPU_RUNTIME_KERNEL_FILES_H

#include "core/context.h"
#include "gpu/codegen/source_text.h"

// Writes *text, if that is asked for.
hd_status hd__gpu_dump_kernel(hd_context *ctx, const hd__gpu_text *text, const char *name);

// Puts the file's text in the place of *text, if one is asked for and there.
hd_status hd__gpu_load_kernel(hd_context *ctx, hd__gpu_text *text, const char *name);

#endif
