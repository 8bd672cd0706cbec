// SPDX-License-Identifier: Apache-2.0
// The norm of f64: three sums of squares, of elements scaled by powers of two so that no square
// overflows or loses bits [J. L. Blue, ACM TOMS 4 (1978); the thresholds are those of E. Anderson,
// ACM TOMS 44 (2017)]. Elements of other types need none of it: their squares fit f64.
#include "builtin.h"

#include <math.h>

HD_SOURCE(
    norm_source,
    // A NaN is among the ordinary elements, an infinity among the large ones.
    static inline hd__norm hd__norm_of(double x) {
        const double size = x < 0 ? -x : x;
        const bool small = size<0x1p-511, large = size> 0x1p486;
        const double scaled = small ? x * 0x1p537 : large ? x * 0x1p-538 : x;
        const double square = scaled * scaled;
        hd__norm n;
        n.small = small ? square : 0;
        n.middle = small || large ? 0 : square;
        n.large = large ? square : 0;
        return n;
    }

    // Beside large elements small ones are below the last bit, and beside ordinary ones unless
    // those are all near the small ones.
    static inline double hd__norm_root(hd__norm n) {
        if (n.large != 0) return sqrt(n.large + n.middle * 0x1p-538 * 0x1p-538) * 0x1p538;
        if (n.small == 0 || !(n.middle < 0x1p-400)) return sqrt(n.middle);
        return sqrt(n.small + n.middle * 0x1p537 * 0x1p537) * 0x1p-537;
    })

HD_MONOID(norms, hd__norm, norm_source, HD_ASSOCIATIVE | HD_COMMUTATIVE, HD_BRACES(0, 0, 0), {
    hd__norm r;
    r.small = a.small + b.small;
    r.middle = a.middle + b.middle;
    r.large = a.large + b.large;
    return r;
})

const hd_operator *hd__builtin_norm(void)
{
    return norms;
}

void hd__norm_load(const double *elements, int64_t n, hd__norm *nodes)
{
    for (int64_t i = 0; i < n; i++) nodes[i] = hd__norm_of(elements[i]);
}

double hd__norm_finalize(hd__norm node)
{
    return hd__norm_root(node);
}
