// SPDX-License-Identifier: Apache-2.0
// The texts of polynomials for the type REAL: 16 points, one point; the monoid of (value, power).
#define NAME(x) POLYNOMIAL_NAME(x, REAL)

EXPANDED_SOURCE(
    NAME(text), typedef struct { REAL at[16]; } NAME(block); typedef struct {
        long long count;
        REAL c[120];
    } NAME(coefficients);
    typedef struct {
        REAL value;
        REAL power;
    } NAME(part);)

EXPANDED_FUNCTION_STATE(NAME(begin_block), NAME(block), NAME(text), (NAME(block), x),
                        NAME(coefficients), {
                            NAME(block) r;
                            for (int p = 0; p < 16; p++) r.at[p] = state->c[state->count - 1];
                            for (long long j = state->count - 2; j >= 0; j--)
                                for (int p = 0; p < 16; p++)
                                    r.at[p] = r.at[p] * x.at[p] + state->c[j];
                            return r;
                        })
EXPANDED_FUNCTION_STATE(NAME(more_block), NAME(block), NAME(text), (NAME(block), x, NAME(block), r),
                        NAME(coefficients), {
                            for (long long j = state->count - 1; j >= 0; j--)
                                for (int p = 0; p < 16; p++)
                                    r.at[p] = r.at[p] * x.at[p] + state->c[j];
                            return r;
                        })
EXPANDED_FUNCTION_STATE(NAME(begin), REAL, NAME(text), (REAL, x), NAME(coefficients), {
    REAL r = state->c[state->count - 1];
    for (long long j = state->count - 2; j >= 0; j--) r = r * x + state->c[j];
    return r;
})
EXPANDED_FUNCTION_STATE(NAME(more), REAL, NAME(text), (REAL, x, REAL, r), NAME(coefficients), {
    for (long long j = state->count - 1; j >= 0; j--) r = r * x + state->c[j];
    return r;
})

EXPANDED_FUNCTION(NAME(part_of), NAME(part), NAME(text), (REAL, c, REAL, x), {
    NAME(part) r;
    r.value = c;
    r.power = x;
    return r;
})
EXPANDED_OPERATOR(NAME(joined), NAME(part), NAME(text), HD_ASSOCIATIVE, {
    NAME(part) r;
    r.value = b.value == 0 ? a.value : a.value + a.power * b.value;
    r.power = a.power * b.power;
    return r;
})
EXPANDED_FUNCTION(NAME(value_of), REAL, NAME(text), (NAME(part), a), { return a.value; })

static void NAME(fill)(void *state, const double *c, int64_t count)
{
    NAME(coefficients) s;
    memset(&s, 0, sizeof s);
    s.count = count;
    for (int64_t j = 0; j < count; j++) s.c[j] = (REAL)c[j];
    memcpy(state, &s, sizeof s);
}

static const hd__polynomial_kernels NAME(row) = {
    HD_TYPE(REAL),     HD_TYPE(NAME(block)), HD_TYPE(NAME(part)), sizeof(NAME(coefficients)),
    NAME(begin_block), NAME(more_block),     NAME(begin),         NAME(more),
    NAME(part_of),     NAME(value_of),       NAME(joined),        NAME(fill)};

#undef NAME
