// SPDX-License-Identifier: Apache-2.0
//
// Elements of one type as another, without a surprise. To floats they are rounded to nearest even
// (an infinity where that is too large), to bool anything but 0 is true, as the library itself
// converts. To integers they must be whole and fit, or the first that does not is an error, with
// its index; asked to, they become the nearest integer (half to even) that the type has.
#ifndef HEDDLE_IO_NUMBERS_CONVERT_H
#define HEDDLE_IO_NUMBERS_CONVERT_H

#include "heddle.h"
#include "io/support/error.h"

typedef struct io_conversion {
    const char *name; // the file's, for errors
    hd_type from, to;
    bool round;
    double scale; // multiplied by it first, in f64; 0: not
    int64_t done; // elements so far
} io_conversion;

// Converts the next n elements.
io_status io_convert(io_conversion *c, const void *from, void *to, int64_t n, io_error *error);

#endif
