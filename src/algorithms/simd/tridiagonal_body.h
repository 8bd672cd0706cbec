// SPDX-License-Identifier: Apache-2.0
// One row of tridiagonal_kernels.c: the texts for the type REAL and blocks of LENGTH rows. An
// equation within a block has the columns: unknown before the block, first unknown, x[c], x[c + 1],
// x[c + 2], right side. Two equations of a pair: before, first, last, after, right side.
#define NAME(x) TRIDIAGONAL_NAME(x, REAL, LENGTH)

EXPANDED_SOURCE(
    NAME(text), typedef struct { REAL at[LENGTH]; } NAME(block);
    typedef struct { REAL k[6]; } NAME(equation); typedef struct {
        REAL k[2][5];
        REAL zero;
    } NAME(pair);
    typedef struct {
        REAL before;
        REAL after;
        REAL zero;
    } NAME(border);

    static inline int NAME(larger)(REAL a, REAL b) { return (a < 0 ? -a : a) > (b < 0 ? -b : b); }

    static inline void NAME(pivot)(NAME(equation) * p, NAME(equation) * q, int c) {
        if (NAME(larger)(q->k[c], p->k[c])) {
            const NAME(equation) t = *p;
            *p = *q;
            *q = t;
        }
    }

    static inline void NAME(eliminate)(const NAME(equation) * p, NAME(equation) * q, int c) {
        const REAL f = p->k[c] == 0 ? 0 : q->k[c] / p->k[c];
        for (int j = 0; j < 6; j++) q->k[j] = q->k[j] - f * p->k[j];
    }

    static inline NAME(pair)
        NAME(reduce)(const NAME(block) * a, const NAME(block) * b, const NAME(block) * c,
                     const NAME(block) * d, NAME(equation) * kept) {
            NAME(pair) r;
            NAME(equation) w0;
            NAME(equation) w1;
            NAME(equation) w2;
            r.zero = 0;
            w0.k[0] = a->at[0];
            w0.k[1] = b->at[0];
            w0.k[2] = c->at[0];
            w0.k[3] = 0;
            w0.k[5] = d->at[0];
            w1.k[0] = 0;
            w1.k[1] = a->at[1];
            w1.k[2] = b->at[1];
            w1.k[3] = c->at[1];
            w1.k[5] = d->at[1];
            for (int i = 1; i < LENGTH - 1; i++) {
                w0.k[4] = 0;
                w1.k[4] = 0;
                w2.k[0] = 0;
                w2.k[1] = 0;
                w2.k[2] = a->at[i + 1];
                w2.k[3] = b->at[i + 1];
                w2.k[4] = c->at[i + 1];
                w2.k[5] = d->at[i + 1];
                NAME(pivot)(&w0, &w1, 2);
                NAME(pivot)(&w0, &w2, 2);
                if (w0.k[2] == 0) r.zero = 1;
                NAME(eliminate)(&w0, &w1, 2);
                NAME(eliminate)(&w0, &w2, 2);
                kept[i] = w0;
                w0.k[0] = w1.k[0];
                w0.k[1] = w1.k[1];
                w0.k[2] = w1.k[3];
                w0.k[3] = w1.k[4];
                w0.k[5] = w1.k[5];
                w1.k[0] = w2.k[0];
                w1.k[1] = w2.k[1];
                w1.k[2] = w2.k[3];
                w1.k[3] = w2.k[4];
                w1.k[5] = w2.k[5];
            }
            for (int j = 0; j < 4; j++) {
                r.k[0][j] = w0.k[j];
                r.k[1][j] = w1.k[j];
            }
            r.k[0][4] = w0.k[5];
            r.k[1][4] = w1.k[5];
            return r;
        }

    static inline void NAME(take)(REAL *q, const REAL *p, int c, int n) {
        const REAL f = p[c] == 0 ? 0 : q[c] / p[c];
        for (int j = 0; j < n; j++) q[j] = q[j] - f * p[j];
    }

    static inline void NAME(exchange)(REAL *p, REAL *q, int c, int n) {
        if (NAME(larger)(q[c], p[c]))
            for (int j = 0; j < n; j++) {
                const REAL t = p[j];
                p[j] = q[j];
                q[j] = t;
            }
    }

    static inline NAME(pair) NAME(joined)(NAME(pair) a, NAME(pair) b) {
        NAME(pair) r;
        REAL w[4][7];
        for (int i = 0; i < 2; i++) {
            w[i][0] = a.k[i][0];
            w[i][1] = a.k[i][1];
            w[i][2] = a.k[i][2];
            w[i][3] = a.k[i][3];
            w[i][4] = 0;
            w[i][5] = 0;
            w[i][6] = a.k[i][4];
            w[i + 2][0] = 0;
            w[i + 2][1] = 0;
            w[i + 2][2] = b.k[i][0];
            w[i + 2][3] = b.k[i][1];
            w[i + 2][4] = b.k[i][2];
            w[i + 2][5] = b.k[i][3];
            w[i + 2][6] = b.k[i][4];
        }
        for (int i = 1; i < 4; i++) NAME(exchange)(w[0], w[i], 2, 7);
        for (int i = 1; i < 4; i++) NAME(take)(w[i], w[0], 2, 7);
        for (int i = 2; i < 4; i++) NAME(exchange)(w[1], w[i], 3, 7);
        for (int i = 2; i < 4; i++) NAME(take)(w[i], w[1], 3, 7);
        for (int i = 0; i < 2; i++) {
            r.k[i][0] = w[i + 2][0];
            r.k[i][1] = w[i + 2][1];
            r.k[i][2] = w[i + 2][4];
            r.k[i][3] = w[i + 2][5];
            r.k[i][4] = w[i + 2][6];
        }
        r.zero = a.zero != 0 || b.zero != 0 || w[0][2] == 0 || w[1][3] == 0 ? 1 : 0;
        return r;
    }

    static inline void NAME(without)(NAME(pair) * a, int c) {
        NAME(exchange)(a->k[0], a->k[1], c, 5);
        if (a->k[0][c] == 0) a->zero = 1;
        NAME(take)(a->k[1], a->k[0], c, 5);
    }

    static inline REAL NAME(quotient)(REAL x, REAL y) { return y == 0 ? 0 : x / y; })

