// SPDX-License-Identifier: Apache-2.0
//
// Writing WAV files.
#include <math.h>
#include <string.h>

#include "io/writer.h"
#include "wav.h"

enum { HEADER = 44, AT_ONCE = 4096, MAX_SAMPLE = 8 };

static void put_number(unsigned char *p, uint64_t value, int bytes)
{
    for (int k = 0; k < bytes; k++) p[k] = (unsigned char)(value >> 8 * k);
}

static void make_header(const io_wav *wav, int64_t bytes, unsigned char *p)
{
    const int frame = wav->channels * wav->bits / 8;
    memcpy(p, "RIFF", 4);
    put_number(p + 4, (uint64_t)(bytes + (bytes & 1) + HEADER - 8), 4);
    memcpy(p + 8, "WAVEfmt ", 8);
    put_number(p + 16, 16, 4);
    put_number(p + 20, wav->floats ? 3 : 1, 2);
    put_number(p + 22, (uint64_t)wav->channels, 2);
    put_number(p + 24, (uint64_t)wav->rate, 4);
    put_number(p + 28, (uint64_t)wav->rate * (uint64_t)frame, 4);
    put_number(p + 32, (uint64_t)frame, 2);
    put_number(p + 34, (uint64_t)wav->bits, 2);
    memcpy(p + 36, "data", 4);
    put_number(p + 40, (uint64_t)bytes, 4);
}

static void put_sample(const io_wav *wav, int64_t k, unsigned char *p)
{
    const bool narrow = wav->type == HD_F32;
    const double x =
        narrow ? (double)((const float *)wav->samples)[k] : ((const double *)wav->samples)[k];
    const float f = (float)x;
    if (wav->floats) {
        memcpy(p, wav->bits == 32 ? (const void *)&f : (const void *)&x, (size_t)wav->bits / 8);
        if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
            for (int a = 0, b = wav->bits / 8 - 1; a < b; a++, b--) {
                const unsigned char t = p[a];
                p[a] = p[b], p[b] = t;
            }
        return;
    }
    const double full = ldexp(1, wav->bits - 1), scaled = isnan(x) ? 0 : rint(x * full);
    const int64_t whole = (int64_t)(scaled < -full ? -full : scaled > full - 1 ? full - 1 : scaled);
    put_number(p, (uint64_t)(wav->bits == 8 ? whole + 128 : whole), wav->bits / 8);
}

static io_status put_samples(const io_wav *wav, io_writer *writer, int64_t bytes, io_error *error)
{
    unsigned char some[AT_ONCE * MAX_SAMPLE];
    const int64_t count = wav->frames * wav->channels;
    const int sample = wav->bits / 8;
    for (int64_t k = 0; k < count;) {
        const int64_t n = count - k < AT_ONCE ? count - k : AT_ONCE;
        for (int64_t j = 0; j < n; j++) put_sample(wav, k + j, some + j * sample);
        IO_TRY(io_writer_put(writer, some, n * sample, error));
        k += n;
    }
    some[0] = 0;
    return (bytes & 1) != 0 ? io_writer_put(writer, some, 1, error) : IO_OK;
}

io_status io_wav_write(const io_wav *wav, const char *name, io_error *error)
{
    unsigned char header[HEADER];
    io_writer writer;
    const int64_t bytes = wav->frames * wav->channels * (wav->bits / 8);
    const int64_t all = bytes + (bytes & 1) + HEADER;
    if (all > UINT32_MAX)
        return io_fail(error, IO_ARGUMENT, "%s: %lld bytes; a WAV file has at most 4 GiB", name,
                       (long long)all);
    IO_TRY(io_writer_open_as(&writer, name, IO_RAW, HD_U8, 1, &all, error));
    make_header(wav, bytes, header);
    io_status status = io_writer_put(&writer, header, HEADER, error);
    if (status == IO_OK) status = put_samples(wav, &writer, bytes, error);
    if (status == IO_OK) status = io_writer_commit(&writer, error);
    io_writer_abandon(&writer);
    return status;
}
