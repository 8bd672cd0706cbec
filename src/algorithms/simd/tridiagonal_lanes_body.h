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

#ifdef LANE_ZIP
// v[i] lane l = v[l] lane i: the halves of an array, zipped, log2 LANES times.
static inline void NAME(lanes_turn)(VECTOR *v)
{
#pragma GCC unroll 4
    for (int half = LANES / 2; half > 0; half /= 2) {
        VECTOR from[LANES];
#pragma GCC unroll 16
        for (int i = 0; i < LANES; i++) from[i] = v[i];
#pragma GCC unroll 16
        for (int i = 0; i < LANES / 2; i++) {
            v[2 * i] = LANE_ZIP(from[i], from[i + LANES / 2], 0, LANES);
            v[2 * i + 1] = LANE_ZIP(from[i], from[i + LANES / 2], LANES / 2, LANES);
        }
    }
}
#endif

// Element i of LANES blocks, for every i.
static inline void NAME(lanes_load)(const NAME(block) *const *from, VECTOR *to)
{
#ifdef LANE_ZIP
    for (int c = 0; LENGTH % LANES == 0 && c < LENGTH; c += LANES) {
        for (int l = 0; l < LANES; l++) memcpy(&to[c + l], &from[l]->at[c], sizeof *to);
        NAME(lanes_turn)(to + c);
    }
    if (LENGTH % LANES == 0) return;
#endif
    REAL turned[LENGTH][LANES];
    for (int i = 0; i < LENGTH; i++)
        for (int l = 0; l < LANES; l++) turned[i][l] = from[l]->at[i];
    memcpy(to, turned, sizeof turned);
}

