// SPDX-License-Identifier: Apache-2.0
// Texts that the build puts into the binary: cmake/embed.cmake makes tables of them.
#ifndef HEDDLE_CORE_SYSTEM_EMBEDDED_H
#define HEDDLE_CORE_SYSTEM_EMBEDDED_H

#include <stddef.h>

typedef struct hd__embedded {
    const char *name; // of its file; NULL: the end of a table
    const char *text; // ends with 0
    size_t bytes;     // without it
} hd__embedded;

#endif
