// SPDX-License-Identifier: Apache-2.0
//
// Barriers and fences of a CUDA text, and the text without one of them: for tests that the model
// machine misses each that is needed.
#ifndef HEDDLE_TESTS_SUPPORT_MUTANTS_H
#define HEDDLE_TESTS_SUPPORT_MUTANTS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct mutant_site {
    size_t at, length; // of the call, without its semicolon
    char file[32];     // that a #line before it names; "" if none does
    int line;          // from 1, in that file
    bool redundant;    // a comment there, or on the line before, says "redundant:" and why, or
                       // "unseen:", where it orders accesses that cannot race
    char text[120];    // of its line
} mutant_site;

enum { MUTANT_MAX_SITES = 64 };

// Calls that do nothing but order: __syncthreads, __syncwarp, __threadfence..., and those of ours
// whose name has "barrier" or "fence" in it. Their number.
int mutant_sites(const char *text, mutant_site *sites);

// A copy with blanks in the place of a call; the caller frees it.
char *mutant_without(const char *text, const mutant_site *site);

#endif
