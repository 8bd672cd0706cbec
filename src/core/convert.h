// SPDX-License-Identifier: Apache-2.0
// Numbers from one type to another, as C converts them: integers wrap, integers become the
// nearest float, floats round to nearest even and become integers towards zero, within the type
// (NaN: 0). half.h has the 16-bit floats.
#ifndef HEDDLE_CORE_CONVERT_H
#define HEDDLE_CORE_CONVERT_H

#include "half.h"
#include "types.h"

// n numbers after each other; to and from may not overlap unless they are of one type.
void hd__convert(hd_type to_type, void *to, hd_type from_type, const void *from, int64_t n);

#endif
