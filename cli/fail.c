// SPDX-License-Identifier: Apache-2.0
//
// The one way a command reports an error.
#include <stdarg.h>

#include "command.h"

int fail(int exit_code, const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "heddle%s%s: ", *command ? " " : "", command);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return exit_code;
}
