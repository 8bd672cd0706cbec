// SPDX-License-Identifier: Apache-2.0
//
// The functions of floats: computed in double and rounded once. See math.h.
#ifndef HEDDLE_MATH_FLOAT_H
#define HEDDLE_MATH_FLOAT_H

HD__M_BEGIN

#define HD__M_LN2 0.6931471805599453

// ---- Exponentials -------------------------------------------------------------------------------

// e^r - 1 for |r| <= 0.35, to 2^-43 of e^r.
HD__MATH double hd__m_expm1_near(double r)
{
    HD__M_UNFUSED double p = 2.761757684835413e-06;
    p = 2.4867883453521802e-05 + r * p;
    p = 0.00019841224581544105 + r * p;
    p = 0.001388883909064138 + r * p;
    p = 0.008333333344209506 + r * p;
    p = 0.041666666786337556 + r * p;
    p = 0.16666666666662583 + r * p;
    p = 0.4999999999995507 + r * p;
    return r + (r * r) * p;
}

// e^x for |x| up to 700.
HD__MATH double hd__m_exp_near(double x)
{
    HD__M_UNFUSED const double k = hd__m_nearest(x * HD__M_LOG2_E);
    return (1.0 + hd__m_expm1_near(x - k * HD__M_LN2)) * hd__m_two_to(k);
}

// e^x - 1.
HD__MATH double hd__m_expm1_of(double x)
{
    HD__M_UNFUSED const double k = hd__m_nearest(x * HD__M_LOG2_E), by = hd__m_two_to(k);
    return hd__m_expm1_near(x - k * HD__M_LN2) * by + (by - 1.0);
}

HD__MATH float hd_expf(float x)
{
    return (float)hd__m_exp_near(hd__m_clamped((double)x, -110.0, 90.0));
}

HD__MATH float hd_exp2f(float x)
{
    HD__M_UNFUSED const double c = hd__m_clamped((double)x, -160.0, 130.0), k = hd__m_nearest(c);
    return (float)((1.0 + hd__m_expm1_near((c - k) * HD__M_LN2)) * hd__m_two_to(k));
}

HD__MATH float hd_expm1f(float x)
{
    const double y = hd__m_expm1_of(hd__m_clamped((double)x, -30.0, 90.0));
    return (float)hd__m_choose(x == 0, (double)x, y);
}

HD__MATH float hd_tanhf(float x)
{
    HD__M_UNFUSED const double a = hd__m_magnitude((double)x);
    const double e = hd__m_expm1_of(2.0 * hd__m_clamped(a, 0.0, 20.0));
    return (float)hd__m_signed_as(e / (e + 2.0), (double)x);
}

// ---- Logarithms and powers ----------------------------------------------------------------------

// log m for m from sqrt(1/2) to sqrt(2), to 2^-43 of it.
HD__MATH double hd__m_log_near(double m)
{
    HD__M_UNFUSED const double f = m - 1.0, s = f / (2.0 + f), z = s * s;
    double p = 0.19362776836747533;
    p = 0.22191394493175057 + z * p;
    p = 0.2857175463573276 + z * p;
    p = 0.39999998796848674 + z * p;
    p = 0.6666666666737545 + z * p;
    return 2.0 * s + (s * z) * p;
}

HD__MATH float hd_logf(float x)
{
    HD__M_UNFUSED const hd__m_pair e = hd__m_normal_exponent_of((double)x);
    return (float)hd__m_log_or((double)x, e.hi * HD__M_LN2 + hd__m_log_near(e.lo));
}

HD__MATH float hd_log2f(float x)
{
    HD__M_UNFUSED const hd__m_pair e = hd__m_normal_exponent_of((double)x);
    return (float)hd__m_log_or((double)x, e.hi + hd__m_log_near(e.lo) * HD__M_LOG2_E);
}

HD__MATH float hd_log10f(float x)
{
    HD__M_UNFUSED const hd__m_pair e = hd__m_normal_exponent_of((double)x);
    const double y = e.hi * 0.3010299956639812 + hd__m_log_near(e.lo) * 0.4342944819032518;
    return (float)hd__m_log_or((double)x, y);
}

// From 2^-29 on 1 + x is exact; below, what it lost is the result's to first order.
HD__MATH float hd_log1pf(float x)
{
    HD__M_UNFUSED const double u = 1.0 + (double)x;
    const hd__m_pair e = hd__m_normal_exponent_of(u);
    const double y = e.hi * HD__M_LN2 + hd__m_log_near(e.lo), lost = (double)x - (u - 1.0);
    const double small = hd__m_choose(x < 1, y + lost, y);
    return (float)hd__m_choose(x == 0, (double)x, hd__m_log_or(u, small));
}

HD__MATH float hd_powf(float x, float y)
{
    HD__M_UNFUSED const hd__m_pair e = hd__m_normal_exponent_of(hd__m_magnitude((double)x));
    const double f = e.lo - 1.0, s = f / (2.0 + f);
    const double l = e.hi * HD__M_LN2 + (2.0 * s + s * hd__m_log_series(s * s));
    const double v = hd__m_clamped((double)y, -1e38, 1e38) * l; // not 0 times infinity
    const double p = hd__m_exp_near(hd__m_clamped(v, -110.0, 90.0));
    return (float)hd__m_pow_or((double)x, (double)y, p);
}

// ---- Roots --------------------------------------------------------------------------------------

// A root of a double that is rounded to float again is the right one: 53 bits are two more than
// twice 24.
HD__MATH float hd_sqrtf(float x)
{
    return (float)hd_sqrt((double)x);
}

