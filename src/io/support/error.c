// SPDX-License-Identifier: Apache-2.0
//
// Filling an error: the only place of src/io that formats text for people. What it quotes (names,
// fields) comes from outside, so the whole text is escaped.
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "escape.h"

static void fill(io_error *error, const char *format, va_list arguments)
{
    char text[sizeof error->text];
    vsnprintf(text, sizeof text, format, arguments);
    io_escape(error->text, sizeof error->text, text, strlen(text), IO_ESCAPE_ALL);
}

io_status io_fail(io_error *error, io_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    fill(error, format, arguments);
    va_end(arguments);
    return status;
}

io_status io_fail_system(io_error *error, const char *format, ...)
{
    const char *reason = strerror(errno);
    va_list arguments;
    va_start(arguments, format);
    error->status = IO_SYSTEM;
    fill(error, format, arguments);
    va_end(arguments);
    const size_t used = strlen(error->text);
    snprintf(error->text + used, sizeof error->text - used, ": %s", reason);
    return IO_SYSTEM;
}
