// SPDX-License-Identifier: Apache-2.0
//
// Rules of heddle lex: of a language, or of a file.
#ifndef HEDDLE_CLI_ALGORITHMS_LEX_RULES_H
#define HEDDLE_CLI_ALGORITHMS_LEX_RULES_H

#include "cli/run/workspace.h"
#include "heddle_algorithms.h"

enum { LEX_RULES_MAX = 1000 };

typedef struct lex_rules {
    const hd_lex_rule *table; // ends with a rule without a name
    hd_lex_rule of_file[LEX_RULES_MAX + 1];
} lex_rules;

// Exactly one of language and file is not NULL. The texts of a file's rules stay in the workspace.
// Returns an exit code, having printed what went wrong.
int lex_rules_load(workspace *w, const char *language, const char *file, lex_rules *rules);

#endif
