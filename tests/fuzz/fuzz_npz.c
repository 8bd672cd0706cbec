// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as an .npz archive: its list of arrays, and the only one.
#include "decode.h"
#include "io/npy/npz.h"

static bool count(const char *name, size_t length, void *user)
{
    size_t *bytes = user;
    for (size_t k = 0; k < length; k++) *bytes += (unsigned char)name[k] != 0;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const io_read_options options = {.format = IO_NPZ};
    const io_bytes file = {.name = "fuzz", .data = data, .size = size};
    io_error error = {.text = ""};
    size_t bytes = 0;
    if (io_npz_list(&file, count, &bytes, &error) != IO_OK && error.text[0] == '\0') abort();
    void *memory;
    if (io_npz_member(&file, "a", &memory, &bytes, &error) == IO_OK) free(memory);
    fuzz_decode(data, size, &options, NULL);
    return 0;
}
