// SPDX-License-Identifier: Apache-2.0
// Compiled kernels on disk: one file each, in a folder of the user's own. HEDDLE_CACHE_DIR names
// it; "none" turns it off; else it is heddle/ in XDG_CACHE_HOME or ~/.cache.
#ifndef HEDDLE_CORE_SYSTEM_CACHE_FOLDER_H
#define HEDDLE_CORE_SYSTEM_CACHE_FOLDER_H

#include "exported.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// 128 bits that stand for a compiler and a text.
typedef struct hd__digest {
    uint64_t half[2];
} hd__digest;

HD__EXPORTED hd__digest hd__digest_of(const char *compiler, const char *text, size_t length);
static inline bool hd__digest_same(const hd__digest *a, const hd__digest *b)
{
    return a->half[0] == b->half[0] && a->half[1] == b->half[1];
}

// The image of a digest, free()d by the caller. False: not there, or not whole.
HD__EXPORTED bool hd__kept_image(const hd__digest *digest, void **image, size_t *bytes);

// Keeps an image; returns "" or why it could not. Old images go where the folder grows too large.
HD__EXPORTED const char *hd__keep_image(const hd__digest *digest, const void *image, size_t bytes);

// The folder's path into `path`; returns "" or why there is none that can be used.
const char *hd__kept_folder(char *path, size_t room);

#endif
