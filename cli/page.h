// SPDX-License-Identifier: Apache-2.0
// A page written to a file, which appears whole or not at all.
#ifndef HEDDLE_CLI_PAGE_H
#define HEDDLE_CLI_PAGE_H

#include <stdio.h>

// Returns an exit code, having printed what went wrong in the name of the command.
int page_write(const char *command, const char *file, void (*write)(FILE *out, const void *what),
               const void *what);

#endif
