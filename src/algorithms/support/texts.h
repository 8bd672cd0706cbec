// SPDX-License-Identifier: Apache-2.0
// Texts of users' kind that are made for several types: of what macros stand for, since the
// compilers of GPUs do not know them; and the identities of maps of states, matrix and vector.
#ifndef HEDDLE_ALGORITHMS_SUPPORT_TEXTS_H
#define HEDDLE_ALGORITHMS_SUPPORT_TEXTS_H

#include <heddle.h>

#define EXPANDED_SOURCE(...)         HD_SOURCE(__VA_ARGS__)
#define EXPANDED_FUNCTION(...)       HD_FUNCTION(__VA_ARGS__)
#define EXPANDED_FUNCTION_STATE(...) HD_FUNCTION_STATE(__VA_ARGS__)
#define EXPANDED_OPERATOR(...)       HD_OPERATOR(__VA_ARGS__)
#define EXPANDED_MONOID(name, T, source, flags, identity, ...)                                     \
    HD_MONOID(name, T, source, flags, HD_BRACES identity, __VA_ARGS__)

#define IDENTITY_1 ({1}, {0})
#define IDENTITY_2 ({1, 0, 0, 1}, {0, 0})
#define IDENTITY_4 ({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, {0, 0, 0, 0})
#define IDENTITY_8                                                                                 \
    ({1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,                            \
      0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,                            \
      0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1},                                 \
     {0, 0, 0, 0, 0, 0, 0, 0})

#endif
