// SPDX-License-Identifier: Apache-2.0
// What ranking of lists and roots of forests on a GPU share: a call's control words, launches over
// n threads, pointer jumping, and how a fault is explained.
#ifndef HEDDLE_GPU_LIST_LIST_H
#define HEDDLE_GPU_LIST_LIST_H

#include "gpu/codegen/emit_kernel.h"
#include "patterns/list/list.h"

enum { HD__GPU_LIST_THREADS = 256, HD__GPU_LIST_STEPS = 64 };

// hk_list_control of links.cuh.
typedef struct hd__gpu_list_control {
    uint32_t fault, lists, next, longest;
    uint64_t visited;
    uint32_t steps, unused;
    uint32_t moved[HD__GPU_LIST_STEPS];
} hd__gpu_list_control;

// More nodes are declined: links, lengths and offsets have 31 bits.
#define HD__GPU_LIST_MAX ((int64_t)1 << 30)

// The configuration of a kernel that reads links, of `next` (NULL: none).
hd__gpu_kernel_config hd__gpu_list_config(const char *kernel, const hd_view *next);

// Marks what can be reached from heads by links that are on the device: one byte a node, in a block
// that the caller releases; and how many they are. Waits.
hd_status hd__gpu_list_mark(hd_context *ctx, hd__gpu *gpu, const hd__list_job *job,
                            const hd_view *next, hd__gpu_block *marks, int64_t *nodes,
                            const char **why);

// One thread for each of n.
hd_status hd__gpu_list_launch(hd_context *ctx, hd__gpu *gpu, const hd__gpu_kernel_config *config,
                              int64_t n, const void *const *arguments, int32_t count);

// Steps of pointer jumping over n words, from jumps[0]; the result is jumps[0].
hd_status hd__gpu_list_jump(hd_context *ctx, hd__gpu *gpu, hd__gpu_address jumps[2], int64_t n,
                            hd__gpu_address control);

// What -1 is read as, of a type.
int64_t hd__gpu_minus_one(hd_type type);

// A copy of links in host memory, which the caller releases: n elements of their type.
hd_status hd__gpu_links_here(hd_context *ctx, hd__gpu *gpu, const hd_view *next, hd_view *here);

#endif
