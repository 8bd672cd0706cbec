// SPDX-License-Identifier: Apache-2.0
// Texts whose bits a careless flag changes, in C and C++. flags.sh compiles them many times.
#include "flags_texts.h"

#ifdef AFTER // a pragma between the header and the texts
#define PRAGMA_OF(text) _Pragma(#text)
#define PRAGMA(text)    PRAGMA_OF(text) // with AFTER's value
PRAGMA(GCC optimize(AFTER))
#endif

HD_OPERATOR(times, complex_number, HD_NO_SOURCE, HD_ASSOCIATIVE, {
    complex_number c;
    c.re = a.re * b.re - a.im * b.im;
    c.im = a.re * b.im + a.im * b.re;
    return c;
})
HD_OPERATOR(turn, quaternion, HD_NO_SOURCE, HD_ASSOCIATIVE, {
    quaternion q;
    q.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
    q.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
    q.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
    q.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
    return q;
})
HD_SOURCE(
    products, static inline complex_row product(complex_row a, complex_row b) {
        complex_row c;
        for (int k = 0; k < 16; k += 2) {
            c.v[k] = a.v[k] * b.v[k] - a.v[k + 1] * b.v[k + 1];
            c.v[k + 1] = a.v[k] * b.v[k + 1] + a.v[k + 1] * b.v[k];
        }
        return c;
    })
HD_OPERATOR(rows, complex_row, products, HD_ASSOCIATIVE, { return product(a, b); })
HD_OPERATOR(either, float, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a + b - a * b; })
HD_FUNCTION(shift, float, HD_NO_SOURCE, (float, x, float, y, float, z),
            { return (x * y + z) / 3 - z; })
#ifdef COMPARED
HD_COMPARISON(nearer, complex_number, HD_NO_SOURCE,
              { return a.re * a.re + a.im * a.im < b.re * b.re + b.im * b.im; })
#else
static const hd_comparison *const nearer = 0;
#endif

const texts TEXTS = {times, turn, rows, either, shift, nearer};
