// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on shapes, safe against shapes that lie, and their text.
#include "array_header.h"

#include <stdio.h>

int64_t io_array_header_count(const io_array_header *header)
{
    const int64_t element = (int64_t)hd_type_size(header->dtype.type);
    int64_t count = 1;
    bool empty = false;
    // Zeros are left out of the product: (2^40, 2^40, 0) has no elements, but is no shape either.
    for (int32_t k = 0; k < header->ndim; k++) {
        if (header->shape[k] < 0) return -1;
        if (header->shape[k] == 0)
            empty = true;
        else if (__builtin_mul_overflow(count, header->shape[k], &count))
            return -1;
    }
    int64_t bytes;
    if (element <= 0 || __builtin_mul_overflow(count, element, &bytes)) return -1;
    if (count > INT64_C(1) << 62) return -1;
    return empty ? 0 : count;
}

bool io_array_header_is_row_major(const io_array_header *header)
{
    int long_axes = 0;
    for (int32_t k = 0; k < header->ndim; k++) {
        if (header->shape[k] == 0) return true;
        if (header->shape[k] > 1) long_axes++;
    }
    return !header->fortran || long_axes <= 1;
}

void io_array_header_strides(const io_array_header *header, int64_t stride[HD_MAX_DIMS])
{
    const bool fortran = header->fortran && !io_array_header_is_row_major(header);
    int64_t step = 1;
    for (int32_t k = 0; k < header->ndim; k++) {
        const int32_t axis = fortran ? k : header->ndim - 1 - k;
        stride[axis] = step;
        step *= header->shape[axis] > 0 ? header->shape[axis] : 1;
    }
}

const char *io_shape_text(int32_t ndim, const int64_t *shape, char text[IO_SHAPE_ROOM])
{
    size_t n = (size_t)snprintf(text, IO_SHAPE_ROOM, "(");
    for (int32_t k = 0; k < ndim; k++)
        n += (size_t)snprintf(text + n, IO_SHAPE_ROOM - n, "%s%lld", k ? ", " : "",
                              (long long)shape[k]);
    snprintf(text + n, IO_SHAPE_ROOM - n, "%s)", ndim == 1 ? "," : "");
    return text;
}
