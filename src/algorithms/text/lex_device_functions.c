// SPDX-License-Identifier: Apache-2.0
// The functions of hd_lex's passes over a device's text.
#include "lex_device_functions.h"

// ---- Of blocks and states -------------------------------------------------------------------

HD_FUNCTION_STATE(look_ahead, uint8_t, lex_device_source, (int64_t, i), lex_text, {
    const int64_t begin = (i >> state->shift) * LEX_BLOCK;
    const int64_t end = begin + LEX_BLOCK < state->n ? begin + LEX_BLOCK : state->n;
    int q = (int)(i & ((1 << state->shift) - 1));
    if (begin == 0 && state->is_first) return 0;
    if (state->behind[state->text[begin - 1] << state->shift | q] == 0) return 0;
    for (int64_t at = begin; at < end && q != 0; at++) {
        q = state->next[state->text[at] << state->shift | q];
        if (q >= state->accepting) return LEX_ACCEPTED;
    }
    return (uint8_t)q;
})
HD_FUNCTION_STATE(may_enter, bool, lex_device_source, (uint8_t, reach, int64_t, i), lex_text,
                  { return reach != 0 || (i & ((1 << state->shift) - 1)) == 1; })
HD_FUNCTION_STATE(pass, uint8_t, lex_device_source, (int32_t, i), lex_text, {
    const int q = i & ((1 << state->shift) - 1);
    return (uint8_t)lex_pass(state, i >> state->shift, q, (uint8_t *)0);
})
HD_FUNCTION_STATE(mark_block, lex_bytes, lex_device_source, (int64_t, block), lex_text, {
    lex_bytes marks;
    for (int k = 0; k < LEX_BLOCK / 8; k++) marks.word[k] = 0;
    lex_pass(state, block, state->start[block], (uint8_t *)marks.word);
    return marks;
})

// ---- Of levels ------------------------------------------------------------------------------

HD_FUNCTION_STATE(compose, uint8_t, lex_device_source, (int64_t, i), lex_tree, {
    const lex_level *const below = lex_level_of(state, i);
    const int64_t begin = (lex_index(i) >> state->shift) * LEX_FAN;
    const int64_t end = begin + LEX_FAN < below->count ? begin + LEX_FAN : below->count;
    const int q = (int)(i & ((1 << state->shift) - 1));
    return (uint8_t)lex_follow(below, state->shift, begin, end, q);
})
HD_FUNCTION_STATE(reach, uint8_t, lex_device_source, (int64_t, i), lex_tree, {
    const lex_level *const l = lex_level_of(state, i);
    const int64_t block = lex_index(i) >> state->shift;
    const int64_t group = block / LEX_FAN;
    const int64_t behind = block < l->count ? group + 1 : l[1].count;
    const int64_t limit = (group + 1) * LEX_FAN;
    const int64_t end = limit < l->count ? limit : l->count;
    const int q = (int)(i & ((1 << state->shift) - 1));
    const int to = lex_follow(l, state->shift, block, end, q);
    return to == LEX_ACCEPTED || (to != 0 && l[1].reach[behind << state->shift | to] != 0);
})
HD_FUNCTION_STATE(start, uint8_t, lex_device_source, (int64_t, i), lex_tree, {
    const lex_level *const l = lex_level_of(state, i);
    const int64_t block = lex_index(i);
    const int64_t last = l[1].count - 1;
    const int64_t group = block / LEX_FAN < last ? block / LEX_FAN : last;
    return (uint8_t)lex_follow(l, state->shift, group * LEX_FAN, block, l[1].start[group]);
})

// ---- Of tokens ------------------------------------------------------------------------------

HD_FUNCTION_STATE(is_kept, bool, lex_device_source, (uint8_t, accepted), lex_tokens,
                  { return state->skip[accepted] == 0; })
HD_FUNCTION_STATE(kind, int32_t, lex_device_source, (int32_t, token), lex_tokens,
                  { return state->kind[state->state[token]]; })
HD_FUNCTION_STATE(begin, int64_t, lex_device_source, (int32_t, token), lex_tokens,
                  { return lex_end(state, token - 1) + 1; })
HD_FUNCTION_STATE(length, int64_t, lex_device_source, (int32_t, token), lex_tokens,
                  { return lex_end(state, token) - lex_end(state, token - 1); })

const hd_function *const hd__lex_look_ahead = look_ahead;
const hd_function *const hd__lex_may_enter = may_enter;
const hd_function *const hd__lex_pass = pass;
const hd_function *const hd__lex_mark = mark_block;
const hd_function *const hd__lex_compose = compose;
const hd_function *const hd__lex_reach = reach;
const hd_function *const hd__lex_start = start;
const hd_function *const hd__lex_is_kept = is_kept;
const hd_function *const hd__lex_kind = kind;
const hd_function *const hd__lex_begin = begin;
const hd_function *const hd__lex_length = length;
