// SPDX-License-Identifier: Apache-2.0
// hd_evaluate: tokens, their depth by a scan, their order by a sort.
#include "expression.h"

#include "../support/team.h"

#include <heddle/algorithms/expression.h>
#include <heddle/algorithms/lex.h>

#include <stdio.h>

static const hd_lex_rule rules[] = {
    {"number", "([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+\\-]?[0-9]+)?", false},
    {"+", "\\+", false},
    {"-", "-", false},
    {"*", "\\*", false},
    {"/", "/", false},
    {"(", "\\(", false},
    {")", "\\)", false},
    {"blank", "[ \\t\\r\\n]+", true},
    {NULL, NULL, false},
};

hd_status hd__expression_fail(hd__expression *x, int64_t at, const char *what)
{
    x->error = at;
    return hd__frame_fail(&x->f, HD_ERROR_VALUE, "byte %lld of the text: %s", (long long)at, what);
}

// ---- Tokens ---------------------------------------------------------------------------------

static hd_status cut(hd__expression *x, const hd_lexer *lexer, hd_view *kind)
{
    hd_context *ctx = x->f.ctx;
    int64_t error = -1;
    const hd_lex_options how = {.error_kind = -1, .error = HD_REF(HD_VIEW(&error, 1))};
    hd_status status =
        hd_lex(ctx, lexer, x->text, HD_EMPTY, HD_EMPTY, HD_EMPTY, HD_VIEW(&x->tokens, 1), &how);
    if (status == HD_OK && error >= 0)
        return hd__expression_fail(x, error, "expected a number, + - * / ( or )");
    if (status == HD_OK) status = hd__frame_row(&x->f, HD_I32, x->tokens, kind);
    if (status == HD_OK) status = hd__frame_row(&x->f, HD_I64, x->tokens, &x->begin);
    if (status == HD_OK) status = hd__frame_row(&x->f, HD_I64, x->tokens, &x->length);
    if (status != HD_OK) return status;
    return hd_lex(ctx, lexer, x->text, *kind, x->begin, x->length, HD_VIEW(&x->tokens, 1), NULL);
}

// Kinds, and behind the last one that of a text's end.
static hd_status find_tokens(hd__expression *x, hd_view *kind)
{
    hd_lexer *lexer;
    hd_status status = hd_lexer_open(x->f.ctx, rules, &lexer, NULL);
    if (status != HD_OK) return status;
    status = cut(x, lexer, kind);
    hd_lexer_close(x->f.ctx, lexer); // keeps the text of an error
    return status;
}

// ---- Rules of the grammar -------------------------------------------------------------------

HD_SOURCE(
    grammar_source,
    // Whether an operand ends with a token: a number or a parenthesis that closes.
    static inline int ends_operand(int kind) { return kind == 0 || kind == 6; })
HD_FUNCTION(meant, int32_t, grammar_source, (int32_t, kind, int32_t, before),
            { return kind == 2 && !ends_operand(before) ? 8 : kind; })
// Numbers, "(" and negation begin an operand, so none may end before them; else one must.
HD_FUNCTION(is_wrong, bool, grammar_source, (int32_t, kind, int32_t, before), {
    const bool begins = kind == 0 || kind == 5 || kind == 8;
    return begins == (ends_operand(before) != 0);
})
HD_FUNCTION(step_of, int32_t, HD_NO_SOURCE, (int32_t, kind), {
    return kind == 5 ? 1 : kind == 6 ? -1 : 0;
})
HD_FUNCTION(is_negative, bool, HD_NO_SOURCE, (int32_t, depth), { return depth < 0; })
HD_FUNCTION(opens_first, bool, HD_NO_SOURCE, (int32_t, kind, int32_t, depth),
            { return kind == 5 && depth == 1; })
HD_FUNCTION(is_open, int64_t, HD_NO_SOURCE, (int32_t, kind), { return kind == 5; })
HD_FUNCTION(is_close, int64_t, HD_NO_SOURCE, (int32_t, kind), { return kind == 6; })

// The first (or last) token for which a function holds fails the call.
static hd_status fail_where(hd__expression *x, hd_view in, const hd_function *holds, hd_views with,
                            bool last, const char *what)
{
    int64_t token = -1, at = 0;
    hd_status status = hd_find(x->f.ctx, in, HD_VIEW(&token, 1),
                               &(hd_find_options){.map = holds, .with = with, .last = last});
    if (status == HD_OK) status = hd_sync(x->f.ctx);
    if (status != HD_OK || token < 0) return status;
    status = hd__frame_read(&x->f, x->begin, token, &at);
    return status == HD_OK ? hd__expression_fail(x, at, what) : status;
}

