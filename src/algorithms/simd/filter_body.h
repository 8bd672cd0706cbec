// SPDX-License-Identifier: Apache-2.0
// One row of filter_kernels.c: the texts for the type REAL and the order ORDER, whose identity is
// IDENTITY. A block is 8 parts of 16 elements that run side by side; d[j * 8 + p] is number j of
// the state of part p.
#define NAME(x) FILTER_NAME(x, REAL, ORDER)

EXPANDED_SOURCE(
    NAME(text), typedef struct { REAL at[128]; } NAME(block);
    typedef struct { REAL d[ORDER]; } NAME(state);
    typedef struct { REAL d[ORDER * 8]; } NAME(parts); typedef struct {
        REAL power[ORDER * ORDER];
        REAL all[ORDER * ORDER];
    } NAME(matrices);
    typedef struct {
        REAL m[ORDER * ORDER];
        REAL v[ORDER];
    } NAME(node);
    typedef struct {
        REAL b[ORDER + 1];
        REAL a[ORDER + 1];
        REAL power[ORDER * ORDER];
        REAL unit[ORDER];
        long long count;
    } NAME(coefficients);

    static inline REAL NAME(step)(const NAME(coefficients) * c, REAL *d, REAL in) {
        const REAL out = c->b[0] * in + d[0];
        for (int j = 0; j < ORDER - 1; j++)
            d[j] = (c->b[j + 1] * in - c->a[j + 1] * out) + d[j + 1];
        d[ORDER - 1] = c->b[ORDER] * in - c->a[ORDER] * out;
        return out;
    }

    static inline void NAME(run)(const NAME(coefficients) * c, REAL *d, NAME(block) * x) {
        for (int t = 0; t < 16; t++)
            for (int p = 0; p < 8; p++) {
                const REAL in = x->at[p * 16 + t];
                const REAL out = c->b[0] * in + d[p];
                for (int j = 0; j < ORDER - 1; j++)
                    d[j * 8 + p] = (c->b[j + 1] * in - c->a[j + 1] * out) + d[j * 8 + 8 + p];
                d[ORDER * 8 - 8 + p] = c->b[ORDER] * in - c->a[ORDER] * out;
                x->at[p * 16 + t] = out;
            }
    }

    static inline NAME(state) NAME(affine)(const REAL *m, const REAL *v, NAME(state) s) {
        NAME(state) r;
        for (int i = 0; i < ORDER; i++) {
            REAL sum = m[i * ORDER] * s.d[0];
            for (int j = 1; j < ORDER; j++) sum = sum + m[i * ORDER + j] * s.d[j];
            r.d[i] = sum + v[i];
        }
        return r;
    }

    static inline NAME(state)
        NAME(past)(const REAL *power, const NAME(parts) * q, int p, NAME(state) s) {
            REAL v[ORDER];
            for (int j = 0; j < ORDER; j++) v[j] = q->d[j * 8 + p];
            return NAME(affine)(power, v, s);
        })

EXPANDED_FUNCTION_STATE(NAME(ends), NAME(parts), NAME(text), (NAME(block), x), NAME(coefficients), {
    NAME(parts) q;
    for (int j = 0; j < ORDER * 8; j++) q.d[j] = 0;
    NAME(run)(state, q.d, &x);
    return q;
})

EXPANDED_FUNCTION_STATE(NAME(joined), NAME(node), NAME(text), (NAME(parts), q), NAME(matrices), {
    NAME(node) r;
    NAME(state) s;
    for (int j = 0; j < ORDER; j++) s.d[j] = 0;
    for (int p = 0; p < 8; p++) s = NAME(past)(state->power, &q, p, s);
    for (int j = 0; j < ORDER * ORDER; j++) r.m[j] = state->all[j];
    for (int j = 0; j < ORDER; j++) r.v[j] = s.d[j];
    return r;
})

EXPANDED_MONOID(NAME(compose), NAME(node), NAME(text), HD_ASSOCIATIVE, IDENTITY, {
    NAME(node) r;
    NAME(state) s;
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j < ORDER; j++) {
            REAL sum = b.m[i * ORDER] * a.m[j];
            for (int k = 1; k < ORDER; k++) sum = sum + b.m[i * ORDER + k] * a.m[k * ORDER + j];
            r.m[i * ORDER + j] = sum;
        }
    for (int j = 0; j < ORDER; j++) s.d[j] = a.v[j];
    s = NAME(affine)(b.m, b.v, s);
    for (int j = 0; j < ORDER; j++) r.v[j] = s.d[j];
    return r;
})

