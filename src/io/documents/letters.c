// SPDX-License-Identifier: Apache-2.0
#include "letters.h"

#include "io/support/escape.h"

// Of the letters from ' ' to '~', from the font's metrics (Helvetica.afm of Adobe's core fonts).
static const uint16_t widths[] = {
    278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // to '/'
    556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // to '?'
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // to 'O'
    667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // to '_'
    333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // to 'o'
    556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};

enum { OTHER = 556, NO_BREAK_SPACE = 0xa0, BULLET = 0x2022, BULLET_WIDTH = 350 };

static int64_t width_of(unsigned letter)
{
    if (letter >= ' ' && letter <= '~') return widths[letter - ' '];
    if (letter == NO_BREAK_SPACE) return IO_LETTERS_SPACE;
    return letter == BULLET ? BULLET_WIDTH : OTHER;
}

int64_t io_letters_width(const char *text, size_t length)
{
    int64_t sum = 0;
    for (size_t k = 0; k < length;) {
        unsigned letter = 0;
        const size_t n = io_utf8_decode(text + k, length - k, &letter);
        sum += n > 0 ? width_of(letter) : OTHER;
        k += n > 0 ? n : 1;
    }
    return sum;
}
