// SPDX-License-Identifier: Apache-2.0
// heddle ladder NAME --draw METHOD [VALUE...]: a method step by step.
#ifndef HEDDLE_CLI_LADDER_LADDER_DRAW_H
#define HEDDLE_CLI_LADDER_LADDER_DRAW_H

#include <stdbool.h>

#include "cli/args/args.h"

// operands: the ladder and the values. html: a file to write, or NULL: text on standard output, as
// with `text` in any case.
int ladder_draw(const char *method, const arg_result *operands, const char *html, bool text);

#endif
