// SPDX-License-Identifier: Apache-2.0
// The eliminations of tridiagonal_body.h for as many blocks side by side as a register has lanes of
// REAL, with selections in the place of branches: the same operations on every block, so the same
// bits. Included by tridiagonal_body.h.
typedef REAL NAME(vector) __attribute__((vector_size(LANE_BYTES)));
#define VECTOR NAME(vector)
typedef LANE_MASK NAME(mask) __attribute__((vector_size(LANE_BYTES)));
#define MASK NAME(mask)
enum { NAME(lanes) = LANE_BYTES / (int)sizeof(REAL) };
#define LANES NAME(lanes)

static inline VECTOR NAME(choose)(MASK m, VECTOR a, VECTOR b)
{
    return (VECTOR)((m & (MASK)a) | (~m & (MASK)b));
}

static inline MASK NAME(lanes_larger)(VECTOR a, VECTOR b)
{
    const VECTOR zero = {0}, x = NAME(choose)(a < zero, -a, a), y = NAME(choose)(b < zero, -b, b);
    return x > y;
}

static inline void NAME(lanes_swap)(MASK m, VECTOR *a, VECTOR *b)
{
    const VECTOR t = *a;
    *a = NAME(choose)(m, *b, t);
    *b = NAME(choose)(m, t, *b);
}

// x / y, and 0 where y is 0.
static inline VECTOR NAME(lanes_quotient)(VECTOR x, VECTOR y)
{
    const VECTOR zero = {0};
    return NAME(choose)(y == zero, zero, x / y);
}

// Element i of LANES blocks, for every i.
static inline void NAME(lanes_load)(const void *from, int64_t block, VECTOR *to)
{
    const NAME(block) *const b = (const NAME(block) *)from + block;
    REAL turned[LENGTH][LANES];
    for (int i = 0; i < LENGTH; i++)
        for (int l = 0; l < LANES; l++) turned[i][l] = b[l].at[i];
    memcpy(to, turned, sizeof turned);
}

// Two equations of a block, in the columns of NAME(equation); those of column 4 are 0.
typedef struct NAME(two) {
    VECTOR p[6], q[6];
    VECTOR out[6]; // the equation that went last
    MASK zero;
} NAME(two);

// One unknown goes: column 2 of three equations.
static inline void NAME(lanes_step)(NAME(two) * w, VECTOR a, VECTOR b, VECTOR c, VECTOR d)
{
    const VECTOR zero = {0};
    VECTOR r[6] = {zero, zero, a, b, c, d};
    const MASK first = NAME(lanes_larger)(w->q[2], w->p[2]);
    w->p[4] = w->q[4] = zero;
    for (int j = 0; j < 6; j++) NAME(lanes_swap)(first, &w->p[j], &w->q[j]);
    const MASK second = NAME(lanes_larger)(r[2], w->p[2]);
    for (int j = 0; j < 6; j++) NAME(lanes_swap)(second, &w->p[j], &r[j]);
    w->zero |= w->p[2] == zero;
    const VECTOR f = NAME(lanes_quotient)(w->q[2], w->p[2]),
                 g = NAME(lanes_quotient)(r[2], w->p[2]);
    for (int j = 0; j < 6; j++) {
        w->q[j] = w->q[j] - f * w->p[j];
        r[j] = r[j] - g * w->p[j];
    }
    for (int j = 0; j < 6; j++) w->out[j] = w->p[j];
    w->p[0] = w->q[0], w->p[1] = w->q[1], w->p[2] = w->q[3], w->p[3] = w->q[4], w->p[5] = w->q[5];
    w->q[0] = r[0], w->q[1] = r[1], w->q[2] = r[3], w->q[3] = r[4], w->q[5] = r[5];
}

// All but the first and last unknown of LANES blocks go; kept (may be NULL) gets their equations.
static inline void NAME(lanes_reduce)(const void *const *in, int64_t block, NAME(two) * w,
                                      VECTOR (*kept)[6])
{
    VECTOR a[LENGTH], b[LENGTH], c[LENGTH], d[LENGTH];
    const VECTOR zero = {0};
    NAME(lanes_load)(in[0], block, a), NAME(lanes_load)(in[1], block, b);
    NAME(lanes_load)(in[2], block, c), NAME(lanes_load)(in[3], block, d);
    *w = (NAME(two)){
        {a[0], b[0], c[0], zero, zero, d[0]}, {zero, a[1], b[1], c[1], zero, d[1]}, {zero}, {0}};
    for (int i = 1; i < LENGTH - 1; i++) {
        NAME(lanes_step)(w, a[i + 1], b[i + 1], c[i + 1], d[i + 1]);
        for (int j = 0; kept != NULL && j < 6; j++) kept[i][j] = w->out[j];
    }
}

// The loop of NAME(reduced).
static void NAME(lanes_reduced)(void *out, const void *const *in, int64_t n, const void *state)
{
    static const int column[5] = {0, 1, 2, 3, 5};
    NAME(pair) *const pair = out;
    int64_t e = 0;
    for (; e + LANES <= n; e += LANES) {
        NAME(two) w;
        NAME(lanes_reduce)(in, e, &w, NULL);
        for (int l = 0; l < LANES; l++) {
            for (int j = 0; j < 5; j++) {
                pair[e + l].k[0][j] = w.p[column[j]][l];
                pair[e + l].k[1][j] = w.q[column[j]][l];
            }
            pair[e + l].zero = w.zero[l] != 0;
        }
    }
    const NAME(block) *const a = in[0], *const b = in[1], *const c = in[2], *const d = in[3];
    const void *const rest[] = {a + e, b + e, c + e, d + e};
    if (e < n) NAME(reduced)->apply(pair + e, rest, n - e, state);
}

// The loop of NAME(unknowns).
static void NAME(lanes_unknowns)(void *out, const void *const *in, int64_t n, const void *state)
{
    const NAME(border) *const left = in[4], *const right = in[5];
    NAME(block) *const x = out;
    int64_t e = 0;
    for (; e + LANES <= n; e += LANES) {
        NAME(two) w;
        VECTOR kept[LENGTH][6];
        const VECTOR zero = {0};
        VECTOR before = zero, first = zero, next = zero, later = zero;
        NAME(lanes_reduce)(in, e, &w, kept);
        for (int l = 0; l < LANES; l++) {
            before[l] = left[e + l].before, first[l] = left[e + l].after;
            next[l] = right[e + l].before, later[l] = right[e + l].after;
            x[e + l].at[0] = first[l], x[e + l].at[LENGTH - 1] = next[l];
        }
        for (int i = LENGTH - 2; i > 0; i--) {
            const VECTOR *const k = kept[i];
            VECTOR sum = k[5] - k[1] * first;
            sum = NAME(choose)(before != zero, sum - k[0] * before, sum);
            sum = sum - k[3] * next;
            sum = NAME(choose)(later != zero, sum - k[4] * later, sum);
            later = next;
            next = NAME(lanes_quotient)(sum, k[2]);
            for (int l = 0; l < LANES; l++) x[e + l].at[i] = next[l];
        }
    }
    const NAME(block) *const a = in[0], *const b = in[1], *const c = in[2], *const d = in[3];
    const void *const rest[] = {a + e, b + e, c + e, d + e, left + e, right + e};
    if (e < n) NAME(unknowns)->apply(x + e, rest, n - e, state);
}

#undef VECTOR
#undef MASK
#undef LANES
