// SPDX-License-Identifier: Apache-2.0
// What hd_lex's passes over a device's text are made of: functions of blocks and states, whose
// state holds the addresses of arrays of the device that they read at places of their own. A state
// of the automaton is a byte, its number (lexer.h); LEX_ACCEPTED is acceptance where one looks
// ahead, and an error as a mark. Rows of states have a power of two of columns: codes, 1 << shift.
#ifndef HEDDLE_ALGORITHMS_TEXT_LEX_DEVICE_FUNCTIONS_H
#define HEDDLE_ALGORITHMS_TEXT_LEX_DEVICE_FUNCTIONS_H

#include <heddle.h>

HD_SOURCE(
    lex_device_source,
    // Bytes of a block; functions of a level that are one of the level above.
    enum {LEX_BLOCK = 128, LEX_FAN = 32, LEX_LEVELS = 5, LEX_LEVEL_BIT = 48, LEX_ACCEPTED = 255};
    // text: of a chunk; words: the same where it is aligned, else NULL. next: a row for each byte.
    // behind: the same, not 0 where a state is one that the byte leads to. reach: a row for where
    // each block begins, not 0 where a state is behind the byte before and reaches acceptance from
    // there on. start: the state before each block.
    typedef struct lex_text {
        const uint8_t *text, *next, *behind, *reach, *start;
        const uint64_t *words;
        int64_t n;
        int32_t shift, accepting;
        int32_t is_first; // chunk
    } lex_text;
    // The levels of functions, count of them each, from blocks up, and what is above the highest:
    // rows of functions, of reach and states before, of which there is one more. Where a text has
    // an index in a level, the level's number is above LEX_LEVEL_BIT of it.
    typedef struct lex_level {
        const uint8_t *step, *reach, *start;
        int64_t count;
    } lex_level;
    typedef struct lex_tree {
        lex_level level[LEX_LEVELS + 1];
        int64_t shift;
    } lex_tree;
    // The state that accepted each token of a chunk and its last byte there; base: of the chunk's
    // first byte; before: the last byte of the token before. And what belongs to each state.
    typedef struct lex_tokens {
        const uint8_t *state, *skip;
        const int32_t *end, *kind;
        const int64_t *before;
        int64_t base;
    } lex_tokens;
    static inline int64_t lex_end(const lex_tokens *t, int32_t token) {
        return token < 0 ? *t->before : t->base + t->end[token];
    } static inline const lex_level *lex_level_of(const lex_tree *t, int64_t i) {
        return &t->level[i >> LEX_LEVEL_BIT];
    } static inline int64_t lex_index(int64_t i) { return i & (((int64_t)1 << LEX_LEVEL_BIT) - 1); }
    // Functions begin .. end - 1 of a level, one after another. Dead and accepted stay so.
    static inline int lex_follow(const lex_level *l, int64_t shift, int64_t begin, int64_t end,
                                 int state) {
        for (int64_t k = begin; k < end && state != 0 && state != LEX_ACCEPTED; k++)
            state = l->step[k << shift | state];
        return state;
    }
    // A block's bytes, read at once: threads that go through blocks of their own would wait for
    // one byte or another at every step.
    typedef struct lex_bytes { uint64_t word[LEX_BLOCK / 8]; } lex_bytes;
    static inline void lex_read(const lex_text *t, int64_t block, int n, lex_bytes *bytes) {
        uint8_t *const to = (uint8_t *)bytes->word;
        if (t->words && n == LEX_BLOCK)
            for (int k = 0; k < LEX_BLOCK / 8; k++)
                bytes->word[k] = t->words[block * (LEX_BLOCK / 8) + k];
        else
            for (int k = 0; k < n; k++) to[k] = t->text[block * LEX_BLOCK + k];
    }
    // The tokens that end in a block that is entered in a state: returns the one it is left in,
    // the start's where a token ends with it. A token that nobody can tell the end of in the block
    // goes on where the state reaches acceptance behind it. 0: no text leads here in this state.
    static inline int lex_pass(const lex_text *t, int64_t block, int state, uint8_t *marks) {
        const int64_t left = t->n - block * LEX_BLOCK;
        const int end = left < LEX_BLOCK ? (int)left : LEX_BLOCK;
        const uint8_t *const reach = t->reach + ((block + 1) << t->shift);
        lex_bytes bytes;
        lex_read(t, block, end, &bytes);
        const uint8_t *const text = (const uint8_t *)bytes.word;
        int at = 0, token = state == 1 ? 0 : -1, last = -1, accepted = 0;
        for (;;) {
            if (at < end) {
                state = t->next[text[at++] << t->shift | state];
                if (state >= t->accepting) last = at, accepted = state;
            } else if (state == 1 || reach[state] != 0) {
                return state;
            } else {
                state = 0;
            }
            if (state == 0) {
                if (last < 0) {
                    if (token < 0) return 0;
                    last = token + 1, accepted = LEX_ACCEPTED;
                }
                if (marks) marks[last - 1] = (uint8_t)accepted;
                at = token = last, last = -1, state = 1;
            }
        }
    })

enum { HD__LEX_DEVICE_STATES = 254 }; // live ones

// Of i = block << shift | state: where the block leads the state that looks ahead. With whether
// acceptance is reached: whether the block may be entered in the state. Where the block leads it as
// tokens end and begin.
extern const hd_function *const hd__lex_look_ahead, *const hd__lex_may_enter, *const hd__lex_pass;
// Of i = group << shift | state: through the functions of a group.
extern const hd_function *const hd__lex_compose;
// Of i = block << shift | state: whether acceptance is reached from where the block begins.
extern const hd_function *const hd__lex_reach;
// Of a block: the state before it; a mark for each byte: 0, the state that accepted the token which
// ends with it, or LEX_ACCEPTED for an error.
extern const hd_function *const hd__lex_start, *const hd__lex_mark;
// Of a token's state: whether it is kept. Of a token's index: its kind, begin and length.
extern const hd_function *const hd__lex_is_kept, *const hd__lex_kind, *const hd__lex_begin,
                                                                          *const hd__lex_length;

#endif