EXPANDED_FUNCTION_STATE(NAME(outputs), NAME(block), NAME(text),
                        (NAME(block), x, NAME(parts), q, NAME(node), before, NAME(state), first),
                        NAME(coefficients), {
                            NAME(parts) d;
                            NAME(state) s = NAME(affine)(before.m, before.v, first);
                            for (int p = 0; p < 8; p++) {
                                for (int j = 0; j < ORDER; j++) d.d[j * 8 + p] = s.d[j];
                                s = NAME(past)(state->power, &q, p, s);
                            }
                            NAME(run)(state, d.d, &x);
                            return x;
                        })

EXPANDED_FUNCTION_STATE(NAME(after), NAME(state), NAME(text),
                        (NAME(parts), q, NAME(node), before, NAME(state), first),
                        NAME(coefficients), {
                            NAME(state) s = NAME(affine)(before.m, before.v, first);
                            for (int p = 0; p < 8; p++) s = NAME(past)(state->power, &q, p, s);
                            return s;
                        })

EXPANDED_FUNCTION_STATE(NAME(tail), NAME(block), NAME(text), (NAME(block), x, NAME(state), s),
                        NAME(coefficients), {
                            for (int t = 0; t < 128 && t < state->count; t++)
                                x.at[t] = NAME(step)(state, s.d, x.at[t]);
                            return x;
                        })

EXPANDED_FUNCTION_STATE(NAME(tail_after), NAME(state), NAME(text), (NAME(block), x, NAME(state), s),
                        NAME(coefficients), {
                            for (int t = 0; t < 128 && t < state->count; t++)
                                NAME(step)(state, s.d, x.at[t]);
                            return s;
                        })

EXPANDED_FUNCTION_STATE(NAME(scaled), NAME(state), NAME(text), (REAL, x), NAME(coefficients), {
    NAME(state) s;
    for (int j = 0; j < ORDER; j++) s.d[j] = state->unit[j] * x;
    return s;
})

EXPANDED_FUNCTION_STATE(NAME(history), NAME(state), NAME(text), (NAME(state), y),
                        NAME(coefficients), {
                            NAME(state) s;
                            for (int j = 0; j < ORDER; j++) {
                                REAL sum = 0;
                                for (int k = 0; j + k < ORDER; k++)
                                    sum = sum - state->a[j + k + 1] * y.d[k];
                                s.d[j] = sum;
                            }
                            return s;
                        })

static void NAME(fill)(const hd__section *section, int64_t count, const double *unit,
                       void *coefficients, void *matrices)
{
    HD__FLOAT_STATE;
    NAME(coefficients) c;
    NAME(matrices) m;
    double power[2][HD__FILTER_ORDER * HD__FILTER_ORDER];
    memset(&c, 0, sizeof c);
    hd__filter_powers(section, ORDER, power);
    for (int j = 0; j <= ORDER; j++) c.b[j] = (REAL)section->b[j], c.a[j] = (REAL)section->a[j];
    for (int j = 0; j < ORDER; j++) c.unit[j] = (REAL)unit[j];
    for (int j = 0; j < ORDER * ORDER; j++) {
        c.power[j] = m.power[j] = (REAL)power[0][j];
        m.all[j] = (REAL)power[1][j];
    }
    c.count = count;
    memcpy(coefficients, &c, sizeof c);
    memcpy(matrices, &m, sizeof m);
}

#include "filter_lanes_body.h"

static const hd__filter_kernels NAME(row) = {
    .real = HD_TYPE(REAL),
    .block = HD_TYPE(NAME(block)),
    .state = HD_TYPE(NAME(state)),
    .parts = HD_TYPE(NAME(parts)),
    .node = HD_TYPE(NAME(node)),
    .order = ORDER,
    .ends = NAME(ends),
    .joined = NAME(joined),
    .compose = NAME(compose),
    .outputs = NAME(outputs),
    .after = NAME(after),
    .ends_lanes = NAME(lanes_ends),
    .outputs_lanes = NAME(lanes_outputs),
    .tail = NAME(tail),
    .tail_after = NAME(tail_after),
    .scaled = NAME(scaled),
    .history = NAME(history),
    .fill = NAME(fill),
    .coefficient_bytes = sizeof(NAME(coefficients)),
    .matrix_bytes = sizeof(NAME(matrices)),
};

#undef NAME
#undef ORDER
#undef IDENTITY
