// SPDX-License-Identifier: Apache-2.0
// Strings by words: bytes copied to words of 64 bits with some behind them, so that the 8 bytes at
// any place are made of two words that are there.
#ifndef HEDDLE_ALGORITHMS_TEXT_STRING_WORDS_H
#define HEDDLE_ALGORITHMS_TEXT_STRING_WORDS_H

#include "../support/frame.h"

HD_SOURCE(
    string_source,
    // The bytes from place `at` on, the first one in the highest byte, of which `left` are there;
    // the others are 0. low and high are the words that at lies in and the next.
    static inline uint64_t string_word(uint64_t low, uint64_t high, int64_t at, int64_t left) {
        const int shift = (int)(at & 7) * 8;
        uint64_t x = shift ? low >> shift | high << (64 - shift) : low;
        if (left <= 0) return 0;
        x = (x >> 32) | (x << 32);
        x = (x >> 16 & 0x0000ffff0000ffffu) | (x & 0x0000ffff0000ffffu) << 16;
        x = (x >> 8 & 0x00ff00ff00ff00ffu) | (x & 0x00ff00ff00ff00ffu) << 8;
        return left >= 8 ? x : x & ~(uint64_t)0 << (64 - 8 * left);
    })

typedef struct hd__strings {
    int64_t n, bytes;
    hd_view offsets; // n + 1 of i64
    hd_view row;     // the bytes, on cores
    hd_view words;   // of the bytes, and two more, elsewhere
    bool on_cores;
} hd__strings;

// Checks an array of strings, and copies it where it is for patterns. what is its name in errors.
hd_status hd__strings_open(hd__frame *f, const char *what, hd_view offsets, hd_view bytes,
                           hd__strings *s);
// Checks offsets into so many bytes: a row of i64, n + 1 of them.
hd_status hd__string_offsets(hd__frame *f, const char *what, hd_view offsets, int64_t bytes,
                             int64_t *n, hd_view *row);
// Bytes as words.
hd_status hd__string_words(hd__frame *f, hd_view bytes, hd_view *words);

// out[j] = function(words, next words, at[j], left[j]): a function of string_word's arguments.
// index is scratch of as many i64.
hd_status hd__string_read(hd__frame *f, hd_view words, hd_view at, hd_view left, hd_view index,
                          const hd_function *function, hd_view out);

// Pairs of places, a's in one array and b's in another, that compare up to `length` bytes each.
typedef struct hd__string_pairs {
    int64_t n;
    hd_view a_words, b_words;
    hd_view a_at, b_at, length; // rows of i64
} hd__string_pairs;

// same[j] = how many bytes the places of pair j have in common: at most length, and the window of
// about `window` words that all pairs share; rounded down to words, but for all of length.
hd_status hd__string_common(hd__frame *f, const hd__string_pairs *p, int64_t window, hd_view same);

enum { HD__STRING_WINDOW = 1 << 22 };

#endif
