// SPDX-License-Identifier: Apache-2.0
// A text that grows: the source of a kernel on its way to the compiler.
#ifndef HEDDLE_GPU_CODEGEN_SOURCE_TEXT_H
#define HEDDLE_GPU_CODEGEN_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct hd__gpu_text {
    char *at; // ends with 0; NULL while empty
    size_t length, room;
    bool lost; // memory ran out: what came later is missing
} hd__gpu_text;

void hd__gpu_emit(hd__gpu_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void hd__gpu_emit_verbatim(hd__gpu_text *t, const char *text); // as it is
void hd__gpu_text_drop(hd__gpu_text *t);

#endif
