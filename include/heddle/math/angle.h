// SPDX-License-Identifier: Apache-2.0
//
// Sines, cosines and tangents of doubles, and the angles of a tangent. See math.h.
#ifndef HEDDLE_MATH_ANGLE_H
#define HEDDLE_MATH_ANGLE_H

HD__M_BEGIN

// x = quarter pi / 2 + hi + lo, |hi| up to pi / 4; of quarter the last two bits count.
typedef struct hd__m_angle {
    double hi, lo;
    uint64_t quarter;
} hd__m_angle;

// ---- The angle within a quarter turn ------------------------------------------------------------

// pi / 2 in parts of 33 bits: times a whole number up to 2^20 the first three are exact.
#define HD__M_PI_2_1 1.5707963267341256
#define HD__M_PI_2_2 6.077100506303966e-11
#define HD__M_PI_2_3 2.0222662487111665e-21
#define HD__M_PI_2_4 8.4784276603689e-32
#define HD__M_2_PI   0.6366197723675814

// |x| below 2^20: x - k pi / 2 to 2^-130. The nearest that a double comes to a multiple is 2^-60.
HD__MATH hd__m_angle hd__m_angle_near(double x)
{
    HD__M_UNFUSED const double shifted = x * HD__M_2_PI + 6755399441055744.0;
    const double k = shifted - 6755399441055744.0;
    const hd__m_pair a = hd__m_sum(x - k * HD__M_PI_2_1, -(k * HD__M_PI_2_2));
    const hd__m_pair b = hd__m_sum(a.lo, -(k * HD__M_PI_2_3)), c = hd__m_sum(a.hi, b.hi);
    const hd__m_pair r = hd__m_ordered_sum(c.hi, c.lo + (b.lo - k * HD__M_PI_2_4));
    hd__m_angle y;
    y.hi = r.hi;
    y.lo = r.lo;
    y.quarter = hd__m_bits_of(shifted);
    return y;
}

HD__MATH uint64_t hd__m_product_above(uint64_t a, uint64_t b)
{
    const uint64_t a1 = a >> 32, a0 = a & 0xffffffffu, b1 = b >> 32, b0 = b & 0xffffffffu;
    const uint64_t across = a1 * b0 + (a0 * b0 >> 32), more = a0 * b1 + (across & 0xffffffffu);
    return a1 * b1 + (across >> 32) + (more >> 32);
}

// 64 bits of 2 / pi from bit number `from` on; the first 64 are those before the point, zeros.
HD__MATH uint64_t hd__m_two_over_pi(uint64_t from)
{
    static const uint64_t bits[] = {
        0x0000000000000000u, 0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u,
        0xfe5163abdebbc561u, 0xb7246e3a424dd2e0u, 0x06492eea09d1921cu, 0xfe1deb1cb129a73eu,
        0xe88235f52ebb4484u, 0xe99c7026b45f7e41u, 0x3991d639835339f4u, 0x9c845f8bbdf9283bu,
        0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u, 0x4f463f669e5fea2du,
        0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu};
    const uint64_t at = from >> 6, shift = from & 63;
    return bits[at] << shift | (bits[at + 1] >> 1) >> (63 - shift);
}

// |x| from 2^20 on, by Payne and Hanek: x is a whole number of 53 bits times 2^e, and of its
// product with 2 / pi only what is below 4 is needed, 192 bits of it. What is cut off is below
// 2^-137.
HD__MATH hd__m_angle hd__m_angle_far(double x)
{
    HD__M_UNFUSED const uint64_t bits = hd__m_bits_of(x), exponent = bits >> 52 & 0x7ff;
    const uint64_t m = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
    const uint64_t from = exponent - (1023u + 52u) + 62u; // the bit that m turns into a 2
    const uint64_t w0 = hd__m_two_over_pi(from), w1 = hd__m_two_over_pi(from + 64);
    const uint64_t w2 = hd__m_two_over_pi(from + 128);
    const uint64_t p2 = m * w2, carry = hd__m_product_above(m, w2), p1 = m * w1 + carry;
    const uint64_t p0 = m * w0 + hd__m_product_above(m, w1) + (p1 < carry);
    // Two bits before the point, the rest behind it; from a half on the next quarter is nearer.
    uint64_t f1 = p0 << 2 | p1 >> 62, f0 = p1 << 2 | p2 >> 62;
    const uint64_t above = f1 >> 63, quarter = (p0 >> 62) + above;
    f1 = above ? ~f1 : f1;
    f0 = above ? ~f0 : f0; // one less than the negative: 2^-128
    const hd__m_pair upper = hd__m_ordered_sum((double)(f1 >> 32) * 2.3283064365386963e-10,
                                               (double)(f1 & 0xffffffffu) * 5.421010862427522e-20);
    const hd__m_pair lower = hd__m_ordered_sum((double)(f0 >> 32) * 1.262177448353619e-29,
                                               (double)(f0 & 0xffffffffu) * 2.938735877055719e-39);
    const hd__m_pair all = hd__m_ordered_sum(upper.hi, (upper.lo + lower.hi) + lower.lo);
    const hd__m_pair turn = hd__m_pair_of(1.5707963267948966, 6.123233995736766e-17); // pi / 2
    const hd__m_pair t = hd__m_pair_product(all, turn), r = hd__m_ordered_sum(t.hi, t.lo);
    const uint64_t minus = above ^ bits >> 63;
    hd__m_angle y;
    y.hi = minus ? -r.hi : r.hi;
    y.lo = minus ? -r.lo : r.lo;
    y.quarter = bits >> 63 ? 0 - quarter : quarter;
    return y;
}

