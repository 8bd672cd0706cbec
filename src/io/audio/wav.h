// SPDX-License-Identifier: Apache-2.0
//
// WAV files (RIFF, WAVE): PCM of 8, 16, 24 and 32 bits, floats of 32 and 64 bits, any number of
// channels. Samples are (frames, channels): f32 where it holds them all, f64 for PCM of 32 bits and
// floats of 64; PCM is divided by its greatest magnitude, so that full scale is -1 .. 1.
#ifndef HEDDLE_IO_AUDIO_WAV_H
#define HEDDLE_IO_AUDIO_WAV_H

#include <stdbool.h>
#include <stdint.h>

#include "heddle.h"
#include "io/stream/bytes.h"

// Most channels of a file.
#define IO_WAV_MAX_CHANNELS 1024

typedef struct io_wav {
    int64_t frames, rate; // rate: frames a second
    int32_t channels, bits;
    bool floats; // else whole numbers
    hd_type type;
    void *samples; // free() gives it back
} io_wav;

// Reads a file, or standard input. After an error there is nothing to release.
io_status io_wav_read(io_wav *wav, const char *name, io_error *error);
io_status io_wav_decode(io_wav *wav, const io_bytes *bytes, io_error *error);
// Also of zeros.
void io_wav_release(io_wav *wav);

// Writes the samples, which are of wav->type, as a file of wav's kind: PCM is rounded to nearest,
// ties to even, and clamped; NaN is 0. The file appears whole or not at all.
io_status io_wav_write(const io_wav *wav, const char *name, io_error *error);

#endif
