// SPDX-License-Identifier: Apache-2.0
//
// Colours: only on a terminal, and never where NO_COLOR is set.
#ifndef HEDDLE_CLI_SUPPORT_COLOR_H
#define HEDDLE_CLI_SUPPORT_COLOR_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COLOR_GREEN "\033[32m"
#define COLOR_RED   "\033[31m"
#define COLOR_BOLD  "\033[1m"
#define COLOR_DIM   "\033[2m"
#define COLOR_OFF   "\033[0m"

static inline bool color_wanted(FILE *out)
{
    const char *never = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (never != NULL && *never != '\0') return false;
    return isatty(fileno(out)) && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

#endif