// NaN for what is not finite.
HD__MATH hd__m_angle hd__m_angle_of(double x)
{
    if (hd__m_magnitude(x) < 1048576.0) return hd__m_angle_near(x);
    return hd__m_angle_far(hd__m_magnitude(x) < HD__M_INFINITY ? x : 1048576.0);
}

// ---- Sine, cosine, tangent ----------------------------------------------------------------------

// sin(x + lo) before its last rounding: x - g^3 / 6 without loss, where g is near x and a multiple
// of 6 / 2^17, so that g^3 / 6 is a number of 50 bits; what is between x^3 and g^3, and the
// polynomial, behind it.
HD__MATH hd__m_pair hd__m_sine_pair(double x, double lo)
{
    HD__M_UNFUSED const double z = x * x, j = hd__m_nearest(x * 21845.333333333332);
    const double g = j * 4.57763671875e-05, cube = (j * j * j) * 1.5987211554602254e-14;
    const double rest = ((x - g) * ((z + x * g) + g * g)) * 0.16666666666666666;
    double p = -7.586691094197958e-13;
    p = 1.6058531516797758e-10 + z * p;
    p = -2.5052106231802837e-08 + z * p;
    p = 2.7557319219337312e-06 + z * p;
    p = -0.00019841269841265063 + z * p;
    p = 0.008333333333333331 + z * p;
    const hd__m_pair s = hd__m_ordered_sum(x, -cube);
    return hd__m_pair_of(s.hi, s.lo + ((lo * (1.0 - 0.5 * z) - rest) + (x * z * z) * p));
}

// cos(x + lo): 1 and the square of the head of x without loss, the polynomial behind them.
HD__MATH hd__m_pair hd__m_cosine_pair(double x, double lo)
{
    HD__M_UNFUSED const double z = x * x, h = hd__m_head(x), square = 0.5 * h * h;
    const double rest = 0.5 * (x + h) * (x - h);
    double p = -1.1382623647474604e-11;
    p = 2.087614614655861e-09 + z * p;
    p = -2.7557317271145144e-07 + z * p;
    p = 2.480158729876456e-05 + z * p;
    p = -0.0013888888888887398 + z * p;
    p = 0.041666666666666664 + z * p;
    const hd__m_pair s = hd__m_ordered_sum(1.0, -square);
    return hd__m_pair_of(s.hi, ((s.lo - rest) - x * lo) + z * z * p);
}

// The sine of an angle, a number of quarters further.
HD__MATH double hd__m_sine_of(hd__m_angle a, uint64_t further)
{
    HD__M_UNFUSED const uint64_t quarter = a.quarter + further;
    const hd__m_pair s = hd__m_sine_pair(a.hi, a.lo), c = hd__m_cosine_pair(a.hi, a.lo);
    const double y = quarter & 1 ? c.hi + c.lo : s.hi + s.lo;
    return quarter & 2 ? -y : y;
}

HD__MATH double hd__m_finite_or_nan(double x, double y)
{
    return hd__m_magnitude(x) < HD__M_INFINITY ? y : HD__M_NAN;
}

HD__MATH double hd_sin(double x)
{
    const double y = hd__m_sine_of(hd__m_angle_of(x), 0);
    return hd__m_magnitude(x) < 3.725290298461914e-09 ? x : hd__m_finite_or_nan(x, y); // 2^-28
}

HD__MATH double hd_cos(double x)
{
    return hd__m_finite_or_nan(x, hd__m_sine_of(hd__m_angle_of(x), 1));
}

HD__MATH double hd_tan(double x)
{
    HD__M_UNFUSED const hd__m_angle a = hd__m_angle_of(x);
    hd__m_pair s = hd__m_sine_pair(a.hi, a.lo), c = hd__m_cosine_pair(a.hi, a.lo);
    s = hd__m_ordered_sum(s.hi, s.lo);
    c = hd__m_ordered_sum(c.hi, c.lo);
    const int odd = (int)(a.quarter & 1);
    const hd__m_pair above = odd ? hd__m_pair_of(-c.hi, -c.lo) : s, below = odd ? s : c;
    const hd__m_pair q = hd__m_pair_quotient(above, below);
    return hd__m_magnitude(x) < 3.725290298461914e-09 ? x : hd__m_finite_or_nan(x, q.hi + q.lo);
}

