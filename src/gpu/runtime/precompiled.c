// SPDX-License-Identifier: Apache-2.0
// Looks precompiled kernels up by their text, and unpacks them: precompiled.h.
#include "precompiled.h"

#include <stdlib.h>
#include <string.h>

bool hd__gpu_runs_on(int32_t code, int32_t arch)
{
    return code == arch || (code > 0 && code / 10 == arch / 10 && code < arch);
}

static const hd__gpu_precompiled *find(const hd__gpu_precompiled_file *file,
                                       const hd__digest *digest, int32_t arch)
{
    const hd__gpu_precompiled *best = NULL;
    for (int32_t k = 0; k < file->head->count; k++) {
        const hd__gpu_precompiled *row = &file->rows[k];
        if (hd__digest_same(&row->text, digest) && hd__gpu_runs_on(row->arch, arch) &&
            (best == NULL || row->arch > best->arch))
            best = row;
    }
    return best;
}

char *hd__gpu_precompiled_image(const hd__gpu_text *text, int32_t arch, size_t *bytes)
{
    const hd__gpu_precompiled_file *file = hd__gpu_precompiled_kernels();
    const hd__digest digest = hd__digest_of("", text->at, text->length);
    const hd__gpu_precompiled *row = find(file, &digest, arch);
    char *image = row != NULL ? malloc((size_t)row->bytes + 1) : NULL;
    if (image == NULL) return NULL;
    *bytes = hd__gpu_unpack(file->at + row->offset, row->packed_bytes, (unsigned char *)image,
                            row->bytes);
    if (*bytes == row->bytes) {
        image[*bytes] = 0;
        return image;
    }
    free(image);
    return NULL;
}

// ---- Unpacking ----------------------------------------------------------------------------------

enum { LITERALS = 128, LEAST = 4 };

size_t hd__gpu_unpack(const unsigned char *from, size_t bytes, unsigned char *to, size_t room)
{
    size_t at = 0;
    for (size_t k = 0; k < bytes;) {
        const size_t code = from[k++];
        const bool plain = code < LITERALS;
        const size_t count = plain ? code + 1 : code - LITERALS + LEAST;
        if (at + count > room || k + (plain ? count : 2) > bytes) return 0;
        if (plain) {
            memcpy(to + at, from + k, count);
            k += count;
        } else {
            const size_t back = from[k] | (size_t)from[k + 1] << 8;
            if (back == 0 || back > at) return 0;
            for (size_t j = 0; j < count; j++) to[at + j] = to[at + j - back];
            k += 2;
        }
        at += count;
    }
    return at;
}
