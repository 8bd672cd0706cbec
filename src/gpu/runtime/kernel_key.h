// SPDX-License-Identifier: Apache-2.0
// What a kernel of this context is known by, without making its text: its configuration, and the
// users' texts, which may change behind the same address.
#ifndef HEDDLE_GPU_RUNTIME_KERNEL_KEY_H
#define HEDDLE_GPU_RUNTIME_KERNEL_KEY_H

#include "gpu/codegen/emit_kernel.h"

enum { HD__GPU_KERNEL_KEY_MAX = 4096 };

typedef struct hd__gpu_kernel_key {
    size_t bytes; // 0: the texts are too long to compare, and the kernel is found by its whole text
    char at[HD__GPU_KERNEL_KEY_MAX];
} hd__gpu_kernel_key;

void hd__gpu_kernel_key_of(hd__gpu_kernel_key *key, const hd__gpu_kernel_config *config,
                           const hd__fold *fold, const hd_function *map);

#endif
