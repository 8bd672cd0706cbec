// SPDX-License-Identifier: Apache-2.0
//
// Exponentials and logarithms of doubles, and powers. See math.h.
#ifndef HEDDLE_MATH_EXP_H
#define HEDDLE_MATH_EXP_H

HD__M_BEGIN

// ln 2 in two parts: a whole number below 2^13 times the first, of 40 bits, is exact.
#define HD__M_LN2_HI 0.6931471805592082
#define HD__M_LN2_LO 7.371002565167799e-13
#define HD__M_LOG2_E 1.4426950408889634

// ---- Exponentials -------------------------------------------------------------------------------

// e^(a + b) before its last rounding, |a| <= 0.35, |b| below the last bit of a. 1, a and the square
// of the head of a are added without loss; the polynomial is within 2^-60 of the rest.
HD__MATH hd__m_pair hd__m_exp_pair(double a, double b)
{
    HD__M_UNFUSED const double h = hd__m_head(a), square = 0.5 * h * h,
                               rest = 0.5 * (a + h) * (a - h);
    double p = 2.0911236630261545e-09;
    p = 2.510038549551032e-08 + a * p;
    p = 2.755728296954995e-07 + a * p;
    p = 2.7557268459997064e-06 + a * p;
    p = 2.4801587317144498e-05 + a * p;
    p = 0.00019841269863053618 + a * p;
    p = 0.0013888888888886552 + a * p;
    p = 0.008333333333330062 + a * p;
    p = 0.041666666666666664 + a * p;
    p = 0.16666666666666669 + a * p;
    const hd__m_pair s = hd__m_ordered_sum(1.0, a), t = hd__m_ordered_sum(s.hi, square);
    return hd__m_pair_of(t.hi, ((s.lo + t.lo) + (b + b * a)) + (rest + (a * a * a) * p));
}

// x - k ln 2, for k the whole number nearest to x / ln 2, as a pair.
HD__MATH hd__m_pair hd__m_less_ln2(double x, double k)
{
    HD__M_UNFUSED return hd__m_sum(x - k * HD__M_LN2_HI, -(k * HD__M_LN2_LO));
}

// 2^k (p.hi + p.lo) for k from -1100 to 1030: in two steps, so that neither factor is out of range.
HD__MATH double hd__m_scaled(hd__m_pair p, double k)
{
    HD__M_UNFUSED const double half = hd__m_nearest(0.5 * k);
    return (p.hi + p.lo) * hd__m_two_to(half) * hd__m_two_to(k - half);
}

// Comparisons with NaN are false, so that it passes through.
HD__MATH double hd__m_clamped(double x, double least, double most)
{
    return hd__m_choose(x > most, most, hd__m_choose(x < least, least, x));
}

HD__MATH double hd_exp(double x)
{
    HD__M_UNFUSED const double c = hd__m_clamped(x, -746.0, 710.0),
                               k = hd__m_nearest(c * HD__M_LOG2_E);
    const hd__m_pair r = hd__m_less_ln2(c, k);
    return hd__m_scaled(hd__m_exp_pair(r.hi, r.lo), k);
}

HD__MATH double hd_exp2(double x)
{
    HD__M_UNFUSED const double c = hd__m_clamped(x, -1080.0, 1030.0), k = hd__m_nearest(c),
                               r = c - k;
    // ln 2 as 26 bits and the rest.
    const double h = hd__m_head(r), a = h * 0.6931471675634384;
    const double b = (r - h) * 0.6931471675634384 + r * 1.2996506893889889e-08;
    const hd__m_pair s = hd__m_ordered_sum(a, b);
    return hd__m_scaled(hd__m_exp_pair(s.hi, s.lo), k);
}

// (e^x - 1) / 2 for x from -40 to 710.
HD__MATH hd__m_pair hd__m_expm1_half(double x)
{
    HD__M_UNFUSED const double k = hd__m_nearest(x * HD__M_LOG2_E), half = hd__m_two_to(k - 1.0);
    const hd__m_pair r = hd__m_less_ln2(x, k), e = hd__m_exp_pair(r.hi, r.lo);
    const hd__m_pair s = hd__m_sum(e.hi * half, -0.5);
    return hd__m_ordered_sum(s.hi, s.lo + e.lo * half);
}