// kind becomes what tokens mean, before what stands before each.
static hd_status check_grammar(hd__expression *x, hd_view kind, hd_view before)
{
    hd_context *ctx = x->f.ctx;
    const int64_t n = x->tokens;
    const int32_t none = EXPRESSION_PLUS; // stands before the first token: no operand ends there
    int32_t last = 0;
    hd_status status = hd_map(ctx, hd_constant(none, 1), NULL, hd__frame_part(before, 0, 1), NULL);
    if (status == HD_OK)
        status = hd_map(ctx, hd__frame_part(kind, 0, n - 1), NULL, hd__frame_part(before, 1, n - 1),
                        NULL);
    if (status == HD_OK)
        status = hd_map(ctx, kind, meant, kind, &(hd_map_options){.with = HD_VIEWS(before)});
    if (status == HD_OK)
        status =
            fail_where(x, kind, is_wrong, HD_VIEWS(before), false,
                       "expected an operand before + * / and ), and none before a number and (");
    if (status == HD_OK) status = hd__frame_read(&x->f, kind, n - 1, &last);
    if (status == HD_OK && last != EXPRESSION_NUMBER && last != EXPRESSION_CLOSE)
        return hd__expression_fail(x, hd_count(x->text), "expected an operand, got the end");
    return status;
}

// Inside of how many parentheses each token is, with its own "(" and without its own ")".
static hd_status find_depth(hd__expression *x, hd_view kind, hd_view depth)
{
    int32_t last = 0;
    hd_status status = hd_scan(x->f.ctx, kind, HD_SUM, depth, &(hd_scan_options){.map = step_of});
    if (status == HD_OK)
        status =
            fail_where(x, depth, is_negative, HD_NO_VALUES, false, "expected no ) without its (");
    if (status == HD_OK) status = hd__frame_read(&x->f, depth, x->tokens - 1, &last);
    if (status != HD_OK || last == 0) return status;
    return fail_where(x, kind, opens_first, HD_VIEWS(depth), true, "expected ) for this (");
}

// ---- Order ----------------------------------------------------------------------------------

// The same row on the host.
static hd_status to_host(hd__expression *x, hd_view *row)
{
    hd_view host;
    if (!x->f.on_device) return HD_OK;
    x->f.on_device = false;
    hd_status status = hd__frame_row(&x->f, row->type, hd_count(*row), &host);
    x->f.on_device = true;
    if (status == HD_OK) status = hd_map(x->f.ctx, *row, NULL, host, NULL);
    if (status == HD_OK) status = hd_sync(x->f.ctx);
    if (status == HD_OK) *row = host;
    return status;
}

static hd_status sort_tokens(hd__expression *x, hd_view kind, hd_view depth)
{
    hd_context *ctx = x->f.ctx;
    const int64_t n = x->tokens;
    hd_view number, closed;
    hd_status status = hd__frame_row(&x->f, HD_I64, n, &number);
    if (status == HD_OK) status = hd__frame_row(&x->f, HD_I64, n, &x->token);
    if (status == HD_OK) status = hd__frame_row(&x->f, HD_I64, n, &x->group);
    if (status == HD_OK) status = hd__frame_row(&x->f, HD_I64, n, &x->closed);
    if (status == HD_OK) status = hd__frame_row(&x->f, HD_I64, n, &closed);
    if (status == HD_OK) status = hd__frame_row(&x->f, HD_I32, n, &x->kind);
    if (status == HD_OK) status = hd__frame_row(&x->f, HD_I32, n, &x->depth);
    if (status == HD_OK) status = hd_map(ctx, hd_iota(n), NULL, number, NULL);
    if (status == HD_OK)
        status = hd_sort(ctx, depth, x->depth, HD_VALUES(number, x->token, kind, x->kind),
                         &(hd_sort_options){.descending = true});
    if (status == HD_OK)
        status = hd_compact(ctx, x->kind, HD_EMPTY, HD_VIEW(&x->groups, 1),
                            &(hd_compact_options){.keep = is_open, .indices = &x->group});
    if (status == HD_OK) status = hd_sync(ctx);
    if (status == HD_OK)
        status = hd_scan(ctx, x->kind, HD_SUM, closed, &(hd_scan_options){.map = is_close});
    if (status == HD_OK && x->groups > 0)
        status = hd_gather(ctx, closed, hd__frame_part(x->group, 0, x->groups),
                           hd__frame_part(x->closed, 0, x->groups), NULL);
    x->group = hd__frame_part(x->group, 0, x->groups); // of what was written
    x->closed = hd__frame_part(x->closed, 0, x->groups);
    hd_view *const rows[] = {&x->kind,   &x->token, &x->depth, &x->group,
                             &x->closed, &x->begin, &x->length};
    for (int r = 0; r < 7 && status == HD_OK; r++) status = to_host(x, rows[r]);
    return status;
}

