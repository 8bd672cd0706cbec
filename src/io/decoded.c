// SPDX-License-Identifier: Apache-2.0
//
// Room for decoded arrays, and the form of images.
#include "decoded.h"

#include "memory.h"

io_status io_decoded_room(io_decoded *out, const char *name, io_error *error)
{
    const hd_type type = out->form.dtype.type;
    const int64_t count = io_form_count(&out->form);
    out->data = count < 0 ? NULL : io_allocate((size_t)count * hd_type_size(type));
    if (out->data != NULL) return IO_OK;
    return io_fail(error, IO_MEMORY, "%s: no memory for %lld elements of %s", name,
                   (long long)count, hd_type_name(type));
}

io_form io_image_form(hd_type type, int64_t h, int64_t w, int64_t c)
{
    return (io_form){
        .dtype = {.type = type}, .ndim = c == 1 ? 2 : 3, .shape = {h, w, c == 1 ? 0 : c}};
}