HD__MATH double hd_expm1(double x)
{
    HD__M_UNFUSED const hd__m_pair e = hd__m_expm1_half(hd__m_clamped(x, -40.0, 710.0));
    return hd__m_choose(hd__m_magnitude(x) < 5.551115123125783e-17, x,
                        2.0 * (e.hi + e.lo)); // 2^-54
}

// tanh x = h / (h + 1) with h = (e^2x - 1) / 2.
HD__MATH double hd_tanh(double x)
{
    HD__M_UNFUSED const double a = hd__m_magnitude(x);
    const hd__m_pair h = hd__m_expm1_half(2.0 * hd__m_clamped(a, 0.0, 22.0));
    const hd__m_pair d = hd__m_sum(h.hi, 1.0);
    const hd__m_pair q = hd__m_pair_quotient(h, hd__m_pair_of(d.hi, d.lo + h.lo));
    return hd__m_choose(a < 3.725290298461914e-09, x, hd__m_signed_as(q.hi + q.lo, x)); // 2^-28
}

// ---- Logarithms ---------------------------------------------------------------------------------

// log(1 + f) = 2 s + s z P(z), where s = f / (2 + f) and z = s s.
HD__MATH double hd__m_log_series(double z)
{
    HD__M_UNFUSED double p = 0.14616585424888623;
    p = 0.15331710618210773 + z * p;
    p = 0.18182889455674947 + z * p;
    p = 0.22222211130259878 + z * p;
    p = 0.2857142862600327 + z * p;
    p = 0.39999999999899444 + z * p;
    return z * (0.666666666666667 + z * p);
}

// log m for m from sqrt(1/2) to sqrt(2): 2 s as a pair, and the series, which is below 0.01 of it.
HD__MATH hd__m_pair hd__m_log_pair(double m)
{
    HD__M_UNFUSED const double f = m - 1.0, d = 2.0 + f, r = 1.0 / d, s = f * r;
    const hd__m_pair p = hd__m_product(s, d);
    const double lost = (((f - p.hi) - p.lo) - s * (f - (d - 2.0))) * r;
    return hd__m_ordered_sum(2.0 * s, 2.0 * lost + s * hd__m_log_series(s * s));
}

// What a logarithm of a number that is not above 0 and finite is; y of the others.
HD__MATH double hd__m_log_or(double x, double y)
{
    const double positive = hd__m_choose(x < HD__M_INFINITY, y, x);
    return hd__m_choose(x <= 0, hd__m_choose(x == 0, -HD__M_INFINITY, HD__M_NAN), positive);
}

HD__MATH double hd_log(double x)
{
    HD__M_UNFUSED const hd__m_pair e = hd__m_exponent_of(x), l = hd__m_log_pair(e.lo);
    const hd__m_pair s = hd__m_ordered_sum(e.hi * HD__M_LN2_HI, l.hi);
    return hd__m_log_or(x, s.hi + (s.lo + (e.hi * HD__M_LN2_LO + l.lo)));
}

// log x to a base b: log 2 as one of 40 bits and the rest, 1 / ln b as 26 bits and the rest.
HD__MATH double hd__m_log_to(double x, hd__m_pair two, hd__m_pair factor)
{
    HD__M_UNFUSED const hd__m_pair e = hd__m_exponent_of(x), l = hd__m_log_pair(e.lo);
    const double h = hd__m_head(l.hi);
    const hd__m_pair s = hd__m_ordered_sum(e.hi * two.hi, h * factor.hi);
    const double rest =
        ((l.hi - h) * factor.hi + l.hi * factor.lo) + (l.lo * factor.hi + e.hi * two.lo);
    return hd__m_log_or(x, s.hi + (s.lo + rest));
}

HD__MATH double hd_log2(double x)
{
    return hd__m_log_to(x, hd__m_pair_of(1.0, 0.0),
                        hd__m_pair_of(1.4426950216293335, 1.9259629911266175e-08));
}

