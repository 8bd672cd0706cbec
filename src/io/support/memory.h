// SPDX-License-Identifier: Apache-2.0
//
// The allocations of src/io go through here, so that a test can make the k-th of them fail.
#ifndef HEDDLE_IO_SUPPORT_MEMORY_H
#define HEDDLE_IO_SUPPORT_MEMORY_H

#include <stddef.h>
#include <stdint.h>

// Allocations that may still succeed; negative (the default): all of them.
extern int64_t io_allocations_left;

// 64-byte aligned, as the library's own arrays are; NULL when it cannot. Freed with free().
void *io_allocate(size_t bytes);

#endif
