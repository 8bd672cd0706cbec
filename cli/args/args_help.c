// SPDX-License-Identifier: Apache-2.0
//
// Help made from a command's table, the beginning every command shares, and the search for the
// name that was meant.
#include <string.h>

#include "args.h"
#include "cli/support/exit.h"

enum { HELP_COLUMN = 28, HELP_WIDTH = 100 }; // where the explanations begin, and end

// One line of text, or several: those after the first begin in the same column.
static void explain(FILE *out, int used, const char *text)
{
    if (used >= HELP_COLUMN)
        fprintf(out, "\n%*s", HELP_COLUMN, "");
    else
        fprintf(out, "%*s", HELP_COLUMN - used, "");
    for (; *text; text++) {
        fputc(*text, out);
        if (*text == '\n') fprintf(out, "%*s", HELP_COLUMN, "");
    }
    fputc('\n', out);
}

// The names of a list, as many a line as fit.
static void help_list(FILE *out, const char *names)
{
    int used = fprintf(out, "%*s", HELP_COLUMN, "");
    for (const char *name = names; *name; name += strspn(name, "|")) {
        const int length = (int)strcspn(name, "|");
        if (used + 1 + length > HELP_WIDTH) used = fprintf(out, "\n%*s", HELP_COLUMN, "") - 1;
        used += fprintf(out, "%s%.*s", used > HELP_COLUMN ? " " : "", length, name);
        name += length;
    }
    fputc('\n', out);
}

static void help_option(FILE *out, const arg_option *o)
{
    char letter[5] = "    ";
    if (o->letter != 0) letter[0] = '-', letter[1] = o->letter, letter[2] = ',';
    int used = fprintf(out, "  %s--%s", letter, o->name);
    // A list of values is shown in the explanation's column, where there is room.
    const bool list = o->value != NULL && strlen(o->value) > 16;
    const bool perhaps = o->kind == ARG_KIND_PERHAPS;
    if (o->value != NULL)
        used += fprintf(out, "%s%s%s", perhaps ? "[=" : " ", list ? "NAME" : o->value,
                        perhaps ? "]" : "");
    explain(out, used, o->help);
    if (list) help_list(out, o->value);
}

void args_help(const arg_spec *spec, FILE *out)
{
    fprintf(out, "usage: heddle %s%s%s%s\n\n%s\n\n", spec->command, *spec->operands ? " " : "",
            spec->operands, spec->options->kind == ARG_KIND_END ? "" : " [options]", spec->about);
    for (const arg_option *o = spec->options; o->kind != ARG_KIND_END; o++) help_option(out, o);
    explain(out, fprintf(out, "  -h, --help"), "this text");
    if (spec->details != NULL) fprintf(out, "\n%s", spec->details);
}

bool args_begin(const arg_spec *spec, int argc, char **argv, void *fields, arg_result *result,
                int *exit_code)
{
    const arg_status status = args_parse(spec, argc, argv, fields, result);
    *exit_code = EXIT_DONE;
    if (status == ARG_HELP) args_help(spec, stdout);
    if (status == ARG_ERROR)
        *exit_code =
            fail(EXIT_USAGE, spec->command, "%s (heddle help %s)", result->error, spec->command);
    return status == ARG_OK;
}