HD__MATH double hd_log10(double x)
{
    return hd__m_log_to(x, hd__m_pair_of(0.30102999566361177, 3.694239077158931e-13),
                        hd__m_pair_of(0.4342944771051407, 4.798111141615973e-09));
}

// log u for u the sum 1 + x as rounded, and log(1 + c) for what that lost.
HD__MATH double hd_log1p(double x)
{
    HD__M_UNFUSED const hd__m_pair u = hd__m_sum(1.0, x), e = hd__m_exponent_of(u.hi);
    const hd__m_pair l = hd__m_log_pair(e.lo), s = hd__m_ordered_sum(e.hi * HD__M_LN2_HI, l.hi);
    const double c = u.lo / u.hi, lost = c - 0.5 * c * c;
    const double y = s.hi + (s.lo + ((e.hi * HD__M_LN2_LO + l.lo) + lost));
    return hd__m_choose(hd__m_magnitude(x) < 5.551115123125783e-17, x, hd__m_log_or(u.hi, y));
}

// ---- Powers -------------------------------------------------------------------------------------

// log x for x above 0 and finite, to 2^-68 of it: powers multiply its error by up to 1075. Around
// 3/4, 1 and 41/32, so that s and with it the series is small.
HD__MATH hd__m_pair hd__m_log_long(double x)
{
    HD__M_UNFUSED const hd__m_pair e = hd__m_exponent_of(x);
    const double m = e.lo;
    const int low = m<0.866, high = m> 1.16;
    const double about = hd__m_choose(low, 0.75, hd__m_choose(high, 1.28125, 1.0));
    const double log_hi =
        hd__m_choose(low, -0.2876820724517809, hd__m_choose(high, 0.24783616390458127, 0.0));
    const double log_lo =
        hd__m_choose(low, -2.607160616442564e-17, hd__m_choose(high, -1.2432209578702523e-17, 0.0));
    const hd__m_pair s = hd__m_pair_quotient(hd__m_pair_of(m - about, 0.0), hd__m_sum(m, about));
    const hd__m_pair z = hd__m_pair_product(s, s);
    double p = 0.13532673163807962;
    p = 0.15383356839100254 + z.hi * p;
    p = 0.18181821838223286 + z.hi * p;
    p = 0.2222222221742387 + z.hi * p;
    p = 0.28571428571430874 + z.hi * p;
    p = z.hi * (0.4 + z.hi * p);
    hd__m_pair c = hd__m_ordered_sum(0.6666666666666666, p);
    c.lo += 3.700743415417188e-17;
    const hd__m_pair u = hd__m_pair_product(s, hd__m_pair_product(z, c));
    const hd__m_pair a = hd__m_ordered_sum(e.hi * HD__M_LN2_HI, log_hi);
    const hd__m_pair l = hd__m_ordered_sum(2.0 * s.hi, u.hi), b = hd__m_ordered_sum(a.hi, l.hi);
    const double lo = (l.lo + (2.0 * s.lo + u.lo)) + (log_lo + e.hi * HD__M_LN2_LO);
    return hd__m_ordered_sum(b.hi, (a.lo + b.lo) + lo);
}

// For x not below 0; from 2^52 on every number is whole.
HD__MATH int hd__m_is_whole(double x)
{
    HD__M_UNFUSED const double nearest = (x + 4503599627370496.0) - 4503599627370496.0;
    return (nearest == x) | (x >= 4503599627370496.0);
}

// x^y where |x|^y is p for |x| above 0 and finite, by the table of C's annex F.
HD__MATH double hd__m_pow_or(double x, double y, double p)
{
    HD__M_UNFUSED const double a = hd__m_magnitude(x), b = hd__m_magnitude(y);
    const int whole = hd__m_is_whole(b), odd = whole & !hd__m_is_whole(0.5 * b);
    const double end = hd__m_choose((a == 0) == (y < 0), HD__M_INFINITY, 0.0);
    double r = hd__m_choose((a == 0) | (a == HD__M_INFINITY), end, p);
    r = hd__m_choose(odd, hd__m_signed_as(r, x), r);
    r = hd__m_choose((x < 0) & (a < HD__M_INFINITY) & !whole, HD__M_NAN, r);
    r = hd__m_choose((x != x) | (y != y), x + y, r);
    return hd__m_choose((x == 1.0) | (y == 0), 1.0, r);
}

