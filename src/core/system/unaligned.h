// SPDX-License-Identifier: Apache-2.0
// Words at any address, of any type: for elements that are moved as they are, structures among
// them, which the caller may have put anywhere.
#ifndef HEDDLE_CORE_SYSTEM_UNALIGNED_H
#define HEDDLE_CORE_SYSTEM_UNALIGNED_H

#include <stdint.h>

typedef uint16_t __attribute__((aligned(1), may_alias)) hd__unaligned16;
typedef uint32_t __attribute__((aligned(1), may_alias)) hd__unaligned32;
typedef uint64_t __attribute__((aligned(1), may_alias)) hd__unaligned64;

#endif
