// SPDX-License-Identifier: Apache-2.0
// Numbers from one type to another, as C converts them: integers wrap, integers become the
// nearest float, floats round to nearest even and become integers towards zero, within the type
// (NaN: 0). half.h has the 16-bit floats.
#ifndef HEDDLE_CORE_CONVERT_H
#define HEDDLE_CORE_CONVERT_H

#include "half.h"
#include "types.h"

// The value of a float of each type, held as types.def says, as a number of C.
#define HD__VALUE_f16(x)  hd__f16_to_f32(x)
#define HD__VALUE_bf16(x) hd__bf16_to_f32(x)
#define HD__VALUE_f32(x)  (x)
#define HD__VALUE_f64(x)  (x)

// n numbers after each other; to and from may not overlap unless they are of one type.
void hd__convert(hd_type to_type, void *to, hd_type from_type, const void *from, int64_t n);

#endif