HD__MATH double hd_pow(double x, double y)
{
    // |log x| is at least 2^-53 or 0, so that beyond 2^65 powers are 0, 1 or infinite.
    HD__M_UNFUSED const double power =
        hd__m_clamped(y, -36893488147419103232.0, 36893488147419103232.0);
    const hd__m_pair l = hd__m_log_long(hd__m_magnitude(x)), v = hd__m_product(power, l.hi);
    const double c = hd__m_clamped(v.hi, -746.0, 710.0), k = hd__m_nearest(c * HD__M_LOG2_E);
    const double lo = hd__m_choose(c == v.hi, v.lo + power * l.lo, 0.0);
    const hd__m_pair r = hd__m_less_ln2(c, k), s = hd__m_sum(r.hi, r.lo + lo);
    return hd__m_pow_or(x, y, hd__m_scaled(hd__m_exp_pair(s.hi, s.lo), k));
}

// ---- Roots --------------------------------------------------------------------------------------

// t near the root, of 26 bits; t^3 is known without loss, and (1 + r)^(1/3) is t's correction.
HD__MATH double hd_cbrt(double x)
{
    HD__M_UNFUSED const double a = hd__m_magnitude(x);
    const hd__m_pair e = hd__m_exponent_of(a);
    const double m = e.lo, q = hd__m_nearest(e.hi * 0.3333333333333333), left = e.hi - 3.0 * q;
    const double y = m * hd__m_choose(left < 0, 0.5, hd__m_choose(left > 0, 2.0, 1.0));
    const double factor =
        hd__m_choose(left < 0, 0.7937005259840998, hd__m_choose(left > 0, 1.2599210498948732, 1.0));
    double p = 0.02556608271860522;
    p = -0.172186919831943 + m * p;
    p = 0.4955390366404781 + m * p;
    p = -0.8201573094839348 + m * p;
    p = 1.0479306955437162 + m * p;
    p = 0.4233077964235478 + m * p;
    const double t = hd__m_head(factor * p);
    const hd__m_pair cube = hd__m_product(t * t, t);
    const double r = ((y - cube.hi) - cube.lo) / cube.hi;
    const double more =
        r * (0.3333333333333333 - r * (0.1111111111111111 - r * 0.06172839506172839));
    const double root = (t + t * more) * hd__m_two_to(q);
    return hd__m_choose((a == 0) | !(a < HD__M_INFINITY), x, hd__m_signed_as(root, x));
}

// sqrt(a^2 + b^2) with the larger between 2^-400 and 2^400.
HD__MATH double hd_hypot(double x, double y)
{
    HD__M_UNFUSED const double u = hd__m_magnitude(x), v = hd__m_magnitude(y);
    const double large = hd__m_choose(u < v, v, u), small = hd__m_choose(u < v, u, v);
    const int up = large<3.8725919148493183e-121, down = large> 2.5822498780869086e+120;
    const double two_600 = 4.149515568880993e+180, two_m600 = 2.409919865102884e-181;
    const double by = hd__m_choose(up, two_600, hd__m_choose(down, two_m600, 1.0));
    const double back = hd__m_choose(up, two_m600, hd__m_choose(down, two_600, 1.0));
    const double a = by * large, b = by * small;
    const hd__m_pair aa = hd__m_product(a, a), bb = hd__m_product(b, b);
    const hd__m_pair s = hd__m_ordered_sum(aa.hi, bb.hi);
    const double root = hd_sqrt(s.hi);
    const hd__m_pair rr = hd__m_product(root, root);
    const double lost = ((s.hi - rr.hi) - rr.lo) + (s.lo + (aa.lo + bb.lo));
    const double h = (root + lost / (2.0 * root)) * back;
    const double other = hd__m_choose((x != x) | (y != y), x + y, hd__m_choose(large == 0, 0.0, h));
    const double infinity = HD__M_INFINITY;
    return hd__m_choose((u == infinity) | (v == infinity), infinity, other);
}

HD__M_END

#endif
