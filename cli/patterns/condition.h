// SPDX-License-Identifier: Apache-2.0
//
// Conditions on elements, as compact and partition take them: --greater V, --less V and their kind
// become a flag for each element.
#ifndef HEDDLE_CLI_PATTERNS_CONDITION_H
#define HEDDLE_CLI_PATTERNS_CONDITION_H

#include "cli/run/workspace.h"

typedef struct where_options {
    const char *greater, *at_least, *less, *at_most, *equal, *flags;
    bool invert;
} where_options;

// Rows for a command's table; field is the member of S that is the where_options.
#define WHERE_OPTION_ROWS(S, field)                                                                \
    ARG_TEXT(0, "greater", "V", "elements greater than V", S, field.greater),                      \
        ARG_TEXT(0, "at-least", "V", "elements of V and more", S, field.at_least),                 \
        ARG_TEXT(0, "less", "V", "elements less than V", S, field.less),                           \
        ARG_TEXT(0, "at-most", "V", "elements of V and less", S, field.at_most),                   \
        ARG_TEXT(0, "equal", "V", "elements equal to V", S, field.equal),                          \
        ARG_TEXT(0, "flags", "FILE", "elements whose flag is not 0", S, field.flags),              \
        ARG_FLAG('v', "invert", "the others", S, field.invert)

// The flags that the options ask for, all conditions together; unset where there is none: then it
// is the elements that are not zero. Returns an exit code.
int where_flags(workspace *w, const where_options *o, hd_view in, hd_view *flags);

#endif
