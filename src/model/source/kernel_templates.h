// SPDX-License-Identifier: Apache-2.0
//
// Kernels of a file that are templates: what must be named to make one of them.
#ifndef HEDDLE_MODEL_SOURCE_KERNEL_TEMPLATES_H
#define HEDDLE_MODEL_SOURCE_KERNEL_TEMPLATES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct kernel_template {
    char name[128];
    char text[512]; // "template <typename T, int N> sum(const T *x, T *y)"
    bool defaults;  // every parameter of the template has one
} kernel_template;

enum { MAX_TEMPLATES = 64 };

typedef struct kernel_templates {
    kernel_template at[MAX_TEMPLATES];
    int32_t count;
} kernel_templates;

// Those of a file of CUDA C and of what it includes; `folders`: of #include, NULL at the end, or
// NULL. None where it cannot be read, or without memory.
void hd__model_kernel_templates(const char *file, const char *const *folders, kernel_templates *to);

// The template that "sum", "sum<float>" or "inner::sum<float>" names, or NULL.
const kernel_template *hd__model_template_named(const kernel_templates *in, const char *wanted);

#endif
