// SPDX-License-Identifier: Apache-2.0
// The serial backend: one function a pattern, plain loops, the definition of every result.
#ifndef HEDDLE_SERIAL_SERIAL_H
#define HEDDLE_SERIAL_SERIAL_H

#include "core/backend.h"

extern const hd__backend hd__serial_backend;

// hd__serial_NAME, one a pattern.
#define PATTERN(name, NAME) hd__run hd__serial_##name;
#include "core/patterns.def"
#undef PATTERN

#endif
