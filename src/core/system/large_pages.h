// SPDX-License-Identifier: Apache-2.0
// Large pages for memory that has not been touched yet, where the system has them on request: what
// goes to many places at once, as a distribution does, misses fewer translations of addresses.
#ifndef HEDDLE_CORE_SYSTEM_LARGE_PAGES_H
#define HEDDLE_CORE_SYSTEM_LARGE_PAGES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

static inline void hd__advise_large_pages(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t huge = (uintptr_t)2 << 20, first = ((uintptr_t)memory + huge - 1) / huge * huge,
                    last = ((uintptr_t)memory + bytes) / huge * huge;
    if (memory != NULL && bytes >= 2 * huge && last > first)
        (void)madvise((void *)first, last - first, MADV_HUGEPAGE); // that it is no is no error
#else
    (void)memory, (void)bytes;
#endif
}

#endif