EXPANDED_FUNCTION(NAME(reduced), NAME(pair), NAME(text),
                  (NAME(block), a, NAME(block), b, NAME(block), c, NAME(block), d), {
                      NAME(equation) kept[LENGTH];
                      return NAME(reduce)(&a, &b, &c, &d, kept);
                  })

EXPANDED_OPERATOR(NAME(compose), NAME(pair), NAME(text), HD_ASSOCIATIVE,
                  { return NAME(joined)(a, b); })
EXPANDED_OPERATOR(NAME(behind), NAME(pair), NAME(text), HD_ASSOCIATIVE,
                  { return NAME(joined)(b, a); })

EXPANDED_FUNCTION(NAME(left), NAME(border), NAME(text), (NAME(pair), a), {
    NAME(border) r;
    NAME(without)(&a, 2);
    r.before = 0;
    r.after = NAME(quotient)(a.k[1][4], a.k[1][1]);
    r.zero = a.zero != 0 || a.k[1][1] == 0 ? 1 : 0;
    return r;
})

EXPANDED_FUNCTION(NAME(right), NAME(border), NAME(text), (NAME(pair), a), {
    NAME(border) r;
    NAME(without)(&a, 1);
    r.before = NAME(quotient)(a.k[1][4], a.k[1][2]);
    r.after = 0;
    r.zero = a.zero != 0 || a.k[1][2] == 0 ? 1 : 0;
    return r;
})

EXPANDED_FUNCTION(NAME(between), NAME(border), NAME(text), (NAME(pair), a, NAME(pair), b), {
    NAME(border) r;
    REAL p[3];
    REAL q[3];
    NAME(without)(&a, 1);
    NAME(without)(&b, 2);
    p[0] = a.k[1][2];
    p[1] = a.k[1][3];
    p[2] = a.k[1][4];
    q[0] = b.k[1][0];
    q[1] = b.k[1][1];
    q[2] = b.k[1][4];
    NAME(exchange)(p, q, 0, 3);
    NAME(take)(q, p, 0, 3);
    r.after = NAME(quotient)(q[2], q[1]);
    r.before = NAME(quotient)(p[2] - p[1] * r.after, p[0]);
    r.zero = a.zero != 0 || b.zero != 0 || p[0] == 0 || q[1] == 0 ? 1 : 0;
    return r;
})

EXPANDED_FUNCTION(NAME(unknowns), NAME(block), NAME(text),
                  (NAME(block), a, NAME(block), b, NAME(block), c, NAME(block), d, NAME(border), l,
                   NAME(border), r),
                  {
                      NAME(equation) kept[LENGTH];
                      NAME(block) x;
                      NAME(reduce)(&a, &b, &c, &d, kept);
                      REAL next = r.before;
                      REAL later = r.after;
                      x.at[0] = l.after;
                      x.at[LENGTH - 1] = next;
                      for (int i = LENGTH - 2; i > 0; i--) {
                          REAL sum = kept[i].k[5] - kept[i].k[1] * l.after;
                          if (l.before != 0) sum = sum - kept[i].k[0] * l.before;
                          sum = sum - kept[i].k[3] * next;
                          if (later != 0) sum = sum - kept[i].k[4] * later;
                          later = next;
                          next = NAME(quotient)(sum, kept[i].k[2]);
                          x.at[i] = next;
                      }
                      return x;
                  })

EXPANDED_FUNCTION(NAME(singular), long long, NAME(text), (NAME(border), a, long long, i),
                  { return a.zero != 0 ? i : 0x7fffffffffffffff; })

EXPANDED_FUNCTION(NAME(inner), REAL, NAME(text),
                  (REAL, a, REAL, x, REAL, b, REAL, y, REAL, c, REAL, z, REAL, d),
                  { return d - ((a * x + b * y) + c * z); })
EXPANDED_FUNCTION(NAME(ahead), REAL, NAME(text), (REAL, b, REAL, y, REAL, c, REAL, z, REAL, d),
                  { return d - (b * y + c * z); })
EXPANDED_FUNCTION(NAME(alone), REAL, NAME(text), (REAL, b, REAL, y, REAL, d), { return d - b * y; })
EXPANDED_FUNCTION(NAME(sum), REAL, NAME(text), (REAL, x, REAL, y), { return x + y; })

#include "tridiagonal_lanes_body.h"

static const hd__tridiagonal_kernels NAME(row) = {
    .real = HD_TYPE(REAL),
    .block = HD_TYPE(NAME(block)),
    .pair = HD_TYPE(NAME(pair)),
    .border = HD_TYPE(NAME(border)),
    .length = LENGTH,
    .reduced = NAME(reduced),
    .compose = NAME(compose),
    .behind = NAME(behind),
    .left = NAME(left),
    .between = NAME(between),
    .right = NAME(right),
    .unknowns = NAME(unknowns),
    .singular = NAME(singular),
    .inner = NAME(inner),
    .ahead = NAME(ahead),
    .alone = NAME(alone),
    .sum = NAME(sum),
    .reduced_lanes = NAME(lanes_reduced),
    .unknowns_lanes = NAME(lanes_unknowns),
    .systems = NAME(systems),
};

#undef NAME
#undef LENGTH
