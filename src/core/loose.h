// SPDX-License-Identifier: Apache-2.0
// Words at any address, of any type: for elements that are moved as they are, structures among them,
// which the caller may have put anywhere.
#ifndef HEDDLE_CORE_LOOSE_H
#define HEDDLE_CORE_LOOSE_H

#include <stdint.h>

typedef uint16_t __attribute__((aligned(1), may_alias)) hd__loose16;
typedef uint32_t __attribute__((aligned(1), may_alias)) hd__loose32;
typedef uint64_t __attribute__((aligned(1), may_alias)) hd__loose64;

#endif
