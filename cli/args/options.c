// SPDX-License-Identifier: Apache-2.0
//
// Contexts, types, shapes and initial values from a command's options.
#define _GNU_SOURCE
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "cli/support/exit.h"
#include "io/support/limit.h"
#include "cli/support/print.h"
#include "cli/support/escaped.h"

static void trace(void *user, const char *line)
{
    (void)user;
    fprintf(stderr, "heddle: %s\n", shown_lines(line));
}

static const char *backend_name(int k, const void *user)
{
    (void)user;
    return k < HD_BACKEND_COUNT ? hd_backend_name((hd_backend)k) : NULL;
}

static int find_backend(const char *command, const char *name, int32_t *backend)
{
    const int32_t k = name == NULL ? HD_AUTO : hd_backend_named(name);
    *backend = k < 0 ? HD_AUTO : k;
    if (k >= 0) return EXIT_DONE;
    const char *near = args_nearest(name, backend_name, NULL);
    return fail(EXIT_USAGE, command, "--backend: no backend is called '%s'%s%s (heddle doctor)",
                name, near ? "; the nearest is " : "", near ? near : "");
}

int options_open(const char *command, const context_options *options, hd_context **ctx)
{
    hd_context_options o = {.threads = (int32_t)options->threads.value, .isa = options->isa};
    const int code = find_backend(command, options->backend, &o.backend);
    *ctx = NULL;
    if (code != EXIT_DONE) return code;
    if (options->trace) o.trace = trace;
    if (options->dump_kernel != NULL) setenv("HEDDLE_DUMP_KERNEL", options->dump_kernel, 1);
    if (options->load_kernel != NULL) setenv("HEDDLE_LOAD_KERNEL", options->load_kernel, 1);
    const hd_status status = hd_open(ctx, &o);
    if (status == HD_OK) return EXIT_DONE;
    const int failed = library_failed(command, *ctx, status);
    hd_close(*ctx);
    *ctx = NULL;
    return failed;
}

int options_exit_code(hd_status status)
{
    switch (status) {
    case HD_OK: return EXIT_DONE;
    case HD_ERROR_BACKEND:
    case HD_ERROR_DEVICE: return EXIT_BACKEND;
    case HD_ERROR_COMPILE: return EXIT_COMPILE;
    case HD_ERROR_ARGUMENT:
    case HD_ERROR_TYPE:
    case HD_ERROR_ALIAS:
    case HD_ERROR_SHAPE: return EXIT_USAGE;
    case HD_ERROR_VALUE: return EXIT_DATA;
    case HD_ERROR_OPERATOR: return EXIT_CHECK;
    default: return EXIT_IO; // memory ran out
    }
}

int library_failed(const char *command, const hd_context *ctx, hd_status status)
{
    const char *text = ctx == NULL ? "" : hd_error(ctx);
    return fail_lines(options_exit_code(status), command, "%s",
                      *text ? text : hd_status_text(status));
}

void options_json(json *j, const hd_context *ctx, double seconds)
{
    json_text(j, "backend", hd_backend_name(hd_last_backend(ctx)));
    json_text(j, "isa", hd_isa(ctx));
    json_int(j, "threads", hd_threads(ctx));
    json_real(j, "seconds", seconds);
}

int io_failed(const char *command, const io_error *error)
{
    const bool data = error->status == IO_FORMAT || error->status == IO_LIMIT;
    return fail(error->status == IO_ARGUMENT ? EXIT_USAGE
                : data                       ? EXIT_DATA
                                             : EXIT_IO,
                command, "%s", error->text);
}

static const char *type_name(int k, const void *user)
{
    (void)user;
    return k + 1 < HD_STRUCTURE ? hd_type_name((hd_type)(k + 1)) : NULL;
}

int options_type(const char *command, const char *option, const char *name, hd_type *type)
{
    *type = hd_type_named(name);
    if (*type != HD_NONE) return EXIT_DONE;
    const char *near = args_nearest(name, type_name, NULL);
    return fail(
        EXIT_USAGE, command,
        "--%s: expected i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 or bool, got '%s'%s%s",
        option, name, near ? "; the nearest is " : "", near ? near : "");
}

// "3,4" or "3x4": one to eight lengths.
static bool parse_shape(const char *text, io_read_options *options)
{
    options->shaped = true;
    for (options->ndim = 0; options->ndim < HD_MAX_DIMS;) {
        char *end;
        const long long n = strtoll(text, &end, 10);
        if (end == text || *text < '0' || *text > '9' || n == INT64_MAX) return false;
        options->shape[options->ndim++] = n;
        if (*end == '\0') return true;
        if (*end != ',' && *end != 'x') return false;
        text = end + 1;
    }
    return false;
}

static int set_limit(const char *command, const char *option, const char *text)
{
    int64_t bytes;
    if (!io_limit_parse(text, &bytes))
        return fail(EXIT_USAGE, command,
                    "%s: expected a size such as 500M or 4G (K, M, G, T: powers of 1024), got '%s'",
                    option, text);
    io_limit_set(bytes);
    return EXIT_DONE;
}

int options_environment(void)
{
    const char *text = getenv("HEDDLE_MAX_BYTES");
    return text == NULL || *text == '\0' ? EXIT_DONE : set_limit("", "HEDDLE_MAX_BYTES", text);
}

int options_file(const char *command, const file_options *text, io_read_options *options)
{
    *options = (io_read_options){.type = HD_NONE};
    if (text->dtype != NULL) {
        const int code = options_type(command, "dtype", text->dtype, &options->type);
        if (code != EXIT_DONE) return code;
    }
    if (text->max_bytes != NULL) EXIT_TRY(set_limit(command, "--max-bytes", text->max_bytes));
    if (text->header != NULL && strcmp(text->header, "auto") != 0)
        options->header = strcmp(text->header, "yes") == 0 ? IO_HEADER_YES : IO_HEADER_NO;
    if (text->format != NULL) options->format = io_format_named(text->format);
    if (text->shape == NULL || parse_shape(text->shape, options)) return EXIT_DONE;
    return fail(EXIT_USAGE, command,
                "--shape: expected one to eight lengths as in 1000 or 20,30, got '%s'",
                text->shape);
}

static bool is_pipe(const char *file)
{
    return file != NULL && strcmp(file, "-") == 0;
}

int options_one_pipe(const char *command, const char *a, const char *b, const char *c)
{
    if (is_pipe(a) + is_pipe(b) + is_pipe(c) <= 1) return EXIT_DONE;
    return fail(EXIT_USAGE, command, "-: standard input can be read only once");
}

int options_result(const result_options *text, const hd_operator *op, hd_type element,
                   hd_type *type, void *init)
{
    *type = hd_default_output(op, element);
    if (*type == HD_NONE)
        return fail(EXIT_USAGE, text->command, "--op %s does not take elements of type %s (%s)",
                    hd_operator_name(op), hd_type_name(element), text->file);
    if (text->out_type != NULL)
        EXIT_TRY(options_type(text->command, "out-type", text->out_type, type));
    if (text->init == NULL || print_parse(*type, text->init, init)) return EXIT_DONE;
    return fail(EXIT_USAGE, text->command, "--init: expected a number of type %s, got '%s'",
                hd_type_name(*type), text->init);
}