// One pass of one thread costs less than tokens, their order and their values do together with as
// many threads: 1/8 of the time of processors, measured with sums of 2^22 numbers.
enum { MOST_OF_A_PASS = 8 };

static hd_status evaluate_on_cores(hd__expression *x, bool *done)
{
    hd_view text = HD_EMPTY;
    *done = false;
    if (!hd__team_serves(x->f.ctx, x->f.on_device)) return HD_OK;
    if (hd__team_size(x->f.ctx) > MOST_OF_A_PASS) return HD_OK;
    const hd_status status = hd__frame_dense(&x->f, x->text, HD_U8, &text);
    return status == HD_OK ? hd__expression_pass(x, text.data, done) : status;
}

static hd_status evaluate(hd__expression *x)
{
    hd_view kind, before, depth, text = HD_EMPTY;
    bool done;
    const hd_status tried = evaluate_on_cores(x, &done);
    if (tried != HD_OK || done) return tried;
    hd_status status = find_tokens(x, &kind);
    if (status != HD_OK) return status;
    if (x->tokens == 0) return hd__expression_fail(x, hd_count(x->text), "expected an operand");
    status = hd__frame_row(&x->f, HD_I32, x->tokens, &before);
    if (status == HD_OK) status = hd__frame_row(&x->f, HD_I32, x->tokens, &depth);
    if (status == HD_OK) status = check_grammar(x, kind, before);
    if (status == HD_OK) status = find_depth(x, kind, depth);
    if (status == HD_OK) status = sort_tokens(x, kind, depth);
    if (status == HD_OK) status = hd__frame_dense(&x->f, x->text, HD_U8, &text);
    if (status == HD_OK) status = to_host(x, &text);
    return status == HD_OK ? hd__expression_values(x, text.data) : status;
}

// ---- The call -------------------------------------------------------------------------------

static hd_status check_number(hd__expression *x, const char *what, hd_view v)
{
    if (hd_count(v) != 1)
        return hd__frame_fail(&x->f, HD_ERROR_SHAPE, "%s has %lld elements; expected one", what,
                              (long long)hd_count(v));
    hd_status status = hd__frame_check_out(&x->f, what, v);
    return status == HD_OK ? hd__frame_check_apart(&x->f, what, v, "text", x->text) : status;
}

static hd_status check(hd__expression *x, hd_view result, const hd_view *error)
{
    if (x->text.type != HD_U8 || x->text.ndim != 1)
        return hd__frame_fail(&x->f, HD_ERROR_TYPE,
                              "text has %d dimensions of %s; expected one of u8", x->text.ndim,
                              hd_type_name(x->text.type));
    if (result.type != HD_F64 && result.type != HD_I64)
        return hd__frame_fail(&x->f, HD_ERROR_TYPE, "result is %s; expected f64 or i64",
                              hd_type_name(result.type));
    hd_status status = hd__frame_check(&x->f, "text", x->text);
    if (status == HD_OK) status = check_number(x, "result", result);
    if (status != HD_OK || error == NULL) return status;
    if (error->type != HD_I64)
        return hd__frame_fail(&x->f, HD_ERROR_ARGUMENT, "error is %s; expected i64",
                              hd_type_name(error->type));
    status = check_number(x, "error", *error);
    return status == HD_OK ? hd__frame_check_apart(&x->f, "error", *error, "result", result)
                           : status;
}

// A number of the host to where the caller wants it.
static hd_status tell(hd__expression *x, const void *value, hd_view out)
{
    return hd__frame_copy(&x->f, hd_view_of(out.type, value, 1), out);
}

hd_status hd_evaluate(hd_context *ctx, hd_view text, hd_view result,
                      const hd_evaluate_options *options)
{
    hd__expression x = {.text = text, .is_i64 = result.type == HD_I64, .error = -1};
    hd_evaluate_options o = {0};
    hd_status status = hd__frame_open(&x.f, ctx, "hd_evaluate", text);
    if (status == HD_OK) status = hd__frame_options(&x.f, options, sizeof o, &o);
    const bool tells = o.error != NULL && o.error->type != HD_NONE;
    if (status == HD_OK) status = check(&x, result, tells ? o.error : NULL);
    const bool good = status == HD_OK;
    if (status == HD_OK) status = evaluate(&x);
    if (status == HD_OK) status = tell(&x, &x.value, result);
    if (good && tells && (status == HD_OK || x.error >= 0)) {
        const hd_status found = status; // the error's text stays below
        char what[300] = "";
        if (found != HD_OK) snprintf(what, sizeof what, "%s", hd_error(ctx));
        status = tell(&x, &x.error, *o.error);
        if (status == HD_OK && found != HD_OK) status = hd_fail(ctx, found, what);
    }
    return hd__frame_close(&x.f, status);
}
