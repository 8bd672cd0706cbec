// SPDX-License-Identifier: Apache-2.0
//
// The probe: a few lines of arithmetic that are compiled into every file with operators, functions
// or comparisons, as those are, and show by their results what the compiler was allowed to change.
// heddle_operator.h includes this file; do not include it alone.
//
// Every value comes out of a volatile variable and every piece is a function of its own, so that
// nothing can be computed beforehand. What the results ought to be is computed in double and
// rounded, or known.
#ifndef HEDDLE_PROBE_H
#define HEDDLE_PROBE_H

#if defined(__i386__) && !defined(__SSE_MATH__) // x87: numerics.md promises nothing there
#define HD__PROBE 0
#else
#define HD__PROBE       (&hd__probe_here)
#define HD__PROBE_COUNT 37 // elements: vectors of any length, and some left over
#define HD__PIECE       static HD__UNUSED HD__NOT_INLINE

HD__EXACT_BEGIN

HD__INLINE float hd__given(float x)
{
    volatile float v = x;
    return v;
}

// ---- Contraction, one by one and in the loops of operators ----------------------------------

typedef struct hd__probe_complex {
    float re, im;
} hd__probe_complex;

HD__EXACT_END

HD__OPERATOR_LOOPS(hd__probe_product, hd__probe_complex, HD__STATELESS, {
    hd__probe_complex c;
    c.re = a.re * b.re - a.im * b.im;
    c.im = a.re * b.im + a.im * b.re;
    return c;
})
HD__OPERATOR_LOOPS(hd__probe_either, float, HD__STATELESS, { return a + b - a * b; })

HD__EXACT_BEGIN

// The product of two floats, rounded, which no addition can reach into.
HD__INLINE float hd__probe_times(float x, float y)
{
    return hd__given((float)((double)x * (double)y));
}

HD__INLINE bool hd__probe_differ(float x, float y)
{
    return x < y || y < x;
}

HD__PIECE uint32_t hd__probe_members(void)
{
    void (*volatile combine)(void *, const void *, const void *, int64_t, const void *) =
        HD__LOOP_OF(hd__probe_complex, hd__probe_product__combine);
    hd__probe_complex x[HD__PROBE_COUNT], y[HD__PROBE_COUNT], z[HD__PROBE_COUNT];
    for (int i = 0; i < HD__PROBE_COUNT; i++) {
        const float t = hd__given((float)(i + 1));
        x[i].re = t / 7, x[i].im = t / 11, y[i].re = t / 13, y[i].im = t / 17;
    }
    combine(z, x, y, HD__PROBE_COUNT, 0);
    bool differs = false;
    for (int i = 0; i < HD__PROBE_COUNT; i++) {
        const float re = hd__probe_times(x[i].re, y[i].re) - hd__probe_times(x[i].im, y[i].im);
        const float im = hd__probe_times(x[i].re, y[i].im) + hd__probe_times(x[i].im, y[i].re);
        differs = differs || hd__probe_differ(z[i].re, re) || hd__probe_differ(z[i].im, im);
    }
    return differs ? HD__FOUND_CONTRACTION : 0;
}

HD__PIECE uint32_t hd__probe_numbers(void)
{
    void (*volatile combine)(void *, const void *, const void *, int64_t, const void *) =
        HD__LOOP_OF(float, hd__probe_either__combine);
    float x[HD__PROBE_COUNT], y[HD__PROBE_COUNT], z[HD__PROBE_COUNT];
    for (int i = 0; i < HD__PROBE_COUNT; i++) {
        x[i] = hd__given((float)(i + 1)) / 41;
        y[i] = hd__given((float)(i + 1)) / 43;
    }
    combine(z, x, y, HD__PROBE_COUNT, 0);
    bool differs = false;
    for (int i = 0; i < HD__PROBE_COUNT; i++) {
        const float sum = hd__given((float)((double)x[i] + (double)y[i]));
        differs = differs || hd__probe_differ(z[i], sum - hd__probe_times(x[i], y[i]));
    }
    return differs ? HD__FOUND_CONTRACTION : 0;
}

