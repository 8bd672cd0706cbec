// SPDX-License-Identifier: Apache-2.0
// hd_lex: checks, and which of the ways is taken.
#include "lex.h"

#include <string.h>

static hd_status check_output(hd__lex *x, const char *what, hd_view v, hd_type type)
{
    if (v.type == HD_NONE) return HD_OK;
    if (v.type != type)
        return hd__frame_fail(&x->f, HD_ERROR_TYPE, "%s has elements of %s; expected %s", what,
                              hd_type_name(v.type), hd_type_name(type));
    if (v.ndim != 1)
        return hd__frame_fail(&x->f, HD_ERROR_SHAPE, "%s has %d dimensions; expected one", what,
                              v.ndim);
    if ((v.space == HD_DEVICE) != x->f.on_device)
        return hd__frame_fail(&x->f, HD_ERROR_ARGUMENT, "%s is not in the memory of text", what);
    if (hd_count(v) >= 0 && hd_count(v) < x->room) x->room = hd_count(v);
    return hd__frame_check_out(&x->f, what, v);
}

static hd_status check_number(hd__lex *x, const char *what, const hd_view *v)
{
    if (v == NULL || v->type == HD_NONE) return HD_OK;
    if (v->type != HD_I64 || hd_count(*v) != 1 || v->space != HD_HOST)
        return hd__frame_fail(&x->f, HD_ERROR_ARGUMENT, "%s: expected one i64 of the host", what);
    return hd__frame_check_out(&x->f, what, *v);
}

static hd_status check_apart(hd__lex *x, hd_view count, const hd_view *error)
{
    static const char *const names[] = {"text", "kinds", "begins", "lengths", "count", "error"};
    const hd_view view[] = {x->text,    x->kinds, x->begins,
                            x->lengths, count,    error != NULL ? *error : HD_EMPTY};
    hd_status status = HD_OK;
    for (int k = 1; k < 6; k++)
        for (int j = 0; status == HD_OK && j < k; j++)
            status = hd__frame_check_apart(&x->f, names[k], view[k], names[j], view[j]);
    return status;
}

static hd_status check(hd__lex *x, hd_view count, const hd_lex_options *o)
{
    if (x->lexer == NULL) return hd__frame_fail(&x->f, HD_ERROR_ARGUMENT, "lexer is NULL");
    if (x->text.type != HD_U8 || x->text.ndim != 1)
        return hd__frame_fail(&x->f, HD_ERROR_TYPE,
                              "text has %d dimensions of %s; expected one "
                              "of u8",
                              x->text.ndim, hd_type_name(x->text.type));
    if (o->method < HD_LEX_AUTO || o->method > HD_LEX_BLOCKS)
        return hd__frame_fail(&x->f, HD_ERROR_ARGUMENT, "method is %d; expected 0, 1 or 2",
                              o->method);
    if (count.type == HD_NONE)
        return hd__frame_fail(&x->f, HD_ERROR_ARGUMENT, "count is empty; expected one i64");
    x->room = INT64_MAX;
    hd_status status = hd__frame_check(&x->f, "text", x->text);
    if (status == HD_OK) status = check_output(x, "kinds", x->kinds, HD_I32);
    if (status == HD_OK) status = check_output(x, "begins", x->begins, HD_I64);
    if (status == HD_OK) status = check_output(x, "lengths", x->lengths, HD_I64);
    if (status == HD_OK) status = check_number(x, "count", &count);
    if (status == HD_OK) status = check_number(x, "error", o->error);
    return status == HD_OK ? check_apart(x, count, o->error) : status;
}

// Whether the cores alone do what the call's patterns would.
static bool cores_work(const hd__lex *x)
{
    const hd_backend last = hd_last_backend(x->f.ctx); // that of the checks
    return x->f.on_device == false && (last == HD_CPU || last == HD_SERIAL);
}

// Whether a device is where the context computes, though the text is the host's.
static bool device_works(const hd__lex *x)
{
    const hd_backend last = hd_last_backend(x->f.ctx);
    return last == HD_CUDA || last == HD_MODEL;
}

static hd_status lex(hd__lex *x, int32_t method)
{
    hd_view row;
    if (method == HD_LEX_BLOCKS && x->f.on_device)
        return hd__frame_fail(&x->f, HD_ERROR_ARGUMENT,
                              "blocks are for text of the host; this one is a device's");
    if (method == HD_LEX_AUTO) method = cores_work(x) ? HD_LEX_BLOCKS : HD_LEX_SCAN;
    if (method == HD_LEX_SCAN && device_works(x)) x->f.on_device = true; // no row is there yet
    hd_status status = hd__frame_dense(&x->f, x->text, HD_U8, &row);
    if (status != HD_OK) return status;
    x->text = row, x->n = hd_count(row);
    if (x->n == 0) return HD_OK;
    if (method == HD_LEX_BLOCKS) return hd__lex_blocks(x);
    return x->f.on_device ? hd__lex_device(x) : hd__lex_scan(x);
}

static hd_status tell(hd__lex *x, hd_view count, const hd_view *error)
{
    memcpy(count.data, &x->found, sizeof x->found); // the host's, as is the other one
    if (error != NULL && error->type != HD_NONE) memcpy(error->data, &x->error, sizeof x->error);
    if (x->error >= 0 && x->error_kind == 0) {
        unsigned char byte = 0;
        const hd_status status = hd__frame_read(&x->f, x->text, x->error, &byte);
        if (status != HD_OK) return status;
        const bool is_graphic = byte > ' ' && byte < 127;
        return hd__frame_fail(&x->f, HD_ERROR_VALUE,
                              "no rule matches at byte %lld of the text, which is 0x%02x%s%c%s",
                              (long long)x->error, byte, is_graphic ? " ('" : "",
                              is_graphic ? byte : '\0', is_graphic ? "')" : "");
    }
    if (x->found <= x->room) return HD_OK;
    return hd__frame_fail(&x->f, HD_ERROR_SHAPE,
                          "there are %lld tokens; an output has room for %lld", (long long)x->found,
                          (long long)x->room);
}

hd_status hd_lex(hd_context *ctx, const hd_lexer *lexer, hd_view text, hd_view kinds,
                 hd_view begins, hd_view lengths, hd_view count, const hd_lex_options *options)
{
    hd__lex x = {.lexer = lexer,
                 .text = text,
                 .kinds = kinds,
                 .begins = begins,
                 .lengths = lengths,
                 .error = -1};
    hd_lex_options o = {0};
    hd_status status = hd__frame_open(&x.f, ctx, "hd_lex", text);
    if (status == HD_OK) status = hd__frame_options(&x.f, options, sizeof o, &o);
    x.error_kind = o.error_kind;
    if (status == HD_OK) status = check(&x, count, &o);
    if (status == HD_OK) status = lex(&x, o.method);
    if (status == HD_OK) status = tell(&x, count, o.error);
    return hd__frame_close(&x.f, status);
}
