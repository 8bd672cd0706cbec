// SPDX-License-Identifier: Apache-2.0
// Users' texts called with the state that they were given (heddle_state.h), and whether that is
// what they want. Built-in operators and orders of numbers have none.
#ifndef HEDDLE_CORE_OPERATORS_STATE_H
#define HEDDLE_CORE_OPERATORS_STATE_H

#include "core/context.h"

static inline void hd__combine(const hd_operator *op, void *out, const void *a, const void *b,
                               int64_t n)
{
    op->combine(out, a, b, n, op->state.data);
}

static inline void hd__apply(const hd_function *f, void *out, const void *const *in, int64_t n)
{
    f->apply(out, in, n, f->state.data);
}

static inline int64_t hd__sum(const hd_function *f, const void *const *in, int64_t n)
{
    return f->sum(in, n, f->state.data);
}

// Whether the element at a comes before the one at b.
static inline bool hd__precedes(const hd_comparison *order, const void *a, const void *b)
{
    return order->less(a, b, order->state.data);
}

// Refuses a state that the text does not want, a missing one and one of another size. `kind` and
// `name` say in the error which operator, function or comparison it is.
hd_status hd__refuse_state(hd_context *ctx, const char *call, const char *kind, const char *name,
                           const hd_state *state);

static inline hd_status hd__check_state(hd_context *ctx, const char *call, const char *kind,
                                        const char *name, const hd_state *state)
{
    if (state->bytes == state->size && (state->data != NULL) == (state->size > 0)) return HD_OK;
    return hd__refuse_state(ctx, call, kind, name, state);
}

#endif