// ---- Angles of a tangent ------------------------------------------------------------------------

// atan(n / d) for 2^-64 d <= n <= d, d between 2^-500 and 2^500: atan c + atan t, c 0, 1/2 or 1 and
// t = (n - c d) / (d + c n), which is at most 1/4.
HD__MATH hd__m_pair hd__m_atan_pair(double n, double d)
{
    HD__M_UNFUSED const int low = n<0.25 * d, high = n> 0.75 * d;
    const double c = hd__m_choose(low, 0.0, hd__m_choose(high, 1.0, 0.5));
    const hd__m_pair half = hd__m_pair_of(0.4636476090008061, 2.2698777452961687e-17);
    const hd__m_pair one = hd__m_pair_of(0.7853981633974483, 3.061616997868383e-17);
    const hd__m_pair atan_c =
        hd__m_pair_choose(low, hd__m_pair_of(0.0, 0.0), hd__m_pair_choose(high, one, half));
    const hd__m_pair t = hd__m_pair_quotient(hd__m_sum(n, -(c * d)), hd__m_ordered_sum(d, c * n));
    const double z = t.hi * t.hi;
    double p = -0.04101828156464053;
    p = 0.05752619086241913 + z * p;
    p = -0.06658651772903566 + z * p;
    p = 0.07692016123431836 + z * p;
    p = -0.09090902827435111 + z * p;
    p = 0.11111111035291911 + z * p;
    p = -0.14285714285253562 + z * p;
    p = 0.19999999999998921 + z * p;
    p = -0.3333333333333333 + z * p;
    const hd__m_pair s = hd__m_ordered_sum(atan_c.hi, t.hi);
    return hd__m_ordered_sum(s.hi, s.lo + (atan_c.lo + (t.lo * (1.0 - z) + (t.hi * z) * p)));
}

// base + r or base - r.
HD__MATH double hd__m_turned(hd__m_pair base, hd__m_pair r, int back)
{
    HD__M_UNFUSED const hd__m_pair t = hd__m_pair_choose(back, hd__m_pair_of(-r.hi, -r.lo), r);
    const hd__m_pair s = hd__m_ordered_sum(base.hi, t.hi);
    return s.hi + (s.lo + (base.lo + t.lo));
}

HD__MATH double hd_atan(double x)
{
    HD__M_UNFUSED const double m = hd__m_magnitude(x),
                               a = hd__m_clamped(m, 0.0, 1152921504606846976.0);
    const int over = a > 1.0;
    const hd__m_pair r = hd__m_atan_pair(hd__m_choose(over, 1.0, a), hd__m_choose(over, a, 1.0));
    const hd__m_pair quarter = hd__m_pair_of(1.5707963267948966, 6.123233995736766e-17);
    const hd__m_pair base = hd__m_pair_choose(over, quarter, hd__m_pair_of(0.0, 0.0));
    const double y = hd__m_signed_as(hd__m_turned(base, r, over), x);
    return hd__m_choose(m < 3.725290298461914e-09, x, y);
}

// atan(n / d) for 0 <= n <= d of any size; 0 for 0 / 0, pi / 4 for two infinities.
HD__MATH hd__m_pair hd__m_atan_any(double n, double d)
{
    HD__M_UNFUSED const double two_500 = 3.273390607896142e+150, two_m500 = 3.054936363499605e-151;
    const double two_600 = 4.149515568880993e+180, two_m600 = 2.409919865102884e-181;
    const double by = hd__m_choose(d > two_500, two_m600, hd__m_choose(d < two_m500, two_600, 1.0));
    const int finite = n < HD__M_INFINITY;
    const double u = hd__m_choose(finite, n * by, 1.0), v = hd__m_choose(finite, d * by, 1.0);
    const int small = u < 5.421010862427522e-20 * v; // 2^-64
    const hd__m_pair r = hd__m_pair_choose(small, hd__m_pair_of(n / d, 0.0), hd__m_atan_pair(u, v));
    return hd__m_pair_choose(d == 0, hd__m_pair_of(0.0, 0.0), r);
}

HD__MATH double hd_atan2(double y, double x)
{
    HD__M_UNFUSED const double a = hd__m_magnitude(y), b = hd__m_magnitude(x);
    const int over = a > b, left = hd__m_signed_as(1.0, x) < 0;
    const hd__m_pair r = hd__m_atan_any(hd__m_choose(over, b, a), hd__m_choose(over, a, b));
    const hd__m_pair quarter = hd__m_pair_of(1.5707963267948966, 6.123233995736766e-17);
    const hd__m_pair half = hd__m_pair_of(3.141592653589793, 1.2246467991473532e-16);
    const hd__m_pair base =
        hd__m_pair_choose(over, quarter, hd__m_pair_choose(left, half, hd__m_pair_of(0.0, 0.0)));
    const double angle = hd__m_turned(base, r, over != left);
    return hd__m_choose((x != x) | (y != y), x + y, hd__m_signed_as(angle, y));
}

HD__M_END

#endif
