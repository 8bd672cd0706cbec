// SPDX-License-Identifier: Apache-2.0
//
// What the fuzzers of formats share: any bytes as a file of one format, read in chunks and whole.
// What is refused has words; what is taken keeps its promises: counts, shapes and bytes agree, both
// ways give the same elements.
#ifndef HEDDLE_TESTS_FUZZ_DECODE_H
#define HEDDLE_TESTS_FUZZ_DECODE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/array.h"
#include "io/support/limit.h"

// Memory that an array may take: small, so that small inputs reach it.
enum { FUZZ_MAX_BYTES = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// FNV-1a over bytes.
static inline uint64_t fuzz_hash(uint64_t h, const void *bytes, size_t n)
{
    for (size_t k = 0; k < n; k++) h = (h ^ ((const uint8_t *)bytes)[k]) * 0x100000001b3u;
    return h;
}

// Reads in chunks; false if the file is refused.
static inline bool fuzz_chunks(const uint8_t *data, size_t size, const io_read_options *options,
                               int64_t *count, uint64_t *hash)
{
    io_reader r;
    io_error error = {.text = ""};
    unsigned char chunk[104]; // not a multiple of a row
    io_limit_set(FUZZ_MAX_BYTES);
    if (io_reader_open_memory(&r, "fuzz", data, size, options, &error) != IO_OK) {
        if (error.text[0] == '\0') abort();
        return false;
    }
    const size_t element = hd_type_size(r.header.dtype.type);
    int64_t got = 1;
    for (*count = 0, *hash = 0; got > 0; *count += got) {
        if (io_reader_next(&r, chunk, (int64_t)(sizeof chunk / element), &got, &error) != IO_OK)
            abort(); // lengths are checked when a file is opened
        *hash = fuzz_hash(*hash, chunk, (size_t)got * element);
    }
    if (*count != r.count || *count != io_array_header_count(&r.header)) abort();
    if (r.held != NULL && r.source.length > FUZZ_MAX_BYTES) abort();
    io_reader_close(&r);
    return true;
}

// Reads whole and compares; each(array) looks at what was taken, or is NULL.
static inline void fuzz_decode(const uint8_t *data, size_t size, const io_read_options *options,
                               void (*each)(const io_array *array))
{
    io_reader r;
    io_error error = {.text = ""};
    io_array array;
    int64_t count;
    uint64_t hash;
    if (!fuzz_chunks(data, size, options, &count, &hash)) return;
    if (io_reader_open_memory(&r, "fuzz", data, size, options, &error) != IO_OK) abort();
    const bool row_major = io_array_header_is_row_major(&r.header);
    const io_status status = io_array_read(&array, &r, &error);
    io_reader_close(&r);
    if (status == IO_LIMIT && count * (int64_t)hd_type_size(r.header.dtype.type) > FUZZ_MAX_BYTES)
        return;
    if (status != IO_OK) abort();
    const size_t bytes = (size_t)count * hd_type_size(array.view.type);
    if (hd_count(array.view) != count) abort();
    if (row_major && fuzz_hash(0, array.view.data, bytes) != hash) abort();
    if (each != NULL) each(&array);
    io_array_release(&array);
}

#endif
