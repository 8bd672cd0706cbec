// SPDX-License-Identifier: Apache-2.0
//
// Results as text, JSON and files.
#include "result.h"

#include "cli/support/exit.h"
#include "io/writer.h"
#include "cli/support/print.h"
#include "cli/args/options.h"

int result_too_long(const char *command, int64_t elements)
{
    return fail(EXIT_USAGE, command, "the result has %lld elements, more than %d: give -o FILE",
                (long long)elements, RESULT_MAX_PRINTED);
}

static const void *element(const hd_view *v, int64_t k)
{
    return (const char *)v->data + (size_t)k * hd_type_size(v->type);
}

static bool is_set(const hd_view *v)
{
    return v->type != HD_NONE;
}

static void put(FILE *out, const hd_view *v, int64_t k, bool hex)
{
    char buffer[PRINT_ROOM];
    fputs((hex ? print_bits : print_value)(v->type, element(v, k), buffer), out);
}

// A line with what belongs together: key, element, value.
static void print_records(FILE *out, const result *r, bool hex)
{
    const int64_t n = hd_count(r->out);
    for (int64_t k = 0; k < n; k++) {
        if (is_set(&r->keys)) put(out, &r->keys, k, false), fputc(' ', out);
        // An index stays decimal: it is the value whose bits are asked for.
        put(out, &r->out, k, hex && (r->second != NULL || !is_set(&r->values)));
        const bool nothing = r->places && *(const int64_t *)element(&r->out, k) < 0;
        if (is_set(&r->values) && !nothing) fputc(' ', out), put(out, &r->values, k, hex);
        fputc('\n', out);
    }
}

static void print_rows(FILE *out, const hd_view *v, bool hex)
{
    const int64_t n = hd_count(*v), columns = v->shape[v->ndim - 1];
    const int64_t rows = v->shape[v->ndim - 2];
    for (int64_t k = 0; k < n; k++) {
        put(out, v, k, hex);
        const bool row_ends = (k + 1) % columns == 0;
        fputc(row_ends ? '\n' : ' ', out);
        if (row_ends && (k + 1) / columns % rows == 0 && k + 1 < n) fputc('\n', out);
    }
}

void result_print(FILE *out, const result *r, bool hex)
{
    if (r->out.ndim == 1 || is_set(&r->values))
        print_records(out, r, hex);
    else
        print_rows(out, &r->out, hex);
}

static void json_view(json *j, const char *key, const hd_view *v, bool single, bool hex)
{
    char buffer[PRINT_ROOM];
    const int64_t n = hd_count(*v);
    if (!single) json_array(j, key);
    for (int64_t k = 0; k < n; k++) {
        if (hex)
            json_text(j, single ? key : NULL, print_bits(v->type, element(v, k), buffer));
        else
            json_number(j, single ? key : NULL, print_value(v->type, element(v, k), buffer));
    }
    if (!single) json_close(j);
}

void result_json(json *j, const result *r, bool hex)
{
    const bool arg = is_set(&r->values) && r->second == NULL, one = r->single;
    const hd_view *main_view = arg ? &r->values : &r->out;
    json_text(j, "type", hd_type_name(r->out.type));
    json_array(j, "shape");
    for (int32_t k = 0; k < r->out.ndim && !one; k++) json_int(j, NULL, r->out.shape[k]);
    json_close(j);
    if (is_set(&r->keys)) json_view(j, "keys", &r->keys, false, false);
    if (arg) json_view(j, one ? "index" : "indices", &r->out, one, false);
    json_view(j, one ? "value" : "values", main_view, one, false);
    if (hex) json_view(j, "bits", main_view, one, true);
    if (r->second != NULL) json_view(j, r->second, &r->values, one, hex);
}

int result_write(const char *command, const char *name, hd_view view, bool single)
{
    io_writer writer;
    io_error error;
    io_status status =
        io_writer_open(&writer, name, view.type, single ? 0 : view.ndim, view.shape, &error);
    if (status != IO_OK) return io_failed(command, &error);
    status = io_writer_put(&writer, view.data, hd_count(view), &error);
    if (status == IO_OK) status = io_writer_commit(&writer, &error);
    io_writer_abandon(&writer);
    return status == IO_OK ? EXIT_DONE : io_failed(command, &error);
}