HD__MATH float hd_cbrtf(float x)
{
    return (float)hd_cbrt((double)x);
}

// The squares are exact in double.
HD__MATH float hd_hypotf(float x, float y)
{
    HD__M_UNFUSED const double a = hd__m_magnitude((double)x), b = hd__m_magnitude((double)y);
    const double h = hd_sqrt(a * a + b * b), infinity = HD__M_INFINITY;
    return (float)hd__m_choose((a == infinity) | (b == infinity), infinity, h);
}

// ---- Angles -------------------------------------------------------------------------------------

// x - k pi / 2; the nearest that a float comes to a multiple is 2^-31.
HD__MATH hd__m_angle hd__m_angle_of_float(double x)
{
    HD__M_UNFUSED const double shifted = x * HD__M_2_PI + 6755399441055744.0;
    const double k = shifted - 6755399441055744.0;
    hd__m_angle y;
    if (!(hd__m_magnitude(x) < 1048576.0)) return hd__m_angle_of(x);
    y.hi = (x - k * HD__M_PI_2_1) - k * 6.077100506506192e-11;
    y.lo = 0;
    y.quarter = hd__m_bits_of(shifted);
    return y;
}

HD__MATH double hd__m_sine_near(double x)
{
    HD__M_UNFUSED const double z = x * x;
    double p = -2.4805611712122475e-08;
    p = 2.7555990664728974e-06 + z * p;
    p = -0.00019841266916110632 + z * p;
    p = 0.008333333331078323 + z * p;
    p = -0.16666666666663885 + z * p;
    return x + (x * z) * p;
}

HD__MATH double hd__m_cosine_near(double x)
{
    HD__M_UNFUSED const double z = x * x;
    double p = 2.0700582941271302e-09;
    p = -2.755636950618061e-07 + z * p;
    p = 2.480158521036455e-05 + z * p;
    p = -0.0013888888887276698 + z * p;
    p = 0.04166666666666468 + z * p;
    return (1.0 - 0.5 * z) + (z * z) * p;
}

HD__MATH double hd__m_sine_of_float(hd__m_angle a, uint64_t further)
{
    const uint64_t quarter = a.quarter + further;
    const double s = hd__m_sine_near(a.hi), c = hd__m_cosine_near(a.hi);
    const double y = quarter & 1 ? c : s;
    return quarter & 2 ? -y : y;
}

HD__MATH float hd_sinf(float x)
{
    const double y = hd__m_sine_of_float(hd__m_angle_of_float((double)x), 0);
    return x == 0 ? x : (float)hd__m_finite_or_nan((double)x, y);
}

HD__MATH float hd_cosf(float x)
{
    const double y = hd__m_sine_of_float(hd__m_angle_of_float((double)x), 1);
    return (float)hd__m_finite_or_nan((double)x, y);
}

HD__MATH float hd_tanf(float x)
{
    HD__M_UNFUSED const hd__m_angle a = hd__m_angle_of_float((double)x);
    const double s = hd__m_sine_near(a.hi), c = hd__m_cosine_near(a.hi);
    const double y = a.quarter & 1 ? -c / s : s / c;
    return x == 0 ? x : (float)hd__m_finite_or_nan((double)x, y);
}

// atan(n / d) for 0 <= n <= d, d not 0.
HD__MATH double hd__m_atan_near(double n, double d)
{
    HD__M_UNFUSED const int low = n<0.25 * d, high = n> 0.75 * d;
    const double c = hd__m_choose(low, 0.0, hd__m_choose(high, 1.0, 0.5));
    const double base =
        hd__m_choose(low, 0.0, hd__m_choose(high, 0.7853981633974483, 0.4636476090008061));
    const double t = (n - c * d) / (d + c * n), z = t * t;
    double p = 0.06559773428747599;
    p = -0.09013764561676028 + z * p;
    p = 0.1110864592969693 + z * p;
    p = -0.14285678411484412 + z * p;
    p = 0.19999999808268185 + z * p;
    p = -0.3333333333316676 + z * p;
    return base + (t + (t * z) * p);
}

HD__MATH float hd_atanf(float x)
{
    HD__M_UNFUSED const double a = hd__m_clamped(hd__m_magnitude((double)x), 0.0, 1e30);
    const int over = a > 1.0;
    const double r = hd__m_atan_near(hd__m_choose(over, 1.0, a), hd__m_choose(over, a, 1.0));
    return (float)hd__m_signed_as(hd__m_choose(over, 1.5707963267948966 - r, r), (double)x);
}

HD__MATH float hd_atan2f(float y, float x)
{
    HD__M_UNFUSED const double a = hd__m_magnitude((double)y), b = hd__m_magnitude((double)x);
    const int over = a > b, left = hd__m_signed_as(1.0, (double)x) < 0;
    const double d = hd__m_choose(over, a, b), n = hd__m_choose(over, b, a);
    const int both = n == HD__M_INFINITY, one = d == HD__M_INFINITY;
    const double near = hd__m_atan_near(n, hd__m_choose(d == 0, 1.0, d));
    const double r = hd__m_choose(both, 0.7853981633974483, hd__m_choose(one, 0.0, near));
    const double half = hd__m_choose(left, 3.141592653589793, 0.0);
    const double base = hd__m_choose(over, 1.5707963267948966, half);
    const double angle = hd__m_signed_as(hd__m_choose(over != left, base - r, base + r), (double)y);
    return (float)hd__m_choose((x != x) | (y != y), (double)x + (double)y, angle);
}

HD__M_END

#endif
