// SPDX-License-Identifier: Apache-2.0
//
// Variance of f32 and f64 where a product with a power of two may lose bits or overflow: the least
// numbers, the greatest, infinities; sizes around groups of 64 and blocks of them. Every target
// against the serial definition, bit for bit.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

#define MAX 70000

enum { WHOLE, MIN, SUBNORMAL, SMALL, GREAT, INFINITE, KINDS };

static double number(int kind, bool narrow, uint64_t bits)
{
    switch (kind) {
    case WHOLE: return (double)(int64_t)(bits % 2001) - 1000;
    case MIN: return ldexp((double)(bits % 64), narrow ? -149 : -1074);
    case SUBNORMAL:
        return ldexp((double)(bits % (1 << 23)) - (1 << 22),
                     narrow ? -149 : -1074 + (int)(bits >> 60));
    case SMALL: return ldexp((double)(bits % 1000), (narrow ? -140 : -530) + (int)(bits >> 40) % 8);
    case GREAT:
        return ldexp((double)(1 + bits % 100), (narrow ? 110 : 1000) + (int)(bits >> 40) % 12);
    default: return bits % 977 == 0 ? INFINITY : (double)(bits % 10007) * 0.37;
    }
}

// Any NaN is a NaN.
static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void test(const check_target *targets, int count, int kind, bool narrow, int64_t n,
                 uint64_t *state)
{
    static double wide[MAX];
    static float small[MAX];
    for (int64_t i = 0; i < n; i++) {
        wide[i] = number(kind, narrow, check_next(state));
        if (narrow) small[i] = (float)wide[i];
    }
    const hd_view in = narrow ? HD_VIEW(small, n) : HD_VIEW(wide, n);
    double want, got;
    CHECK_OK(targets[0].ctx, hd_reduce(targets[0].ctx, in, HD_VARIANCE, HD_VIEW(&want, 1), NULL));
    for (int t = 1; t < count; t++) {
        CHECK_OK(targets[t].ctx,
                 hd_reduce(targets[t].ctx, in, HD_VARIANCE, HD_VIEW(&got, 1), NULL));
        CHECK(same(want, got), "target %d, kind %d, %s, n = %lld: %a, expected %a", t, kind,
              narrow ? "f32" : "f64", (long long)n, got, want);
    }
}

// One element that is no number, or infinite, has no variance on a GPU either.
static void test_gpu(hd_backend which)
{
    const double x[] = {NAN, INFINITY, -INFINITY, 3};
    hd_context *ctx;
    CHECK(hd_open(&ctx, &(hd_context_options){.backend = which}) == HD_OK, "%s", hd_error(ctx));
    for (int k = 0; k < 4; k++) {
        const float narrow = (float)x[k];
        double wide_got;
        float got;
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(&x[k], 1), HD_VARIANCE, HD_VIEW(&wide_got, 1), NULL));
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(&narrow, 1), HD_VARIANCE, HD_VIEW(&got, 1), NULL));
        CHECK(k < 3 ? isnan(wide_got) && isnan(got) : wide_got == 0 && got == 0,
              "the variance of %g is %g and %g on %s", x[k], wide_got, (double)got,
              hd_backend_name(which));
    }
    hd_close(ctx);
}

int main(void)
{
    static const int64_t sizes[] = {63, 64, 65, 127, 128, 129, 1000, 4096, 32768 + 64 + 7, MAX};
    const check_target *targets;
    const int count = check_targets(&targets);
    uint64_t state = 1;
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            for (int narrow = 0; narrow < 2; narrow++)
                test(targets, count, kind, narrow != 0, sizes[k], &state);
    (void)check_on_gpus(test_gpu);
    return check_finish();
}
