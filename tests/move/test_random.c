// SPDX-License-Identifier: Apache-2.0
//
// hd_random: the numbers of its definition, written a second time, on every backend and thread
// count; streams that are divided; ranges without bias; moments of the distributions.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

static const check_target *targets;
static int target_count;

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static const uint64_t golden = 0x9e3779b97f4a7c15u;

static uint64_t bits_at(uint64_t seed, uint64_t k)
{
    return mix(mix(seed) + (k + 1) * golden);
}

static void put_float(hd_type type, void *to, double x)
{
    const float f = (float)x;
    const uint16_t h = type == HD_F16 || type == HD_BF16 ? ref_narrow(type, x) : 0;
    if (type == HD_F64)
        memcpy(to, &x, 8);
    else if (type == HD_F32)
        memcpy(to, &f, 4);
    else
        memcpy(to, &h, 2);
}

// floor(r * m / 2^64) and the low half, by halves of 32 bits.
static uint64_t multiply(uint64_t r, uint64_t m, uint64_t *low)
{
    const uint64_t a = r >> 32, b = r & UINT32_MAX, c = m >> 32, d = m & UINT32_MAX;
    const uint64_t middle = a * d + (b * d >> 32), other = b * c + (middle & UINT32_MAX);
    *low = r * m;
    return a * c + (middle >> 32) + (other >> 32);
}

static void reference(hd_type type, bool normal, uint64_t low, uint64_t high, uint64_t seed,
                      uint64_t k, void *to)
{
    uint64_t r = bits_at(seed, k);
    if (check_is_float(type)) {
        const int bits = type == HD_F64 ? 53 : type == HD_F32 ? 24 : type == HD_F16 ? 11 : 8;
        const double u = ((double)(r >> 11) + 1) / 0x1p53,
                     v = (double)(mix(r + golden) >> 11) / 0x1p53;
        put_float(type, to,
                  normal ? hd_sqrt(-2 * hd_log(u)) * hd_cos(6.283185307179586 * v)
                         : ldexp((double)(r >> (64 - bits)), -bits));
        return;
    }
    const uint64_t m = high - low + 1;
    if (m != 0) {
        const uint64_t threshold = (UINT64_MAX % m + 1) % m;
        uint64_t part, number = multiply(r, m, &part);
        while (part < threshold) r = mix(r + golden), number = multiply(r, m, &part);
        r = number;
    }
    const uint64_t x = low + r;
    memcpy(to, &x, hd_type_size(type));
}

static void test(hd_type type, int64_t n, check_layout layout, bool normal, uint64_t seed)
{
    const size_t size = hd_type_size(type);
    uint64_t state = seed, low = 0, high = 0;
    const uint64_t offset = seed % 3 ? seed << 40 : 0;
    const bool whole = check_is_float(type) || seed % 4 == 0;
    const uint64_t mask = size == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * size) - 1;
    if (!check_is_float(type)) { // a range, or all there is
        const uint64_t most = type == HD_BOOL ? 1 : check_is_signed(type) ? mask >> 1 : mask;
        const uint64_t least = check_is_signed(type) ? ~most : 0;
        low = whole ? least : least + (check_next(&state) & (most - least));
        high = whole ? most : low + check_next(&state) % (most - low + (most - low != UINT64_MAX));
        if (seed % 5 == 0) high = low;
    }
    unsigned char *want = check_memory(size * (size_t)n + 1),
                  *got = check_memory(size * (size_t)n + 1);
    for (int64_t i = 0; i < n; i++)
        reference(type, normal, low, high, seed, offset + (uint64_t)i, want + (size_t)i * size);
    check_array a = check_new(type, n, layout, seed & 1);
    for (int t = 0; t < target_count; t++) {
        hd_random_options o = {.seed = seed, .offset = offset};
        o.distribution = normal ? HD_NORMAL : HD_UNIFORM;
        if (!whole || (low == high && !check_is_float(type))) o.low = &low, o.high = &high;
        CHECK_OK(targets[t].ctx, hd_random(targets[t].ctx, a.view, &o));
        check_get(&a, got);
        CHECK_SAME(type, got, want, n, "%" PRId64 " %s, %s, seed %" PRIu64 " on %s", n,
                   hd_type_name(type), normal ? "normal" : "uniform", seed, targets[t].name);
        CHECK(check_gaps(&a), "bytes between elements on %s", targets[t].name);
    }
    check_drop(&a);
    free(want), free(got);
}

// Two halves of a stream are the whole.
static void test_streams(void)
{
    enum { N = 100000 };
    static float whole[N], halves[N];
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_random(ctx, HD_VIEW(whole, N), &(hd_random_options){.seed = 9}));
        CHECK_OK(ctx, hd_random(ctx, HD_VIEW(halves, 777), &(hd_random_options){.seed = 9}));
        CHECK_OK(ctx, hd_random(ctx, HD_VIEW(halves + 777, N - 777),
                                &(hd_random_options){.seed = 9, .offset = 777}));
        CHECK(memcmp(whole, halves, sizeof whole) == 0, "a divided stream on %s", targets[t].name);
    }
}

static void test_moments(void)
{
    enum { N = 1 << 20 };
    static double x[N];
    static int32_t w[N];
    hd_context *ctx = targets[target_count - 1].ctx;
    double mean, variance;
    int64_t counts[3] = {0};
    CHECK_OK(ctx, hd_random(ctx, HD_VIEW(x, N), NULL));
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, N), HD_MEAN, HD_VIEW(&mean, 1), NULL));
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, N), HD_VARIANCE, HD_VIEW(&variance, 1), NULL));
    CHECK(fabs(mean - 0.5) < 0.0015 && fabs(variance - 1.0 / 12) < 0.0005, "uniform: %g %g", mean,
          variance);
    CHECK_OK(ctx, hd_random(ctx, HD_VIEW(x, N), &(hd_random_options){.distribution = HD_NORMAL}));
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, N), HD_MEAN, HD_VIEW(&mean, 1), NULL));
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, N), HD_VARIANCE, HD_VIEW(&variance, 1), NULL));
    CHECK(fabs(mean) < 0.005 && fabs(variance - 1) < 0.007, "normal: %g %g", mean, variance);
    const int32_t low = -1, high = 1;
    CHECK_OK(ctx, hd_random(ctx, HD_VIEW(w, N), &(hd_random_options){.low = &low, .high = &high}));
    for (int i = 0; i < N; i++) counts[w[i] + 1]++;
    for (int k = 0; k < 3; k++)
        CHECK(llabs(counts[k] - N / 3) < 2500, "%" PRId64 " of %d", counts[k], k - 1);
}

int main(void)
{
    uint64_t seed = check_seed();
    target_count = check_targets(&targets);
    for (int k = 0; check_type(k) != HD_NONE; k++) {
        int64_t n;
        for (int s = 0; (n = check_size(s, 3000)) >= 0; s++, seed++)
            test(check_type(k), n, (check_layout)(seed % CHECK_LAYOUTS),
                 check_is_float(check_type(k)) && seed & 1, seed);
        for (int s = 0; s < 6; s++, seed++)
            test(check_type(k), 100003, seed % 4 ? CHECK_DENSE : CHECK_STRIDED,
                 check_is_float(check_type(k)) && seed & 1, seed);
    }
    test_streams();
    test_moments();
    return check_finish();
}
