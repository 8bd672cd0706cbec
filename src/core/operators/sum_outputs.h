// SPDX-License-Identifier: Apache-2.0
//
// Outputs of sums whose nodes are more than a sum: one text for kernels and for
// src/core/operators/load_finalize.c, so that the bits are one. Numbers of f32 come as doubles,
// which hold them exactly. numerics.md has the formulas.

// The sum of a pair but for what the output's type has no room for: hi + lo - out, to one rounding.
HD_FN double hd_sum_rest(double hi, double lo, double out)
{
    const double s = hi + lo, y = s - hi;
    const double e = (hi - (s - y)) + (lo - y); // hi + lo is s + e
    const double rest = (s - out) + e;
    return rest - rest == 0 ? rest : 0;
}

// The additions that an element over n of them goes through at most: of the tree, or, where heads
// of segments stand anywhere in the tree, the most there can be.
HD_FN int hd_sum_depth(int64_t n, int heads)
{
    int log2 = -1, ones = 0;
    for (int64_t m = n; m > 0; m >>= 1) {
        log2++;
        ones += (int)(m & 1);
    }
    if (n <= 1) return 0;
    return heads ? 2 * log2 + 1 : log2 + ones - 1;
}

// What the sum of a node cannot be off by more than. depth: additions, init's too; u: of one of
// them; rounded: whether elements were rounded on their way in, by u at most.
HD_FN double hd_sum_bound(double hi, double lo, double size, double out, int depth, double u,
                          int rounded, int pairs)
{
    const double du = (depth + (pairs ? 0 : rounded)) * u, room = 1 - 2 * du;
    const double rest = out - out == 0 ? hd_sum_rest(hi, lo, out) : size;
    const double converted = pairs && rounded ? u / room * size : 0;
    const double added = pairs ? 2 * du * du / (room * room * room) * size : du / room * size;
    const double sum = ((rest < 0 ? -rest : rest) + converted) + added;
    // The roundings of these lines themselves, and of the last of them.
    const double bound = sum > 0 ? sum * (1 + 0x1p-48) + 0x1p-1074 : sum;
    const double most = u < 0x1p-30 ? 0x1p1020 : 0x1p124;
    return size < most && out - out == 0 ? bound : hd_double_of_bits(0x7ff0000000000000ull);
}
