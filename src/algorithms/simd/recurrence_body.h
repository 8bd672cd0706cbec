// SPDX-License-Identifier: Apache-2.0
// One row of recurrence_kernels.c: the texts for the type REAL and the order ORDER, whose identity
// is IDENTITY. A state is y[i - 1], ..., y[i - ORDER].
#define NAME(x) RECURRENCE_NAME(x, REAL, ORDER)

EXPANDED_SOURCE(
    NAME(text), typedef struct { REAL at[16]; } NAME(block);
    typedef struct { REAL at[ORDER * 16]; } NAME(coefficients);
    typedef struct { REAL y[ORDER]; } NAME(state); typedef struct {
        REAL m[ORDER * ORDER];
        REAL v[ORDER];
    } NAME(node);

    static inline REAL NAME(step)(const REAL *c, REAL x, REAL *y) {
        REAL sum = c[ORDER - 1] * y[ORDER - 1];
        for (int j = ORDER - 1; j > 0; j--) {
            sum = sum + c[j - 1] * y[j - 1];
            y[j] = y[j - 1];
        }
        y[0] = x + sum;
        return y[0];
    }

    static inline NAME(state) NAME(affine)(const REAL *m, const REAL *v, NAME(state) s) {
        NAME(state) r;
        for (int i = 0; i < ORDER; i++) {
            REAL sum = m[i * ORDER] * s.y[0];
            for (int j = 1; j < ORDER; j++) sum = sum + m[i * ORDER + j] * s.y[j];
            r.y[i] = sum + v[i];
        }
        return r;
    })

EXPANDED_FUNCTION(NAME(joined), NAME(node), NAME(text), (NAME(block), x, NAME(coefficients), c), {
    NAME(node) r;
    REAL y[ORDER * ORDER + ORDER];
    for (int j = 0; j < ORDER * ORDER + ORDER; j++) y[j] = 0;
    for (int j = 0; j < ORDER; j++) y[j * ORDER + j] = 1;
    for (int t = 0; t < 16; t++) {
        for (int j = 0; j < ORDER; j++) NAME(step)(c.at + t * ORDER, 0, y + j * ORDER);
        NAME(step)(c.at + t * ORDER, x.at[t], y + ORDER * ORDER);
    }
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j < ORDER; j++) r.m[i * ORDER + j] = y[j * ORDER + i];
        r.v[i] = y[ORDER * ORDER + i];
    }
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
    for (int j = 0; j < ORDER; j++) s.y[j] = a.v[j];
    s = NAME(affine)(b.m, b.v, s);
    for (int j = 0; j < ORDER; j++) r.v[j] = s.y[j];
    return r;
})

EXPANDED_FUNCTION(NAME(outputs), NAME(block), NAME(text),
                  (NAME(block), x, NAME(coefficients), c, NAME(state), s), {
                      for (int t = 0; t < 16; t++)
                          x.at[t] = NAME(step)(c.at + t * ORDER, x.at[t], s.y);
                      return x;
                  })

// The same of a block behind others.
EXPANDED_FUNCTION(NAME(inner), NAME(block), NAME(text),
                  (NAME(block), x, NAME(coefficients), c, NAME(node), before, NAME(state), first), {
                      NAME(state) s = NAME(affine)(before.m, before.v, first);
                      for (int t = 0; t < 16; t++)
                          x.at[t] = NAME(step)(c.at + t * ORDER, x.at[t], s.y);
                      return x;
                  })

EXPANDED_FUNCTION(NAME(after), NAME(state), NAME(text),
                  (NAME(node), before, NAME(node), block, NAME(state), first), {
                      const NAME(state) s = NAME(affine)(before.m, before.v, first);
                      return NAME(affine)(block.m, block.v, s);
                  })

static const hd__recurrence_kernels NAME(row) = {
    .block = HD_TYPE(NAME(block)),
    .coefficients = HD_TYPE(NAME(coefficients)),
    .state = HD_TYPE(NAME(state)),
    .node = HD_TYPE(NAME(node)),
    .order = ORDER,
    .joined = NAME(joined),
    .compose = NAME(compose),
    .inner = NAME(inner),
    .after = NAME(after),
    .outputs = NAME(outputs),
};

#undef NAME
#undef ORDER
#undef IDENTITY
