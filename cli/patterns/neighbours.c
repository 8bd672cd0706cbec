// SPDX-License-Identifier: Apache-2.0
//
// Reading borders, numbers and masks.
#include "neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int neighbours_number(const char *command, const char *option, const char *text, double *value)
{
    if (text == NULL) return EXIT_DONE;
    char *end;
    const double x = strtod(text, &end);
    if (end == text || *end != 0)
        return fail(EXIT_USAGE, command, "--%s %s: expected a number", option, text);
    *value = x;
    return EXIT_DONE;
}

int neighbours_border(const char *command, const border_options *text, int32_t *border,
                      double *constant)
{
    static const char *const names[] = {"",          "zero", "replicate", "reflect",
                                        "symmetric", "wrap", "constant",  "keep"};
    *border = HD_BORDER_DEFAULT;
    for (int k = 1; text->border != NULL && k < HD_BORDER_COUNT; k++)
        if (strcmp(text->border, names[k]) == 0) *border = k;
    if (text->constant != NULL && *border != HD_BORDER_CONSTANT)
        return fail(EXIT_USAGE, command, "--constant: needs --border constant");
    return neighbours_number(command, "constant", text->constant, constant);
}

// How many numbers and rows there are; 0 numbers if the text is not what it should be.
static int64_t count_numbers(const char *text, int64_t *rows, int64_t *columns)
{
    int64_t count = 0, in_row = 0;
    *rows = 1;
    *columns = 0;
    for (;;) {
        text += strspn(text, " \t\n,");
        if (*text == ';' || *text == 0) {
            if (*text == 0 && in_row == 0 && *rows > 1) { // a ';' at the end
                --*rows;
                return count;
            }
            if (*columns == 0) *columns = in_row;
            if (in_row == 0 || in_row != *columns) return 0;
            if (*text++ == 0) return count;
            ++*rows;
            in_row = 0;
            continue;
        }
        char *end;
        strtod(text, &end);
        if (end == text) return 0;
        text = end;
        count++, in_row++;
    }
}

int neighbours_mask(workspace *w, const mask_text *m, hd_view *view)
{
    int64_t shape[2];
    const int64_t count = count_numbers(m->text, &shape[0], &shape[1]);
    if (count == 0)
        return fail(EXIT_USAGE, w->command,
                    "--%s '%s': expected numbers, rows of one length with ';' between them",
                    m->option, m->text);
    const bool flat = shape[0] == 1;
    bool whole = m->whole && m->divisor == 1;
    const char *at = m->text;
    for (int64_t i = 0; i < count; i++) {
        at += strspn(at, " \t\n,;");
        char *end;
        const double x = strtod(at, &end);
        whole = whole && x == rint(x) && fabs(x) < 0x1p31;
        at = end;
    }
    EXIT_TRY(
        workspace_alloc(w, whole ? HD_I32 : HD_F64, flat ? 1 : 2, flat ? shape + 1 : shape, view));
    at = m->text;
    for (int64_t i = 0; i < count; i++) {
        at += strspn(at, " \t\n,;");
        char *end;
        const double x = strtod(at, &end);
        if (whole)
            ((int32_t *)view->data)[i] = (int32_t)x;
        else
            ((double *)view->data)[i] = x / m->divisor;
        at = end;
    }
    return EXIT_DONE;
}
