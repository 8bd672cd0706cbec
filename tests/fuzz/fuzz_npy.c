// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as an .npy or raw file: the first byte chooses what the caller claims to know, the
// rest is the file. Whatever is taken must keep its promises: counts and bytes agree.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/array.h"

static io_read_options choose(uint8_t byte)
{
    io_read_options o = {.type = byte % HD_STRUCTURE, .shaped = (byte & 0x10) != 0};
    o.ndim = o.shaped ? byte >> 5 : 0;
    for (int32_t k = 0; k < o.ndim; k++) o.shape[k] = (k + byte) % 5;
    return o;
}

static void read_chunks(const uint8_t *data, size_t size, const io_read_options *options)
{
    io_reader r;
    io_error error = {.text = ""};
    if (io_reader_open_memory(&r, "fuzz", data, size, options, &error) != IO_OK) {
        if (error.text[0] == '\0') abort(); // a failure without words
        return;
    }
    unsigned char chunk[64];
    int64_t got = 1, total = 0;
    const int64_t room = (int64_t)(sizeof chunk / hd_type_size(r.header.dtype.type));
    while (got > 0) {
        if (io_reader_next(&r, chunk, room, &got, &error) != IO_OK) abort(); // length was checked
        total += got;
    }
    if (total != r.count || total != io_array_header_count(&r.header)) abort();
    io_reader_close(&r);
}

static void read_whole(const uint8_t *data, size_t size, const io_read_options *options)
{
    io_reader r;
    io_error error;
    io_array array;
    if (io_reader_open_memory(&r, "fuzz", data, size, options, &error) != IO_OK) return;
    if (io_array_read(&array, &r, &error) == IO_OK) {
        volatile unsigned char sum = 0;
        const int64_t n = hd_count(array.view);
        if (n < 0 || n > (int64_t)size) abort();
        const size_t bytes = (size_t)n * hd_type_size(array.view.type);
        for (size_t k = 0; k < bytes; k++) sum ^= ((unsigned char *)array.view.data)[k];
        (void)sum;
        io_array_release(&array);
    }
    io_reader_close(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const io_read_options options = choose(data[0]);
    read_chunks(data + 1, size - 1, &options);
    read_whole(data + 1, size - 1, &options);
    return 0;
}
