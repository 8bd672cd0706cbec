// SPDX-License-Identifier: Apache-2.0
//
// Room for decoded arrays, and the form of images.
#include "decoded.h"

#include "io/support/limit.h"
#include "io/support/memory.h"

io_status io_decoded_room(io_decoded *out, const char *name, size_t file_bytes, io_error *error)
{
    const hd_type type = out->header.dtype.type;
    const int64_t count = io_array_header_count(&out->header);
    const int64_t bytes = count < 0 ? INT64_MAX : count * (int64_t)hd_type_size(type);
    out->data = NULL;
    IO_TRY(io_limit_check(name, "the array", bytes, (int64_t)file_bytes, error));
    out->data = count < 0 ? NULL : io_allocate((size_t)bytes);
    if (out->data != NULL) return IO_OK;
    return io_fail(error, IO_MEMORY, "%s: no memory for %lld elements of %s", name,
                   (long long)count, hd_type_name(type));
}

io_array_header io_image_form(hd_type type, int64_t h, int64_t w, int64_t c)
{
    return (io_array_header){
        .dtype = {.type = type}, .ndim = c == 1 ? 2 : 3, .shape = {h, w, c == 1 ? 0 : c}};
}
