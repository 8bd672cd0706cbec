// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as numbers between blanks: the first byte chooses the element type and a shape.
#include "decode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    io_read_options options = {.type = data[0] % HD_STRUCTURE, .format = IO_TEXT};
    options.shaped = data[0] >= 128;
    options.ndim = options.shaped ? 2 : 0;
    options.shape[0] = data[0] % 4, options.shape[1] = data[0] / 4 % 4;
    fuzz_decode(data + 1, size - 1, &options, NULL);
    return 0;
}
