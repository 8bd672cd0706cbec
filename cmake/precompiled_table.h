// SPDX-License-Identifier: Apache-2.0
// What the build has compiled, and the file of it that lies beside the library.
#ifndef HD__PRECOMPILED_TABLE_H
#define HD__PRECOMPILED_TABLE_H

#include "gpu/runtime/precompiled.h"

// An image of a text; several may have the same bytes.
typedef struct made_image {
    hd__digest text;
    int32_t arch; // 0: PTX
    char *bytes;  // NULL: it was not to be had
    size_t count;
} made_image;

// Writes the file that src/gpu/runtime/precompiled.h describes, by a compiler of that name, and
// tells how large it is.
bool write_table(const char *path, const char *by, const made_image *images, int32_t count);

#endif
