// SPDX-License-Identifier: Apache-2.0
//
// heddle lex: the tokens of a text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/support/escaped.h"
#include "lex_rules.h"

static const char name[] = "lex";

typedef struct lex_args {
    const char *language, *rules, *method, *output, *max_bytes;
    bool count, errors, json;
    context_options run;
} lex_args;

static const arg_option options[] = {
    ARG_TEXT(0, "lang", "c|csv|json", "the rules of a language", lex_args, language),
    ARG_TEXT(0, "rules", "FILE", "rules of a file: NAME EXPRESSION a line, !NAME is left out",
             lex_args, rules),
    ARG_FLAG('c', "count", "print how many tokens of each kind there are, not the tokens", lex_args,
             count),
    ARG_FLAG(0, "errors", "bytes that no rule matches are tokens called error", lex_args, errors),
    ARG_TEXT(0, "method", "auto|scan|blocks", "how: by scans alone, or blocks of the cores",
             lex_args, method),
    ARG_OUTPUT('o', "output", "FILE",
               "write rows of kind, begin and length, as i64: .npy, .csv, ...", lex_args, output),
    ARG_TEXT(0, "max-bytes", "SIZE", "memory that the text may take, as in 4G", lex_args,
             max_bytes),
    CONTEXT_OPTION_ROWS(lex_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", lex_args, json),
    ARG_END,
};

const arg_spec lex_spec = {
    name,
    "FILE",
    "cuts a text into tokens, by rules of a language or of a file",
    "Prints a line for each token: where it begins, its length in bytes, its kind, its text.\n"
    "A token is the longest match of any rule, of the first rule among equals, as flex has it.\n\n"
    "Examples:\n"
    "  printf '{\"a\": [1, true]}' | heddle lex --lang json -\n"
    "  heddle lex --lang c -c program.c\n"
    "  printf 'number [0-9]+\\n!blank [ ]+\\n' >my.rules\n"
    "  printf '12 345' | heddle lex --rules my.rules -        prints 0 2 number 12\n"
    "                                                       and 3 3 number 345\n",
    options,
    1,
    1,
};

// What a run has: the text and its tokens.
typedef struct lexed {
    hd_lexer *lexer;
    hd_view text, kinds, begins, lengths, rows; // rows: kind, begin, length of each token
    int64_t count;
} lexed;

static int32_t method_of(const lex_args *a)
{
    if (a->method == NULL || strcmp(a->method, "auto") == 0) return HD_LEX_AUTO;
    return strcmp(a->method, "scan") == 0 ? HD_LEX_SCAN : HD_LEX_BLOCKS;
}

static const char *kind_name(const lexed *l, int64_t kind)
{
    return kind < 0 ? "error" : hd_lexer_name(l->lexer, kind);
}

// The tokens are counted, then written to arrays that hold them.
static int lex(workspace *w, const lex_args *a, lexed *l)
{
    const hd_lex_options how = {.error_kind = a->errors ? -1 : 0, .method = method_of(a)};
    const hd_view count = HD_VIEW(&l->count, 1);
    hd_status status = hd_lex(w->ctx, l->lexer, l->text, HD_EMPTY, HD_EMPTY, HD_EMPTY, count, &how);
    if (status != HD_OK) return library_failed(name, w->ctx, status);
    EXIT_TRY(workspace_row(w, HD_I32, l->count, &l->kinds));
    EXIT_TRY(workspace_alloc(w, HD_I64, 2, (int64_t[]){l->count, 3}, &l->rows));
    EXIT_TRY(workspace_row(w, HD_I64, l->count, &l->begins));
    EXIT_TRY(workspace_row(w, HD_I64, l->count, &l->lengths));
    workspace_begin(w);
    EXIT_TRY(workspace_call(
        w, hd_lex(w->ctx, l->lexer, l->text, l->kinds, l->begins, l->lengths, count, &how)));
    const hd_view column[] = {l->kinds, l->begins, l->lengths};
    for (int k = 0; k < 3 && status == HD_OK; k++) {
        const int64_t step = 3;
        int64_t *first = l->count > 0 ? (int64_t *)l->rows.data + k : NULL;
        status =
            hd_map(w->ctx, column[k], NULL, hd_view_nd(HD_I64, first, 1, &l->count, &step), NULL);
    }
    return status == HD_OK ? EXIT_DONE : library_failed(name, w->ctx, status);
}

static void print_tokens(const lexed *l)
{
    const int64_t *row = l->rows.data;
    for (int64_t k = 0; k < l->count; k++, row += 3) {
        printf("%lld %lld %s ", (long long)row[1], (long long)row[2], shown(kind_name(l, row[0])));
        puts(shown_line((const char *)l->text.data + row[1], (size_t)row[2]));
    }
}

static int64_t count_of(const lexed *l, int64_t kind)
{
    const int32_t *kinds = l->kinds.data;
    int64_t n = 0;
    for (int64_t k = 0; k < l->count; k++) n += kinds[k] == kind;
    return n;
}

static void print_counts(const lexed *l)
{
    for (int64_t kind = -1; kind < hd_lexer_rules(l->lexer); kind++) {
        const int64_t n = count_of(l, kind);
        if (n > 0) printf("%lld %s\n", (long long)n, shown(kind_name(l, kind)));
    }
}

static void json_members(json *j, const void *user)
{
    const lexed *l = user;
    json_int(j, "tokens", l->count);
    json_int(j, "states", hd_lexer_states(l->lexer));
    json_array(j, "kinds");
    for (int64_t kind = 0; kind < hd_lexer_rules(l->lexer); kind++)
        json_text(j, NULL, hd_lexer_name(l->lexer, kind));
    json_close(j);
    json_object(j, "counts");
    for (int64_t kind = -1; kind < hd_lexer_rules(l->lexer); kind++) {
        const int64_t n = count_of(l, kind);
        if (n > 0) json_int(j, kind_name(l, kind), n);
    }
    json_close(j);
}

static int emit(workspace *w, const lex_args *a, const lexed *l, const char *file)
{
    const emission e = {.out = l->rows,
                        .file = a->output,
                        .input = file,
                        .json = a->json,
                        .more = json_members,
                        .user = l};
    if (a->output != NULL || a->json) return workspace_emit(w, &e);
    if (a->count) {
        print_counts(l);
        return EXIT_DONE;
    }
    if (l->count > RESULT_MAX_PRINTED) return result_too_long(name, l->count);
    print_tokens(l);
    return EXIT_DONE;
}

static int run(workspace *w, const lex_args *a, const char *file, lexed *l)
{
    static lex_rules rules;
    io_read_options read = {.type = HD_U8, .format = IO_BYTES};
    io_read_options ignored;
    EXIT_TRY(options_file(name, &(file_options){.max_bytes = a->max_bytes}, &ignored));
    EXIT_TRY(options_one_pipe(name, file, a->rules, NULL));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(lex_rules_load(w, a->language, a->rules, &rules));
    const hd_status status = hd_lexer_open(w->ctx, rules.table, &l->lexer, NULL);
    if (status != HD_OK) return library_failed(name, w->ctx, status);
    EXIT_TRY(workspace_load(w, file, &read, &l->text));
    EXIT_TRY(lex(w, a, l));
    return emit(w, a, l, file);
}

int command_lex(int argc, char **argv)
{
    lex_args args = {0};
    workspace w = {0};
    lexed l = {0};
    arg_result operands;
    int code;
    if (!args_begin(&lex_spec, argc, argv, &args, &operands, &code)) return code;
    code = run(&w, &args, operands.operand[0], &l);
    hd_lexer_close(w.ctx, l.lexer);
    workspace_close(&w);
    return code;
}
