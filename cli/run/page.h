// SPDX-License-Identifier: Apache-2.0
// A page written to a file, which appears whole or not at all.
#ifndef HEDDLE_CLI_RUN_PAGE_H
#define HEDDLE_CLI_RUN_PAGE_H

#include <stdio.h>

// Whether a page can be written to a file, before the work that fills it; what is there stays.
int page_can_be(const char *command, const char *file);

// Returns an exit code, having printed what went wrong in the name of the command.
int page_write(const char *command, const char *file, void (*write)(FILE *out, const void *what),
               const void *what);

#endif
