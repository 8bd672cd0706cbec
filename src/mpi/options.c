// SPDX-License-Identifier: Apache-2.0
// Options of callers whose headers are of another version: what a later one added must be zero.
#include "stage.h"

#include <string.h>

enum { MOST_BYTES = 4096 }; // no version will have more: what says so was never set

static bool is_known(const unsigned char *options, size_t size, size_t known)
{
    if (size == 0 || size == known) return true;
    if (size < known || size > MOST_BYTES) return false;
    for (size_t k = known; k < size; k++)
        if (options[k] != 0) return false;
    return true;
}

void *hd__mpi_take_options(void *taken, size_t known, const void *options)
{
    size_t size;
    if (options == NULL) return taken;
    memcpy(&size, options, sizeof size);
    if (is_known(options, size, known)) {
        memcpy(taken, options, known);
        size = known;
    }
    memcpy(taken, &size, sizeof size);
    return taken;
}
