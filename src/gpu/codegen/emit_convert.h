// SPDX-License-Identifier: Apache-2.0
// Types and conversions of numbers as texts of kernels, with the bits of core/convert.c.
#ifndef HEDDLE_GPU_CODEGEN_EMIT_CONVERT_H
#define HEDDLE_GPU_CODEGEN_EMIT_CONVERT_H

#include "core/types.h"
#include "source_text.h"

// The type that holds a number: "float"; f16 and bf16 as their bits, bool as a byte.
const char *hd__gpu_type_text(hd_type type);

// An expression of type `to` for the expression x of type `from`.
void hd__gpu_emit_conversion(hd__gpu_text *t, hd_type to, hd_type from, const char *x);

#endif
