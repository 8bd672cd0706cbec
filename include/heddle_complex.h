// SPDX-License-Identifier: Apache-2.0
//
// std::complex in C++: HD_VIEW, HD_TYPE and hd_constant know std::complex<float> as HD_C64 and
// std::complex<double> as HD_C128. C programs need heddle.h alone.
#ifndef HEDDLE_COMPLEX_H
#define HEDDLE_COMPLEX_H

#include "heddle.h"

#ifdef __cplusplus
#include <complex>

template <> struct hd_type_of<std::complex<float>> {
    static const hd_type value = HD_C64;
};
template <> struct hd_type_of<std::complex<double>> {
    static const hd_type value = HD_C128;
};
#endif

#endif
