// SPDX-License-Identifier: Apache-2.0
//
// Rules of heddle lex. A file has one a line: a name, blanks, an expression up to the end of the
// line; "!" before the name leaves its tokens out, "#" begins a line that is a comment.
#include "lex_rules.h"

#include <string.h>

#include "cli/support/escaped.h"

// Cuts a line, which ends with a NUL, in two. NULL: there is no rule in it.
static const char *cut(char *line, hd_lex_rule *rule)
{
    line += strspn(line, " \t");
    if (*line == '#' || *line == 0) return NULL;
    rule->skip = *line == '!';
    if (*line == '!') line++;
    const size_t length = strcspn(line, " \t");
    rule->name = line;
    rule->pattern = line + length + strspn(line + length, " \t");
    line[length] = 0;
    return rule->name;
}

static int refuse(const workspace *w, const char *file, int line, const char *what)
{
    return fail(EXIT_DATA, w->command, "%s, line %d: %s", shown(file), line, what);
}

static int parse(const workspace *w, const char *file, char *text, lex_rules *rules)
{
    int count = 0, number = 1;
    for (char *line = text, *next; line != NULL; line = next, number++) {
        hd_lex_rule rule;
        next = strchr(line, '\n');
        if (next != NULL) *next++ = 0;
        if (*line != 0 && line[strlen(line) - 1] == '\r') line[strlen(line) - 1] = 0;
        if (cut(line, &rule) == NULL) continue;
        if (*rule.name == 0 || *rule.pattern == 0)
            return refuse(w, file, number, "expected a name, blanks and an expression");
        if (count == LEX_RULES_MAX) return refuse(w, file, number, "expected at most 1000 rules");
        rules->of_file[count++] = rule;
    }
    rules->of_file[count].name = NULL;
    rules->table = rules->of_file;
    return EXIT_DONE;
}

int lex_rules_load(workspace *w, const char *language, const char *file, lex_rules *rules)
{
    hd_view bytes, text;
    if ((language != NULL) == (file != NULL))
        return fail(EXIT_USAGE, w->command, "expected either --lang or --rules");
    if (language != NULL) {
        rules->table = hd_lex_rules(language);
        return EXIT_DONE;
    }
    EXIT_TRY(
        workspace_load(w, file, &(io_read_options){.type = HD_U8, .format = IO_BYTES}, &bytes));
    const int64_t n = hd_count(bytes);
    EXIT_TRY(workspace_row(w, HD_U8, n + 1, &text));
    char *letters = text.data;
    memcpy(letters, bytes.data, (size_t)n);
    letters[n] = 0;
    if (memchr(letters, 0, (size_t)n) != NULL)
        return fail(EXIT_DATA, w->command, "%s: expected text, got a byte 0", shown(file));
    return parse(w, file, letters, rules);
}
