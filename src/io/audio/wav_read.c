// SPDX-License-Identifier: Apache-2.0
//
// Reading WAV files: chunks "fmt " and "data" are taken, all others skipped.
#include <stdlib.h>
#include <string.h>

#include "io/support/limit.h"
#include "io/support/memory.h"
#include "wav.h"

enum { RIFF_HEADER = 12, CHUNK_HEADER = 8, PCM = 1, FLOATS = 3, EXTENSIBLE = 0xfffe };

// Recorders that write to a pipe leave this as a length: up to the end of the file.
#define UNKNOWN_LENGTH 0xffffffffu

static uint32_t number(const unsigned char *p, int bytes)
{
    uint32_t value = 0;
    for (int k = bytes - 1; k >= 0; k--) value = value << 8 | p[k];
    return value;
}

static io_status bad(const io_bytes *bytes, size_t at, const char *what, io_error *error)
{
    return io_fail(error, IO_FORMAT, "%s: byte %zu: not a WAV file that can be read: %s",
                   bytes->name, at + (size_t)bytes->base, what);
}

// The chunk "fmt ": the kind of samples.
static io_status read_kind(io_wav *wav, const io_bytes *bytes, size_t at, size_t size,
                           io_error *error)
{
    const unsigned char *const p = bytes->data + at;
    if (size < 16) return bad(bytes, at, "expected at least 16 bytes of format", error);
    uint32_t kind = number(p, 2);
    if (kind == EXTENSIBLE && size >= 26) kind = number(p + 24, 2);
    wav->channels = (int32_t)number(p + 2, 2);
    wav->rate = number(p + 4, 4);
    wav->bits = (int32_t)number(p + 14, 2);
    wav->floats = kind == FLOATS;
    const uint32_t block = number(p + 12, 2);
    if (kind != PCM && kind != FLOATS)
        return bad(bytes, at, "expected PCM or floats, not compressed samples", error);
    if (wav->channels < 1 || wav->channels > IO_WAV_MAX_CHANNELS)
        return bad(bytes, at + 2, "expected 1 to 1024 channels", error);
    const bool fits = wav->floats
                          ? wav->bits == 32 || wav->bits == 64
                          : wav->bits == 8 || wav->bits == 16 || wav->bits == 24 || wav->bits == 32;
    if (!fits) return bad(bytes, at + 14, "expected 8, 16, 24 or 32 bits, floats 32 or 64", error);
    if (block != (uint32_t)(wav->channels * wav->bits / 8))
        return bad(bytes, at + 12, "the bytes of a frame are not its channels' samples", error);
    wav->type = wav->bits == 64 || (wav->bits == 32 && !wav->floats) ? HD_F64 : HD_F32;
    return IO_OK;
}

static double sample_of(const io_wav *wav, const unsigned char *p)
{
    switch (wav->bits) {
    case 8: return (p[0] - 128) / 128.0;
    case 16: return (int16_t)number(p, 2) / 32768.0;
    case 24: return (int32_t)(number(p, 3) << 8) / 2147483648.0;
    default: return (int32_t)number(p, 4) / 2147483648.0;
    }
}

static void take_float(const io_wav *wav, const unsigned char *p, int64_t k)
{
    const uint32_t low = number(p, 4);
    if (wav->bits == 32) {
        memcpy((float *)wav->samples + k, &low, sizeof low);
        return;
    }
    const uint64_t all = (uint64_t)number(p + 4, 4) << 32 | low;
    memcpy((double *)wav->samples + k, &all, sizeof all);
}

static io_status read_samples(io_wav *wav, const io_bytes *bytes, size_t at, size_t size,
                              io_error *error)
{
    const size_t sample = (size_t)wav->bits / 8, frame = sample * (size_t)wav->channels;
    if (size % frame != 0) return bad(bytes, at, "the samples end within a frame", error);
    wav->frames = (int64_t)(size / frame);
    const int64_t count = wav->frames * wav->channels;
    const int64_t room = count * (int64_t)hd_type_size(wav->type);
    IO_TRY(io_limit_check(bytes->name, "the samples", room, (int64_t)bytes->size, error));
    wav->samples = io_allocate(room > 0 ? (size_t)room : 1);
    if (wav->samples == NULL)
        return io_fail(error, IO_MEMORY, "%s: no memory for %lld samples", bytes->name,
                       (long long)count);
    const unsigned char *p = bytes->data + at;
    for (int64_t k = 0; k < count; k++, p += sample) {
        if (wav->floats)
            take_float(wav, p, k);
        else if (wav->type == HD_F32)
            ((float *)wav->samples)[k] = (float)sample_of(wav, p);
        else
            ((double *)wav->samples)[k] = sample_of(wav, p);
    }
    return IO_OK;
}

io_status io_wav_decode(io_wav *wav, const io_bytes *bytes, io_error *error)
{
    const unsigned char *const p = bytes->data;
    bool known = false;
    *wav = (io_wav){.frames = 0};
    if (bytes->size < RIFF_HEADER || memcmp(p, "RIFF", 4) != 0 || memcmp(p + 8, "WAVE", 4) != 0)
        return bad(bytes, 0, "expected RIFF, a length, WAVE", error);
    for (size_t at = RIFF_HEADER; bytes->size - at >= CHUNK_HEADER;) {
        const uint32_t said = number(p + at + 4, 4);
        const size_t begin = at + CHUNK_HEADER, left = bytes->size - begin;
        const bool data = memcmp(p + at, "data", 4) == 0;
        const size_t size = data && said == UNKNOWN_LENGTH ? left : said;
        if (size > left) return bad(bytes, at, "a chunk is longer than the file", error);
        if (data && !known) return bad(bytes, at, "samples before their format", error);
        if (data) return read_samples(wav, bytes, begin, size, error);
        if (memcmp(p + at, "fmt ", 4) == 0) {
            IO_TRY(read_kind(wav, bytes, begin, size, error));
            known = true;
        }
        if (left - size < (size & 1)) break; // chunks begin at even bytes
        at = begin + size + (size & 1);
    }
    return bad(bytes, bytes->size, "expected a chunk of samples", error);
}

io_status io_wav_read(io_wav *wav, const char *name, io_error *error)
{
    io_source source;
    io_bytes bytes;
    *wav = (io_wav){.frames = 0};
    IO_TRY(io_source_open(&source, name, error));
    io_status status = io_bytes_read(&bytes, &source, error);
    if (status == IO_OK) {
        status = io_wav_decode(wav, &bytes, error);
        io_bytes_release(&bytes);
    }
    io_source_close(&source);
    return status;
}

void io_wav_release(io_wav *wav)
{
    free(wav->samples);
    wav->samples = NULL;
}