// The way back; `from` is spoilt.
static inline void NAME(lanes_store)(VECTOR *from, NAME(block) *const *to)
{
#ifdef LANE_ZIP
    for (int c = 0; LENGTH % LANES == 0 && c < LENGTH; c += LANES) {
        NAME(lanes_turn)(from + c);
        for (int l = 0; l < LANES; l++) memcpy(&to[l]->at[c], &from[c + l], sizeof *from);
    }
    if (LENGTH % LANES == 0) return;
#endif
    for (int i = 0; i < LENGTH; i++)
        for (int l = 0; l < LANES; l++) to[l]->at[i] = from[i][l];
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

// LANES blocks of each of the four arrays.
typedef struct NAME(lane_blocks) {
    const NAME(block) * in[4][LANES];
} NAME(lane_blocks);

// As many streams as lanes are more than a core fetches by itself: the next ones are asked for.
static inline void NAME(lanes_follow)(NAME(lane_blocks) * b, const void *const *in, int64_t first)
{
    enum { LINE = 64, ALL = LANES * (int)sizeof(NAME(block)) };
    for (int k = 0; k < 4; k++) {
        const char *const at = (const char *)((const NAME(block) *)in[k] + first);
        for (int l = 0; l < LANES; l++) b->in[k][l] = (const NAME(block) *)at + l;
        for (int j = ALL; j < 2 * ALL; j += LINE) __builtin_prefetch(at + j);
    }
}

// All but the first and last unknown of LANES blocks go; kept (may be NULL) gets their equations.
static inline void NAME(lanes_reduce)(const NAME(lane_blocks) * from, NAME(two) * w,
                                      VECTOR (*kept)[6])
{
    VECTOR a[LENGTH], b[LENGTH], c[LENGTH], d[LENGTH];
    const VECTOR zero = {0};
    NAME(lanes_load)(from->in[0], a), NAME(lanes_load)(from->in[1], b);
    NAME(lanes_load)(from->in[2], c), NAME(lanes_load)(from->in[3], d);
    *w = (NAME(two)){
        {a[0], b[0], c[0], zero, zero, d[0]}, {zero, a[1], b[1], c[1], zero, d[1]}, {zero}, {0}};
    for (int i = 1; i < LENGTH - 1; i++) {
        NAME(lanes_step)(w, a[i + 1], b[i + 1], c[i + 1], d[i + 1]);
        for (int j = 0; kept != NULL && j < 6; j++) kept[i][j] = w->out[j];
    }
}

static inline void NAME(lanes_pair)(const NAME(lane_blocks) * from, NAME(pair) *const *to)
{
    static const int column[5] = {0, 1, 2, 3, 5};
    NAME(two) w;
    NAME(lanes_reduce)(from, &w, NULL);
    for (int l = 0; l < LANES; l++) {
        for (int j = 0; j < 5; j++) {
            to[l]->k[0][j] = w.p[column[j]][l];
            to[l]->k[1][j] = w.q[column[j]][l];
        }
        to[l]->zero = w.zero[l] != 0;
    }
}

// at: the border before each block; the one behind it follows.
static inline void NAME(lanes_solve)(const NAME(lane_blocks) * from, const NAME(border) *const *at,
                                     NAME(block) *const *to)
{
    NAME(two) w;
    VECTOR kept[LENGTH][6], x[LENGTH];
    const VECTOR zero = {0};
    VECTOR before = zero, first = zero, next = zero, later = zero;
    NAME(lanes_reduce)(from, &w, kept);
    for (int l = 0; l < LANES; l++) {
        before[l] = at[l][0].before, first[l] = at[l][0].after;
        next[l] = at[l][1].before, later[l] = at[l][1].after;
    }
    x[0] = first, x[LENGTH - 1] = next;
    for (int i = LENGTH - 2; i > 0; i--) {
        const VECTOR *const k = kept[i];
        VECTOR sum = k[5] - k[1] * first;
        sum = NAME(choose)(before != zero, sum - k[0] * before, sum);
        sum = sum - k[3] * next;
        sum = NAME(choose)(later != zero, sum - k[4] * later, sum);
        later = next;
        x[i] = next = NAME(lanes_quotient)(sum, k[2]);
    }
    NAME(lanes_store)(x, to);
}

// The loop of NAME(reduced).
static void NAME(lanes_reduced)(void *out, const void *const *in, int64_t n, const void *state)
{
    NAME(pair) *const pair = out, *to[LANES];
    NAME(lane_blocks) from;
    int64_t e = 0;
    for (; e + LANES <= n; e += LANES) {
        NAME(lanes_follow)(&from, in, e);
        for (int l = 0; l < LANES; l++) to[l] = pair + e + l;
        NAME(lanes_pair)(&from, to);
    }
    const NAME(block) *const a = in[0], *const b = in[1], *const c = in[2], *const d = in[3];
    const void *const rest[] = {a + e, b + e, c + e, d + e};
    if (e < n) NAME(reduced)->apply(pair + e, rest, n - e, state);
}

// The loop of NAME(unknowns): its two arrays of borders are one, an element apart.
static void NAME(lanes_unknowns)(void *out, const void *const *in, int64_t n, const void *state)
{
    const NAME(border) *const left = in[4], *const right = in[5], *at[LANES];
    NAME(block) *const x = out, *to[LANES];
    NAME(lane_blocks) from;
    int64_t e = 0;
    for (; left + 1 == right && e + LANES <= n; e += LANES) {
        NAME(lanes_follow)(&from, in, e);
        for (int l = 0; l < LANES; l++) at[l] = left + e + l, to[l] = x + e + l;
        NAME(lanes_solve)(&from, at, to);
    }
    const NAME(block) *const a = in[0], *const b = in[1], *const c = in[2], *const d = in[3];
    const void *const rest[] = {a + e, b + e, c + e, d + e, left + e, right + e};
    if (e < n) NAME(unknowns)->apply(x + e, rest, n - e, state);
}

// ---- Systems side by side -----------------------------------------------------------------------

// A pair of each system, and the borders' numbers.
typedef struct NAME(lane_pair) {
    VECTOR k[2][5];
    MASK zero;
} NAME(lane_pair);
typedef struct NAME(lane_border) {
    VECTOR before, after;
} NAME(lane_border);

static inline void NAME(lanes_exchange)(VECTOR *p, VECTOR *q, int c, int n)
{
    const MASK larger = NAME(lanes_larger)(q[c], p[c]);
    for (int j = 0; j < n; j++) NAME(lanes_swap)(larger, &p[j], &q[j]);
}

static inline void NAME(lanes_eliminate)(VECTOR *q, const VECTOR *p, int c, int n)
{
    const VECTOR f = NAME(lanes_quotient)(q[c], p[c]);
    for (int j = 0; j < n; j++) q[j] = q[j] - f * p[j];
}

// NAME(joined).
static NAME(lane_pair) NAME(lanes_joined)(const NAME(lane_pair) * a, const NAME(lane_pair) * b)
{
    const VECTOR zero = {0};
    NAME(lane_pair) r;
    VECTOR w[4][7];
    for (int i = 0; i < 2; i++) {
        const VECTOR *const p = a->k[i], *const q = b->k[i];
        const VECTOR upper[7] = {p[0], p[1], p[2], p[3], zero, zero, p[4]};
        const VECTOR lower[7] = {zero, zero, q[0], q[1], q[2], q[3], q[4]};
        for (int j = 0; j < 7; j++) w[i][j] = upper[j], w[i + 2][j] = lower[j];
    }
    for (int i = 1; i < 4; i++) NAME(lanes_exchange)(w[0], w[i], 2, 7);
    for (int i = 1; i < 4; i++) NAME(lanes_eliminate)(w[i], w[0], 2, 7);
    for (int i = 2; i < 4; i++) NAME(lanes_exchange)(w[1], w[i], 3, 7);
    for (int i = 2; i < 4; i++) NAME(lanes_eliminate)(w[i], w[1], 3, 7);
    for (int i = 0; i < 2; i++) {
        r.k[i][0] = w[i + 2][0], r.k[i][1] = w[i + 2][1], r.k[i][2] = w[i + 2][4];
        r.k[i][3] = w[i + 2][5], r.k[i][4] = w[i + 2][6];
    }
    r.zero = a->zero | b->zero | (MASK)(w[0][2] == zero) | (MASK)(w[1][3] == zero);
    return r;
}

// NAME(without).
static inline void NAME(lanes_without)(NAME(lane_pair) * a, int c)
{
    const VECTOR zero = {0};
    NAME(lanes_exchange)(a->k[0], a->k[1], c, 5);
    a->zero |= (MASK)(a->k[0][c] == zero);
    NAME(lanes_eliminate)(a->k[1], a->k[0], c, 5);
}

// The scan of n pairs from either end, by the one tree: a node for each set bit of their number.
static void NAME(lanes_scan)(const NAME(lane_pair) * in, NAME(lane_pair) * out, int n, bool back)
{
    enum { LEVELS = 8 };
    NAME(lane_pair) node[LEVELS];
    for (int i = 0; i < n; i++) {
        const int at = back ? n - 1 - i : i;
        NAME(lane_pair) all = in[at];
        int level = 0;
        for (; i >> level & 1; level++)
            all = back ? NAME(lanes_joined)(&all, &node[level])
                       : NAME(lanes_joined)(&node[level], &all);
        node[level] = all;
        int top = level;
        while ((i + 1) >> (top + 1) != 0) top++;
        out[at] = node[top];
        while (--top >= 0)
            if ((i + 1) >> top & 1)
                out[at] = back ? NAME(lanes_joined)(&node[top], &out[at])
                               : NAME(lanes_joined)(&out[at], &node[top]);
    }
}

// NAME(left), NAME(between) and NAME(right) of n blocks; where a pivot is 0.
static MASK NAME(lanes_borders)(const NAME(lane_pair) * before, const NAME(lane_pair) * behind,
                                int n, NAME(lane_border) * at)
{
    const VECTOR zero = {0};
    NAME(lane_pair) a = behind[0], b;
    NAME(lanes_without)(&a, 2);
    at[0].before = zero, at[0].after = NAME(lanes_quotient)(a.k[1][4], a.k[1][1]);
    MASK bad = a.zero | (MASK)(a.k[1][1] == zero);
    for (int i = 1; i < n; i++) {
        a = before[i - 1], b = behind[i];
        NAME(lanes_without)(&a, 1);
        NAME(lanes_without)(&b, 2);
        VECTOR p[3] = {a.k[1][2], a.k[1][3], a.k[1][4]}, q[3] = {b.k[1][0], b.k[1][1], b.k[1][4]};
        NAME(lanes_exchange)(p, q, 0, 3);
        NAME(lanes_eliminate)(q, p, 0, 3);
        at[i].after = NAME(lanes_quotient)(q[2], q[1]);
        at[i].before = NAME(lanes_quotient)(p[2] - p[1] * at[i].after, p[0]);
        bad |= a.zero | b.zero | (MASK)(p[0] == zero) | (MASK)(q[1] == zero);
    }
    a = before[n - 1];
    NAME(lanes_without)(&a, 1);
    at[n].before = NAME(lanes_quotient)(a.k[1][4], a.k[1][2]), at[n].after = zero;
    return bad | a.zero | (MASK)(a.k[1][2] == zero);
}

// A block of each of LANES systems; those that are not whole are filled up by equations that say
// x = 0.
typedef struct NAME(lane_group) {
    NAME(lane_blocks) from;
    NAME(block) filled[4][LANES];
} NAME(lane_group);

// Block k of systems first .. to - 1; no system is all of such equations.
static void NAME(lanes_take)(const hd__tridiagonal_rows *r, NAME(lane_group) * g, int64_t first,
                             int64_t to, int k)
{
    const int64_t left = r->n - (int64_t)k * LENGTH, count = left < LENGTH ? left : LENGTH;
    for (int array = 0; array < 4; array++)
        for (int l = 0; l < LANES; l++) {
            const int64_t here = first + l < to ? count : 0;
            const REAL *const row =
                (const REAL *)r->in[array] + (here ? (first + l) * r->n + (int64_t)k * LENGTH : 0);
            NAME(block) *const whole = &g->filled[array][l];
            g->from.in[array][l] = here == LENGTH ? (const NAME(block) *)row : whole;
            if (here == LENGTH) continue;
            const int64_t used = array == 2 && here > 0 ? here - 1 : here; // not upper's last one
            for (int i = 0; i < LENGTH; i++) whole->at[i] = i < used ? row[i] : array == 1;
        }
}

// x of block k.
static void NAME(lanes_give)(const hd__tridiagonal_rows *r, NAME(lane_group) * g, int64_t first,
                             int64_t to, int k, const NAME(border) *const *at)
{
    const int64_t left = r->n - (int64_t)k * LENGTH;
    NAME(block) last[LANES], *out[LANES];
    for (int l = 0; l < LANES; l++)
        out[l] = first + l < to && left >= LENGTH
                     ? (NAME(block) *)((REAL *)r->x + (first + l) * r->n + (int64_t)k * LENGTH)
                     : &last[l];
    NAME(lanes_solve)(&g->from, at, out);
    for (int l = 0; left < LENGTH && l < LANES && first + l < to; l++)
        for (int i = 0; i < left; i++)
            ((REAL *)r->x)[(first + l) * r->n + (int64_t)k * LENGTH + i] = last[l].at[i];
}

static int64_t NAME(lanes_systems)(const hd__tridiagonal_rows *r, int64_t first, int64_t to)
{
    NAME(lane_group) g;
    NAME(lane_pair)
    pair[HD__TRIDIAGONAL_BLOCKS], before[HD__TRIDIAGONAL_BLOCKS], behind[HD__TRIDIAGONAL_BLOCKS];
    NAME(lane_border) at[HD__TRIDIAGONAL_BLOCKS + 1];
    static const int column[5] = {0, 1, 2, 3, 5};
    const int blocks = (int)r->blocks;
    for (int k = 0; k < blocks; k++) {
        NAME(two) w;
        NAME(lanes_take)(r, &g, first, to, k);
        NAME(lanes_reduce)(&g.from, &w, NULL);
        for (int j = 0; j < 5; j++)
            pair[k].k[0][j] = w.p[column[j]], pair[k].k[1][j] = w.q[column[j]];
        pair[k].zero = w.zero;
    }
    NAME(lanes_scan)(pair, before, blocks, false);
    NAME(lanes_scan)(pair, behind, blocks, true);
    const MASK bad = NAME(lanes_borders)(before, behind, blocks, at);
    for (int l = 0; l < LANES && first + l < to; l++)
        if (bad[l]) return first + l;
    for (int k = 0; k < blocks; k++) {
        NAME(border) two[LANES][2];
        const NAME(border) * of[LANES];
        for (int l = 0; l < LANES; l++) {
            two[l][0] = (NAME(border)){at[k].before[l], at[k].after[l], 0};
            two[l][1] = (NAME(border)){at[k + 1].before[l], at[k + 1].after[l], 0};
            of[l] = two[l];
        }
        NAME(lanes_take)(r, &g, first, to, k);
        NAME(lanes_give)(r, &g, first, to, k, of);
    }
    return -1;
}

static int64_t NAME(systems)(const hd__tridiagonal_rows *r, int64_t from, int64_t to)
{
    int64_t bad = -1;
    for (int64_t first = from; first < to && bad < 0; first += LANES)
        bad = NAME(lanes_systems)(r, first, to);
    return bad;
}

#undef VECTOR
#undef MASK
#undef LANES
