// SPDX-License-Identifier: Apache-2.0
//
// WAV files: every kind of samples there and back, rounding and clamping, what is refused, and no
// memory. Damaged files are tests/fuzz/fuzz_wav.c's.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/audio/wav.h"
#include "io/support/memory.h"
#include "tests/support/io_memory.h"

static const char name[] = "test_io_wav.tmp";

// Two frames and two channels of a kind, written and read again.
static void there_and_back(int bits, bool floats, const double *samples, const double *want)
{
    float narrow[4];
    io_error error = {.text = ""};
    io_wav wav = {.frames = 2, .rate = 48000, .channels = 2, .bits = bits, .floats = floats}, got;
    wav.type = bits == 64 || (bits == 32 && !floats) ? HD_F64 : HD_F32;
    for (int k = 0; k < 4; k++) narrow[k] = (float)samples[k];
    wav.samples = wav.type == HD_F32 ? (void *)narrow : (void *)(uintptr_t)samples;
    CHECK(io_wav_write(&wav, name, &error) == IO_OK, "%s", error.text);
    CHECK(io_wav_read(&got, name, &error) == IO_OK, "%s", error.text);
    CHECK(got.frames == 2 && got.channels == 2 && got.rate == 48000 && got.bits == bits &&
              got.floats == floats && got.type == wav.type,
          "%d bits", bits);
    for (int k = 0; k < 4; k++) {
        const double x =
            got.type == HD_F32 ? (double)((float *)got.samples)[k] : ((double *)got.samples)[k];
        CHECK(x == want[k], "%d bits, sample %d: %.17g, expected %.17g", bits, k, x, want[k]);
    }
    io_wav_release(&got);
    unlink(name);
}

static void test_kinds(void)
{
    const double exact[] = {-1, 0.5, 0, -0.25};
    const double rounded[] = {1, -7, NAN, 0x1p-16 + 0x1p-15}; // 1.5 units of 16 bits: to even
    const double want[] = {1 - 0x1p-15, -1, 0, 0x1p-14};
    there_and_back(8, false, exact, exact);
    there_and_back(16, false, exact, exact);
    there_and_back(24, false, exact, exact);
    there_and_back(32, false, exact, exact);
    there_and_back(32, true, exact, exact);
    there_and_back(64, true, exact, exact);
    there_and_back(16, false, rounded, want);
}

static void test_refused(void)
{
    io_error error = {.text = ""};
    float sample = 0;
    io_wav wav = {.frames = INT64_C(1) << 31, .rate = 1, .channels = 1, .bits = 16, .type = HD_F32};
    wav.samples = &sample;
    CHECK(io_wav_write(&wav, name, &error) == IO_ARGUMENT && strstr(error.text, "4 GiB"), "%s",
          error.text);
    CHECK(io_wav_read(&wav, "/nonexistent.wav", &error) == IO_SYSTEM, "%s", error.text);
    const io_bytes text = {.name = "x", .data = (const unsigned char *)"RIFF....WAVE", .size = 12};
    CHECK(io_wav_decode(&wav, &text, &error) == IO_FORMAT && strstr(error.text, "chunk of samples"),
          "%s", error.text);
}

static void test_memory(void)
{
    static const unsigned char file[] = "RIFF\x26\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x44\xac\0\0\x88"
                                        "X\1\0\2\0\x10\0data\2\0\0\0\0\x40";
    const io_bytes bytes = {.name = "x", .data = file, .size = sizeof file - 1};
    io_error error = {.text = ""};
    io_wav wav;
    io_allocations_left = 0;
    CHECK(io_wav_decode(&wav, &bytes, &error) == IO_MEMORY && wav.samples == NULL, "%s",
          error.text);
    io_allocations_left = -1;
    CHECK(io_wav_decode(&wav, &bytes, &error) == IO_OK, "%s", error.text);
    CHECK(wav.frames == 1 && *(float *)wav.samples == 0.5f, "%lld frames", (long long)wav.frames);
    io_wav_release(&wav);
}

int main(void)
{
    test_kinds();
    test_refused();
    test_memory();
    return check_finish();
}
