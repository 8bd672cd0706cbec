// SPDX-License-Identifier: Apache-2.0
//
// The Python dictionary in an .npy header:
//     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
#ifndef HEDDLE_IO_NPY_NPY_LITERAL_H
#define HEDDLE_IO_NPY_NPY_LITERAL_H

#include "io/stream/array_header.h"

// Reads the text of a header, which begins at byte `base` of the file called `name`. Each of the
// three keys must be there once and no other; after the dictionary only white space may follow.
// Version 1 and 2 files may have Python 2's long integers, "3L".
io_status io_npy_literal(const char *text, size_t length, int version, const char *name,
                         uint64_t base, io_array_header *header, io_error *error);

#endif
