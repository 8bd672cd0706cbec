// SPDX-License-Identifier: Apache-2.0
// Quickhull's decisions over f64, exactly (Shewchuk, "Adaptive precision floating-point arithmetic
// and fast robust geometric predicates", 1997): first in plain arithmetic with its error bound;
// what that leaves open as an expansion, a sum of f64 that do not overlap, whose last one that is
// not 0 has its sign.
//
// Coordinates are 0 or of a magnitude of 2^-485 to 2^510, so they are multiples of 2^-537, and the
// products of differences multiples of 2^-1074 below 2^1023: nothing underflows or overflows.
#include "hull.h"

#include <math.h>

// clang-format off
HD_SOURCE(exact,
    typedef double coordinate;
    typedef struct { double x, y; int64_t index; } corner;
    typedef struct { double ax, ay, bx, by, x, y; int64_t index; } candidate;
    typedef struct { double ax, ay, bx, by; } line;
    typedef struct { double a[8], b[8]; int n; } products; // factors

    // a + b = *sum + what is returned
    static inline double two_sum(double a, double b, double *sum)
    {
        const double s = a + b;
        const double of_b = s - a;
        const double of_a = s - of_b;
        *sum = s;
        return (a - of_a) + (b - of_b);
    }
    static inline void add_product(products *p, double a, double b)
    {
        if (a == 0 || b == 0) return;
        p->a[p->n] = a;
        p->b[p->n] = b;
        p->n++;
    }
    static inline void add_products(products *p, double a, double a_tail, double b, double b_tail)
    {
        add_product(p, a_tail, b_tail);
        add_product(p, a, b_tail);
        add_product(p, a_tail, b);
        add_product(p, a, b);
    }
    // e, n components, = e + x; n + 1 components
    static inline void grow(double *e, int n, double x)
    {
        double sum = x;
        for (int k = 0; k < n; k++) e[k] = two_sum(sum, e[k], &sum);
        e[n] = sum;
    }
    // How many products there are is known at run time alone, so these loops stay loops.
    static inline int sign_of(const products *p)
    {
        double e[16];
        for (int k = 0; k < 2 * p->n; k++) {
            const double a = p->a[k / 2];
            const double b = p->b[k / 2];
            const double ab = a * b;
            grow(e, k, k % 2 == 0 ? fma(a, b, -ab) : ab);
        }
        for (int k = 2 * p->n - 1; k >= 0; k--)
            if (e[k] != 0) return e[k] < 0 ? -1 : 1;
        return 0;
    }
    static inline int exact_turn(double ax, double ay, double bx, double by, double px, double py,
                                 double qx, double qy)
    {
        products p;
        double u;
        double v;
        double s;
        double t;
        const double u_tail = two_sum(bx, -ax, &u);
        const double v_tail = two_sum(qy, -py, &v);
        const double s_tail = two_sum(ay, -by, &s);
        const double t_tail = two_sum(qx, -px, &t);
        p.n = 0;
        add_products(&p, u, u_tail, v, v_tail);
        add_products(&p, s, s_tail, t, t_tail);
        return sign_of(&p);
    }
    static inline int turn(double ax, double ay, double bx, double by, double px, double py,
                           double qx, double qy)
    {
        const double left = (bx - ax) * (qy - py);
        const double right = (by - ay) * (qx - px);
        const double all = fabs(left) + fabs(right);
        // (3 + 16 u) u, u = 2^-53, of what the products are at most
        if (fabs(left - right) > 3.3306690738754716e-16 * all) return left < right ? -1 : 1;
        if (all == 0) return 0;
        return exact_turn(ax, ay, bx, by, px, py, qx, qy);
    }
    static inline bool is_beyond(double x)
    {
        return !(fabs(x) <= 0x1p510) || (x != 0 && fabs(x) < 0x1p-485);
    }
    static inline double rising(double x) { return x + 0.0; } // -0 becomes 0
    static inline double falling(double x) { return 0.0 - x; }
    static inline int side(line s, double x, double y)
    {
        return turn(s.ax, s.ay, s.bx, s.by, s.ax, s.ay, x, y);
    }
    static inline bool is_end(line s, double x, double y)
    {
        return (x == s.ax && y == s.ay) || (x == s.bx && y == s.by);
    })
// clang-format on

// turn, inlined but for what plain arithmetic leaves open.
static inline int host_turn(double ax, double ay, double bx, double by, double px, double py,
                            double qx, double qy)
{
    const double left = (bx - ax) * (qy - py), right = (by - ay) * (qx - px);
    if (fabs(left - right) > 3.3306690738754716e-16 * (fabs(left) + fabs(right)))
        return left < right ? -1 : 1;
    return turn(ax, ay, bx, by, px, py, qx, qy);
}

#define RULES hd__hull_f64
#include "hull_cores.inc"
#include "hull_rules.inc"
