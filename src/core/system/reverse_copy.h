// SPDX-License-Identifier: Apache-2.0
// Elements copied in the opposite order.
#ifndef HEDDLE_CORE_SYSTEM_REVERSE_COPY_H
#define HEDDLE_CORE_SYSTEM_REVERSE_COPY_H

#include <stddef.h>
#include <stdint.h>

// Element i of `to` is element n - 1 - i of `from`, each of `size` bytes; they may not overlap.
void hd__reverse_copy(void *to, const void *from, int64_t n, size_t size);

#endif
