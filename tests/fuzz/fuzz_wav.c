// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a WAV file: what is refused has words, what is taken agrees with its own numbers.
#include "decode.h"

#include "io/audio/wav.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    io_wav wav;
    io_error error = {.text = ""};
    const io_bytes bytes = {.name = "fuzz", .data = data, .size = size};
    io_limit_set(FUZZ_MAX_BYTES);
    if (io_wav_decode(&wav, &bytes, &error) != IO_OK) {
        if (error.text[0] == '\0' || wav.samples != NULL) abort();
        return 0;
    }
    const size_t count = (size_t)wav.frames * (size_t)wav.channels;
    if (count * (size_t)wav.bits / 8 > size) abort();
    volatile uint64_t read = fuzz_hash(1, wav.samples, count * hd_type_size(wav.type));
    (void)read;
    for (size_t k = 0; k < count && !wav.floats; k++) {
        const double x =
            wav.type == HD_F32 ? (double)((float *)wav.samples)[k] : ((double *)wav.samples)[k];
        if (!(x >= -1 && x < 1)) abort();
    }
    io_wav_release(&wav);
    return 0;
}
