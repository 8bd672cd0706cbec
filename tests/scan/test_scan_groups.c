// SPDX-License-Identifier: Apache-2.0
//
// Scans with segments and by key where the cpu backend goes by groups of eight: sizes around powers
// of eight and its blocks, short and long segments, inclusive and exclusive, in place. Every target
// against the serial definition, bit for bit.
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

#define MAX (3 * 32768 + 777)

static int64_t offsets[MAX + 2];
static int32_t keys[MAX];
static _Alignas(64) unsigned char in[8 * MAX], want[8 * MAX], got[8 * MAX];

// Segments of 0 to 2 mean - 1 elements, and keys that change as often; numbers that round.
static int64_t fill(hd_type type, int64_t n, int64_t mean, uint64_t *state)
{
    int64_t m = 0, at = 0;
    for (offsets[0] = 0; at < n; offsets[++m] = at) {
        at += check_below(state, 2 * mean);
        if (at > n) at = n;
    }
    for (int64_t i = 0; i < n; i++) {
        const double x = (double)check_below(state, 2000) * 0.37 - 300;
        keys[i] = (i > 0 ? keys[i - 1] : 0) + (check_below(state, mean) == 0);
        if (type == HD_F64)
            ((double *)in)[i] = x;
        else if (type == HD_F32)
            ((float *)in)[i] = (float)x;
        else if (type == HD_I32)
            ((int32_t *)in)[i] = (int32_t)x;
        else
            ((uint16_t *)in)[i] = (uint16_t)(int32_t)x;
    }
    return m;
}

static void test(const check_target *targets, int count, hd_type type, const hd_operator *op,
                 int64_t n, int64_t mean, uint64_t *state)
{
    const size_t bytes = (size_t)n * hd_type_size(type);
    const int64_t m = fill(type, n, mean, state);
    for (int way = 0; way < 4; way++) {
        hd_scan_options o = {.exclusive = way & 1};
        o.keys = way & 2 ? HD_REF(HD_VIEW(keys, n)) : NULL;
        o.segments = way & 2 ? NULL : HD_REF(HD_VIEW(offsets, m + 1));
        CHECK_OK(targets[0].ctx, hd_scan(targets[0].ctx, hd_view_of(type, in, n), op,
                                         hd_view_of(type, want, n), &o));
        for (int t = 1; t < count; t++) {
            const bool in_place = t % 2 == 0;
            if (in_place) memcpy(got, in, bytes);
            CHECK_OK(targets[t].ctx,
                     hd_scan(targets[t].ctx, hd_view_of(type, in_place ? got : in, n), op,
                             hd_view_of(type, got, n), &o));
            CHECK(memcmp(got, want, bytes) == 0, "%s: %s, n = %lld, mean %lld, way %d",
                  targets[t].name, hd_type_name(type), (long long)n, (long long)mean, way);
        }
    }
}

int main(void)
{
    static const int64_t sizes[] = {1,   7,   8,    9,    63,   64,    65,    511,
                                    512, 513, 4095, 4096, 4097, 32767, 32769, MAX};
    const check_target *targets;
    const int count = check_targets(&targets);
    uint64_t state = 1;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int64_t n = sizes[k], mean = k % 3 == 0 ? 2 : k % 3 == 1 ? 12 : 3000;
        test(targets, count, HD_F32, HD_SUM, n, mean, &state);
        test(targets, count, HD_F64, HD_SUM, n, mean, &state);
        test(targets, count, HD_I32, HD_SUM, n, mean, &state);
        if (n > 5000) continue;
        test(targets, count, HD_F32, HD_MAX, n, mean, &state);
        test(targets, count, HD_F64, HD_PRODUCT, n, mean, &state);
        test(targets, count, HD_U16, HD_SUM, n, mean, &state);
    }
    return check_finish();
}
