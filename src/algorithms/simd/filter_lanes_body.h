// SPDX-License-Identifier: Apache-2.0
// The loops of filter_body.h over blocks whose 8 parts are the lanes of a vector, a few blocks at a
// time so that one waits while another computes: the same operations on every element, so the same
// bits. Included by filter_body.h.
typedef REAL NAME(vector) __attribute__((vector_size(8 * sizeof(REAL))));
#define VECTOR   NAME(vector)
#define TOGETHER FILTER_TOGETHER

// Element t of every part of a block, for every t; and back.
static inline void NAME(lanes_load)(const NAME(block) * from, VECTOR *x)
{
    REAL turned[16][8];
    for (int t = 0; t < 16; t++)
        for (int p = 0; p < 8; p++) turned[t][p] = from->at[p * 16 + t];
    memcpy(x, turned, sizeof turned);
}

static inline void NAME(lanes_store)(const VECTOR *x, NAME(block) * to)
{
    REAL turned[16][8];
    memcpy(turned, x, sizeof turned);
    for (int p = 0; p < 8; p++)
        for (int t = 0; t < 16; t++) to->at[p * 16 + t] = turned[t][p];
}

// NAME(run) of TOGETHER blocks.
static inline void NAME(lanes_run)(const NAME(coefficients) * c, VECTOR (*d)[ORDER],
                                   VECTOR (*x)[16])
{
    for (int t = 0; t < 16; t++)
        for (int e = 0; e < TOGETHER; e++) {
            const VECTOR in = x[e][t], out = c->b[0] * in + d[e][0];
            for (int j = 0; j < ORDER - 1; j++)
                d[e][j] = (c->b[j + 1] * in - c->a[j + 1] * out) + d[e][j + 1];
            d[e][ORDER - 1] = c->b[ORDER] * in - c->a[ORDER] * out;
            x[e][t] = out;
        }
}

// The loop of NAME(ends).
static void NAME(lanes_ends)(void *out, const void *const *in, int64_t n, const void *state)
{
    const NAME(block) *const from = in[0];
    NAME(parts) *const to = out;
    NAME(coefficients) c;
    memcpy(&c, state, sizeof c);
    int64_t at = 0;
    for (; at + TOGETHER <= n; at += TOGETHER) {
        VECTOR d[TOGETHER][ORDER], x[TOGETHER][16];
        for (int e = 0; e < TOGETHER; e++) NAME(lanes_load)(from + at + e, x[e]);
        memset(d, 0, sizeof d);
        NAME(lanes_run)(&c, d, x);
        memcpy(to + at, d, sizeof d);
    }
    const void *const rest[] = {from + at};
    if (at < n) NAME(ends)->apply(to + at, rest, n - at, state);
}

// The loop of NAME(outputs).
static void NAME(lanes_outputs)(void *out, const void *const *in, int64_t n, const void *state)
{
    NAME(coefficients) c;
    memcpy(&c, state, sizeof c);
    const NAME(block) *const from = in[0];
    const NAME(parts) *const parts = in[1];
    const NAME(node) *const before = in[2];
    const NAME(state) *const first = in[3];
    NAME(block) *const to = out;
    int64_t at = 0;
    for (; at + TOGETHER <= n; at += TOGETHER) {
        VECTOR d[TOGETHER][ORDER], x[TOGETHER][16];
        for (int e = 0; e < TOGETHER; e++) {
            const int64_t k = at + e;
            NAME(lanes_load)(from + k, x[e]);
            NAME(state) s = NAME(affine)(before[k].m, before[k].v, first[k]);
            for (int p = 0; p < 8; p++) {
                for (int j = 0; j < ORDER; j++) d[e][j][p] = s.d[j];
                s = NAME(past)(c.power, &parts[k], p, s);
            }
        }
        NAME(lanes_run)(&c, d, x);
        for (int e = 0; e < TOGETHER; e++) NAME(lanes_store)(x[e], to + at + e);
    }
    const void *const rest[] = {from + at, parts + at, before + at, first + at};
    if (at < n) NAME(outputs)->apply(to + at, rest, n - at, state);
}

#undef VECTOR
#undef TOGETHER
