// SPDX-License-Identifier: Apache-2.0
// Quickhull's decisions over i64, exactly: differences have 64 bits and a sign, products 128.
#include "hull.h"

// clang-format off
HD_SOURCE(exact,
    typedef int64_t coordinate;
    typedef struct { int64_t x, y, index; } corner;
    typedef struct { int64_t ax, ay, bx, by, x, y, index; } candidate;
    typedef struct { int64_t ax, ay, bx, by; } line;

    static inline uint64_t distance(int64_t a, int64_t b)
    {
        return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
    }
    static inline int direction(int64_t from, int64_t to) { return (from < to) - (to < from); }
    // *low = the lower half of a b; returns the upper one
    static inline uint64_t product(uint64_t a, uint64_t b, uint64_t *low)
    {
        const uint64_t mask = 0xffffffff;
        const uint64_t ll = (a & mask) * (b & mask);
        const uint64_t lh = (a & mask) * (b >> 32);
        const uint64_t hl = (a >> 32) * (b & mask);
        const uint64_t hh = (a >> 32) * (b >> 32);
        const uint64_t middle = (ll >> 32) + (lh & mask) + (hl & mask);
        *low = (ll & mask) | (middle << 32);
        return hh + (lh >> 32) + (hl >> 32) + (middle >> 32);
    }
    static inline int turn(int64_t ax, int64_t ay, int64_t bx, int64_t by, int64_t px, int64_t py,
                           int64_t qx, int64_t qy)
    {
        uint64_t l;
        uint64_t r;
        const uint64_t l_high = product(distance(ax, bx), distance(py, qy), &l);
        const uint64_t r_high = product(distance(ay, by), distance(px, qx), &r);
        const int l_sign = direction(ax, bx) * direction(py, qy);
        const int r_sign = direction(ay, by) * direction(px, qx);
        if (l_sign != r_sign) return l_sign < r_sign ? -1 : 1;
        if (l_high != r_high) return l_high < r_high ? -l_sign : l_sign;
        return l == r ? 0 : l < r ? -l_sign : l_sign;
    }
    static inline bool is_beyond(int64_t x) { return x != x; } // never
    static inline int64_t rising(int64_t x) { return x; }
    static inline int64_t falling(int64_t x) { return ~x; }
    static inline int side(line s, int64_t x, int64_t y)
    {
        return turn(s.ax, s.ay, s.bx, s.by, s.ax, s.ay, x, y);
    }
    static inline bool is_end(line s, int64_t x, int64_t y)
    {
        return (x == s.ax && y == s.ay) || (x == s.bx && y == s.by);
    })
// clang-format on

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 wide;

// turn by the compiler's integers, where differences have 64 bits.
static inline int host_turn(int64_t ax, int64_t ay, int64_t bx, int64_t by, int64_t px, int64_t py,
                            int64_t qx, int64_t qy)
{
    int64_t u, v, s, t;
    if (__builtin_sub_overflow(bx, ax, &u) || __builtin_sub_overflow(qy, py, &v) ||
        __builtin_sub_overflow(by, ay, &s) || __builtin_sub_overflow(qx, px, &t))
        return turn(ax, ay, bx, by, px, py, qx, qy);
    const wide left = (wide)u * v, right = (wide)s * t;
    return (left > right) - (left < right);
}
#else
#define host_turn turn
#endif

#define RULES hd__hull_i64
#include "hull_cores.inc"
#include "hull_rules.inc"
