// SPDX-License-Identifier: Apache-2.0
//
// A value known only at run time in the text of a function, operator or comparison: its state.
// heddle.h includes this file; do not include it alone.
//
//     HD_SOURCE(ranges, typedef struct { float low, high; } range;)
//     HD_FUNCTION_STATE(inside, bool, ranges, (float, x), range,
//                       { return state->low <= x && x <= state->high; })
//
//     range r = {0.25f, 0.75f}; // from a file, from a user
//     hd_compact(ctx, HD_VIEW(x, n), ..., &(hd_compact_options){.keep = HD_WITH_STATE(inside, &r)});
//
// The macros are those without _STATE, with the type S of the state before the text. In the text
// `state` is a const S *. S is a number, or a structure of at most HD_MAX_STATE bytes. Its
// definition is in the source (HD_SOURCE), as that of elements is, unless it is a number. On a GPU
// its bytes alone are there: a pointer in it may be followed where it is the address of a view of
// the device in a call all of whose views are there, or of memory of the host where the cores run.
// So a text reads arrays at indices of its own. Nothing of that is checked, and the arrays stay as
// they are until the call is done (hd_sync).
//
// A call needs the state: hd_with_state gives a copy of the object that has one. A call with an
// object that lacks it, has one of another size or has one and wants none is HD_ERROR_ARGUMENT. The
// call reads the bytes while it runs and keeps none: once it has returned they may change or go, on
// a GPU too, where they are copied before the kernel begins. Kernels are compiled once for all
// states; a graph that records the stream cannot hold one (HD_ERROR_BACKEND). Threads with contexts
// and states of their own do not meet. The bits are those of the values written as constants.
//
// The identity of a monoid cannot depend on its state. Calls that a carry joins (hd_carry) have the
// same operator with the same bytes of state.
#ifndef HEDDLE_STATE_H
#define HEDDLE_STATE_H

// Largest state, in bytes.
#define HD_MAX_STATE 1024

// HD_FUNCTION_STATE(name, result type, source, (type, x, type, y, ...), S, { body })
#define HD_FUNCTION_STATE(name, R, source, inputs, S, ...)                                         \
    HD__NOTHING_LOOSE                                                                              \
    HD__STATE_FITS(S)                                                                              \
    HD__FUNCTION_LOOPS(name, R, inputs, HD__STATEFUL(S), __VA_ARGS__)                              \
    static const hd_function name[1] = {HD__FUNCTION_ROW(name, R, source, inputs, #R, #inputs,     \
                                                         HD__STATE_OF(S, #S), #__VA_ARGS__)};

// HD_OPERATOR_STATE(name, type, source, flags, S, { body returning a op b })
// HD_MONOID_STATE(name, type, source, flags, identity, S, { body })
#define HD_OPERATOR_STATE(name, T, source, flags, S, ...)                                          \
    HD__NOTHING_LOOSE                                                                              \
    HD__STATE_FITS(S)                                                                              \
    HD__OPERATOR_LOOPS(name, T, HD__STATEFUL(S), __VA_ARGS__)                                      \
    static const hd_operator name[1] = {                                                           \
        HD__OPERATOR_ROW(name, T, source, flags, 0, 0, HD__STATE_OF(S, #S), __VA_ARGS__)};
#define HD_MONOID_STATE(name, T, source, flags, identity, S, ...)                                  \
    HD__NOTHING_LOOSE                                                                              \
    HD__STATE_FITS(S)                                                                              \
    HD__OPERATOR_LOOPS(name, T, HD__STATEFUL(S), __VA_ARGS__)                                      \
    static const T name##__identity = identity;                                                    \
    static const hd_operator name[1] = {                                                           \
        HD__OPERATOR_ROW(name, T, source, flags, &name##__identity, HD__EXPANDED_TEXT(identity),   \
                         HD__STATE_OF(S, #S), __VA_ARGS__)};

// HD_COMPARISON_STATE(name, type, source, S, { body returning whether a comes before b })
#define HD_COMPARISON_STATE(name, T, source, S, ...)                                               \
    HD__NOTHING_LOOSE                                                                              \
    HD__STATE_FITS(S)                                                                              \
    HD__COMPARISON_LOOPS(name, T, HD__STATEFUL(S), __VA_ARGS__)                                    \
    static const hd_comparison name[1] = {                                                         \
        HD__COMPARISON_ROW(name, T, source, #T, HD__STATE_OF(S, #S), #__VA_ARGS__)};

#define HD__STATE_FITS(S)                                                                          \
    HD__STATIC_ASSERT(sizeof(S) <= HD_MAX_STATE, "a state has at most HD_MAX_STATE bytes");
#define HD__STATE_OF(S, S_text)                                                                    \
    {                                                                                              \
        0, 0, sizeof(S), S_text                                                                    \
    }

// hd_with_state(f, &value, sizeof value): a copy of a function, operator or comparison, whose state
// is the value, which the caller keeps for as long as the copy is used:
//
//     const hd_function f = hd_with_state(inside, &r, sizeof r);
//     options.map = &f;
//
// In C, HD_WITH_STATE(f, &value) is a pointer to such a copy, which lasts as long as the block it
// stands in; the size is that of what the pointer points to.
HD__INLINE hd_function hd__function_with(const hd_function *f, const void *state, size_t bytes)
{
    hd_function with = *f;
    with.state.data = state;
    with.state.bytes = bytes;
    return with;
}

HD__INLINE hd_operator hd__operator_with(const hd_operator *f, const void *state, size_t bytes)
{
    hd_operator with = *f;
    with.state.data = state;
    with.state.bytes = bytes;
    return with;
}

HD__INLINE hd_comparison hd__comparison_with(const hd_comparison *f, const void *state,
                                             size_t bytes)
{
    hd_comparison with = *f;
    with.state.data = state;
    with.state.bytes = bytes;
    return with;
}

#ifdef __cplusplus
inline hd_function hd_with_state(const hd_function *f, const void *state, size_t bytes)
{
    return hd__function_with(f, state, bytes);
}
inline hd_operator hd_with_state(const hd_operator *f, const void *state, size_t bytes)
{
    return hd__operator_with(f, state, bytes);
}
inline hd_comparison hd_with_state(const hd_comparison *f, const void *state, size_t bytes)
{
    return hd__comparison_with(f, state, bytes);
}
#else
#define hd_with_state(f, state, bytes)                                                             \
    _Generic((f) + 0, const hd_function *                                                          \
             : hd__function_with, const hd_operator *                                              \
             : hd__operator_with, const hd_comparison *                                            \
             : hd__comparison_with)((f), (state), (bytes))
#define HD_WITH_STATE(f, p) ((const HD__TYPEOF(*(f))[1]){hd_with_state((f), (p), sizeof *(p))})
#endif

#endif
