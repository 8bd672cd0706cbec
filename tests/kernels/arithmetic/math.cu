// SPDX-License-Identifier: Apache-2.0
// A kernel of one's own with the functions of heddle/math.h: all of them of each element.
#include <heddle/math.h>

extern "C" __global__ void all_functions(const double *x, const double *y, const float *xf,
                                         const float *yf, double *out, float *out_f, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double v = x[i], w = y[i];
    const double r[17] = {hd_sqrt(v),  hd_cbrt(v),    hd_hypot(v, w), hd_exp(v),  hd_exp2(v),
                          hd_expm1(v), hd_tanh(v),    hd_log(v),      hd_log2(v), hd_log10(v),
                          hd_log1p(v), hd_pow(v, w),  hd_sin(v),      hd_cos(v),  hd_tan(v),
                          hd_atan(v),  hd_atan2(v, w)};
    const float a = xf[i], b = yf[i];
    const float f[17] = {hd_sqrtf(a),  hd_cbrtf(a),    hd_hypotf(a, b), hd_expf(a),  hd_exp2f(a),
                         hd_expm1f(a), hd_tanhf(a),    hd_logf(a),      hd_log2f(a), hd_log10f(a),
                         hd_log1pf(a), hd_powf(a, b),  hd_sinf(a),      hd_cosf(a),  hd_tanf(a),
                         hd_atanf(a),  hd_atan2f(a, b)};
    for (int k = 0; k < 17; k++) {
        out[17 * i + k] = r[k];
        out_f[17 * i + k] = f[k];
    }
}
