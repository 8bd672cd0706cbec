// SPDX-License-Identifier: Apache-2.0
//
// Comma-separated lists of the command line: words, and sizes such as 2^10,1000.
#ifndef HEDDLE_BENCH_SUPPORT_LISTS_H
#define HEDDLE_BENCH_SUPPORT_LISTS_H

#include <stdint.h>

// Whether a list has the word (any case); NULL has every word.
int list_has(const char *list, const char *word);

// Reads "2^10,4096,2^24" into sizes; the number of them, or -1 if the text is not such a list, or
// a size is not in 1 .. 2^40, or there are more than `most`. "random:40" draws so many from 2^10 to
// 2^28, the logarithm uniform, in rising order; "random:40:7" does so by another seed.
int sizes_read(const char *text, int64_t *sizes, int most);

#endif
