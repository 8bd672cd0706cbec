// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a PFM image.
#include "decode.h"

static void look(const io_array *array)
{
    const hd_view *v = &array->view;
    if (v->ndim != 2 && !(v->ndim == 3 && v->shape[2] == 3)) abort();
    if (v->type != HD_F32) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const io_read_options options = {.format = IO_PFM};
    fuzz_decode(data, size, &options, look);
    return 0;
}
