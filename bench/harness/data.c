// SPDX-License-Identifier: Apache-2.0
//
// Buffers and fills. Every element is a function of its index, so all threads fill at once and a
// longer fill begins with a shorter one.
#include "data.h"

#include "bench/peer/peer.h"

#include <stdlib.h>
#include <string.h>

#define PAGE 4096
// Memory after the arrays that exists, too: a prefetch into a page that was never touched walks the
// page table again at each call, which makes a kernel that prefetches six times slower on 4 KiB.
#define AFTER (16 * PAGE)

size_t data_type_size(int32_t type)
{
    static const size_t sizes[] = {2, 4, 8, 1, 8, 4, 8, 2, 4, 0};
    return sizes[type];
}

const char *data_type_name(int32_t type)
{
    static const char *const names[] = {"i16", "i32", "i64", "u8",  "u64",
                                        "f32", "f64", "u16", "u32", "other"};
    return names[type];
}

static void touch(char *p, int64_t bytes)
{
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < bytes; i += PAGE) memset(p + i, 0, PAGE);
}

bool data_open(data *d, int64_t bytes)
{
    const int64_t whole = (bytes + PAGE - 1) / PAGE * PAGE + AFTER;
    *d = (data){aligned_alloc(PAGE, (size_t)whole),
                aligned_alloc(PAGE, (size_t)whole),
                bytes,
                FILL_NONE,
                0,
                0};
    if (d->in && d->out) {
        touch(d->in, whole), touch(d->out, whole);
        return true;
    }
    data_close(d);
    return false;
}

void data_close(data *d)
{
    free(d->in), free(d->out);
    d->in = d->out = NULL;
}

int data_peak(int64_t i)
{
    int k = 2;
    while (k < 62 && ((int64_t)1 << k) * 2 / 3 < i) k++;
    return ((int64_t)1 << k) * 2 / 3 == i ? k : 0;
}

static int64_t whole(int64_t i)
{
    return data_mix((uint64_t)i) >> 60 == 0;
}

// Between 1 and 2^28, the peaks above.
static int64_t positive_integer(int64_t i)
{
    const int k = data_peak(i);
    return k ? ((int64_t)1 << 29) + k : (int64_t)(data_mix((uint64_t)i) >> 36) + 1;
}

// Between 0 and 1, the peaks above.
static double positive_real(int64_t i)
{
    const int k = data_peak(i);
    return k ? 1 + k / 64.0 : (double)((data_mix((uint64_t)i) >> 40) + 1) * 0x1p-25;
}

static void fill_i32(int32_t *x, int64_t n, bool positive)
{
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++) x[i] = (int32_t)(positive ? positive_integer(i) : whole(i));
}

static void fill_f32(float *x, int64_t n, bool positive)
{
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++) x[i] = positive ? (float)positive_real(i) : (float)whole(i);
}

static void fill_f64(double *x, int64_t n, bool positive)
{
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++) x[i] = positive ? positive_real(i) : (double)whole(i);
}

static void fill_bits(unsigned char *x, int64_t bytes)
{
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < bytes; i++) x[i] = (unsigned char)(data_mix((uint64_t)i) >> 56);
}

void data_fill_in(data *d, data_fill fill, int32_t type, int64_t n)
{
    if (d->fill == fill && d->type == type && d->filled >= n) return;
    const bool positive = fill == FILL_POSITIVE;
    if (fill == FILL_BITS)
        fill_bits(d->in, n * (int64_t)data_type_size(type));
    else if (type == PEER_I32)
        fill_i32(d->in, n, positive);
    else if (type == PEER_F32)
        fill_f32(d->in, n, positive);
    else if (type == PEER_F64)
        fill_f64(d->in, n, positive);
    d->fill = fill, d->type = type, d->filled = n;
}
