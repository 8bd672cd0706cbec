// SPDX-License-Identifier: Apache-2.0
//
// What the commands over neighbourhoods (convolve, blur, stencil) share: borders by name, numbers,
// and masks written on the command line. Functions return an exit code, having printed why.
#ifndef HEDDLE_CLI_PATTERNS_NEIGHBOURS_H
#define HEDDLE_CLI_PATTERNS_NEIGHBOURS_H

#include "cli/run/workspace.h"

typedef struct border_options {
    const char *border, *constant;
} border_options;

#define BORDER_NAMES "zero|replicate|reflect|symmetric|wrap|constant"
#define BORDER_OPTION_ROWS(S, field, names, standard)                                              \
    ARG_TEXT(0, "border", names, "what lies beyond the edges (" standard ")", S, field.border),    \
        ARG_TEXT(0, "constant", "V", "with --border constant: its value", S, field.constant)

// HD_BORDER_DEFAULT where none is named.
int neighbours_border(const char *command, const border_options *text, int32_t *border,
                      double *constant);

// A number that must be one; NULL leaves *value as it is.
int neighbours_number(const char *command, const char *option, const char *text, double *value);

// "1 2 1; 2 4 2; 1 2 1": one row, or several of one length, as an array of one or two axes. Whole
// numbers for arrays of integers are i32, everything else is f64, over `divisor`.
typedef struct mask_text {
    const char *option, *text;
    double divisor;
    bool whole;
} mask_text;
int neighbours_mask(workspace *w, const mask_text *m, hd_view *view);

#endif
