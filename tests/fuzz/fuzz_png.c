// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a PNG image. Checksums of chunks are put right first, or few inputs would get past
// them; the first byte says whether.
#include "decode.h"

static uint32_t crc(const uint8_t *bytes, size_t n)
{
    uint32_t c = ~UINT32_C(0);
    for (size_t k = 0; k < n; k++) {
        c ^= bytes[k];
        for (int bit = 0; bit < 8; bit++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    }
    return ~c;
}

static uint32_t get4(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

// Chunks: length, four letters, data, checksum of letters and data.
static void mend(uint8_t *data, size_t size)
{
    size_t at = 8;
    while (size - at >= 12 && size >= at) {
        const size_t n = get4(data + at);
        if (n > size - at - 12) return;
        const uint32_t right = crc(data + at + 4, n + 4);
        for (int k = 0; k < 4; k++) data[at + 8 + n + (size_t)k] = (uint8_t)(right >> (24 - 8 * k));
        at += n + 12;
    }
}

static void look(const io_array *array)
{
    const hd_view *v = &array->view;
    if (v->ndim != 2 && !(v->ndim == 3 && v->shape[2] >= 2 && v->shape[2] <= 4)) abort();
    if (v->type != HD_U8 && v->type != HD_U16) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const io_read_options options = {.format = IO_PNG};
    if (size < 9) return 0;
    uint8_t *copy = malloc(size - 1);
    if (copy == NULL) return 0;
    memcpy(copy, data + 1, size - 1);
    if (data[0] & 1) mend(copy, size - 1);
    fuzz_decode(copy, size - 1, &options, look);
    free(copy);
    return 0;
}
