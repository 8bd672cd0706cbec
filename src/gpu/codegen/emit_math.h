// SPDX-License-Identifier: Apache-2.0
// The functions of heddle/math.h in kernels.
#ifndef HEDDLE_GPU_CODEGEN_EMIT_MATH_H
#define HEDDLE_GPU_CODEGEN_EMIT_MATH_H

#include "source_text.h"

#include <heddle.h>

// Whether a text calls one of them. NULL has none.
bool hd__gpu_calls_math(const char *text);

// Their text, where the texts of a user's operator or function call them; NULL: none of the user's.
// Other kernels stay as they are, and so do precompiled ones and those on disk.
void hd__gpu_emit_math(hd__gpu_text *t, const hd_operator *op, const hd_function *map);

#endif