// A product that is compared and not added to: wider, if it is not what is stored.
HD__PIECE uint32_t hd__probe_width(float x, float y)
{
    const float stored = hd__given(x * y);
    return x * y < stored || x * y > stored ? HD__FOUND_WIDER : 0;
}

// ---- Regrouping -----------------------------------------------------------------------------

// Beside 2^30 a one is nothing, and so are many, one by one.
HD__PIECE uint32_t hd__probe_sums(float large, float one, int n)
{
    float x[HD__PROBE_COUNT], sum = 0;
    for (int i = 0; i < n; i++) x[i] = i == 0 ? large : one + one;
    for (int i = 0; i < n; i++) sum += x[i];
    const float back = (large + one) - large, product = large * 1e30f * 1e-30f;
    return sum > large || back > 0 || product < 2 * large ? HD__FOUND_REGROUPING : 0;
}

// ---- Quotients ------------------------------------------------------------------------------

HD__PIECE uint32_t hd__probe_quotients(float third, int n)
{
    float x[HD__PROBE_COUNT], by_three[HD__PROBE_COUNT], by_third[HD__PROBE_COUNT];
    for (int i = 0; i < n; i++) x[i] = hd__given((float)(i + 1));
    for (int i = 0; i < n; i++) by_three[i] = x[i] / 3, by_third[i] = x[i] / third;
    bool differs = false;
    for (int i = 0; i < n; i++) {
        const float quotient = hd__given((float)((double)x[i] / 3.0));
        differs = differs || hd__probe_differ(by_three[i], quotient) ||
                  hd__probe_differ(by_third[i], quotient);
    }
    return differs ? HD__FOUND_RECIPROCALS : 0;
}

// ---- Zeros, infinities, NaNs, subnormal numbers, constants ----------------------------------

HD__INLINE bool hd__probe_negative(float x)
{
    uint32_t bits;
    HD__MEMCPY(&bits, &x, sizeof bits);
    return bits >> 31 != 0;
}

HD__PIECE uint32_t hd__probe_zeros(float zero, float minus_zero, float x)
{
    const float sum = minus_zero + 0.0f, difference = 0.0f - zero, minus = -(x - x);
    const bool right = !hd__probe_negative(sum) && !hd__probe_negative(difference) &&
                       hd__probe_negative(minus) && hd__probe_negative(minus_zero * 1.0f);
    return right ? 0 : HD__FOUND_UNSIGNED_ZEROS;
}

HD__PIECE uint32_t hd__probe_infinities(float large)
{
    const float infinite = hd__given(large * large), none = hd__given(infinite - infinite);
    const bool nan = !(none <= none) && !(none < 1) && !(none >= 1) && !(none * 0.0f <= 0);
    const bool infinity = infinite > 3.4e38f && !(infinite < HD__INFINITY) &&
                          !(-infinite > -HD__INFINITY) && !(infinite - infinite <= 0);
    return nan && infinity ? 0 : HD__FOUND_FINITE_ONLY;
}

HD__PIECE uint32_t hd__probe_constants(float small, float one)
{
    const uint32_t flushing = small * 0.5f > 0 ? 0 : HD__FOUND_FLUSHING;
    // 0.1f is more than 0.1.
    return flushing | ((double)one * 0.1 < (double)0.1f ? 0 : HD__FOUND_FLOAT_CONSTANTS);
}

HD__PIECE uint32_t hd__probe_run(void)
{
    const float large = hd__given(1073741824.0f), one = hd__given(1.0f), zero = hd__given(0.0f);
    const int n = (int)hd__given((float)HD__PROBE_COUNT);
    const uint32_t wider = hd__probe_width(hd__given(0.1f), hd__given(0.3f));
    uint32_t found = wider != 0 ? wider : hd__probe_members() | hd__probe_numbers();
    found |= hd__probe_sums(large, one, n) | hd__probe_quotients(hd__given(3.0f), n);
    found |= hd__probe_zeros(zero, hd__given(-0.0f), one);
    found |= hd__probe_infinities(hd__given(1e30f));
    return found | hd__probe_constants(hd__given(1.17549435e-38f), one);
}

HD__EXACT_END

static hd__probe hd__probe_here HD__UNUSED = {hd__probe_run, 0};

#endif
#endif
