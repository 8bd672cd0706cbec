// SPDX-License-Identifier: Apache-2.0
//
// The one way a command reports an error. Messages quote names and texts from outside: what a
// terminal would obey is escaped.
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "exit.h"
#include "escaped.h"

static void (*sink)(const char *command, const char *text, bool lines);

void fail_to(void (*to)(const char *command, const char *text, bool lines))
{
    sink = to;
}

void fail_print(const char *command, const char *text, bool lines)
{
    fflush(stdout);
    fprintf(stderr, "heddle%s%s: ", *command ? " " : "", command);
    (lines ? shown_lines_to : shown_to)(stderr, text);
    fputc('\n', stderr);
}

// Formats into memory of its own where the buffer is too small; a compiler's text may be long.
static void report(const char *command, bool lines, const char *format, va_list arguments)
{
    char small[1024], *text = small;
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(small, sizeof small, format, arguments);
    if (length >= (int)sizeof small) text = malloc((size_t)length + 1);
    if (text == NULL)
        text = small; // what there was room for
    else if (text != small)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    (sink != NULL ? sink : fail_print)(command, text, lines);
    if (text != small) free(text);
}

int fail(int exit_code, const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(command, false, format, arguments);
    va_end(arguments);
    return exit_code;
}

int fail_lines(int exit_code, const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(command, true, format, arguments);
    va_end(arguments);
    return exit_code;
}
