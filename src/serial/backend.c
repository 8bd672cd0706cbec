// SPDX-License-Identifier: Apache-2.0
// What the serial backend supplies.
#include "serial.h"

#define PATTERN(name, NAME) extern HD__WEAK hd__run hd__serial_##name;
#include "core/patterns.def"
#undef PATTERN

const hd__backend hd__serial_backend = {
    .name = "serial",
    .id = HD_SERIAL,
    .automatic = true,
    .run =
        {
#define PATTERN(name, NAME) [HD__##NAME##_PATTERN] = hd__serial_##name,
#include "core/patterns.def"
#undef PATTERN
        },
};
