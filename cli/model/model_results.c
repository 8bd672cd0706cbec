// SPDX-License-Identifier: Apache-2.0
//
// heddle model: buffers on their way out (--out) and against what was expected of them (--compare).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "program.h"
#include "io/array.h"
#include "io/numbers/convert.h"
#include "model.h"
#include "cli/args/options.h"
#include "cli/support/print.h"
#include "cli/run/result.h"

static const char name[] = "model";

// NAME=REST of an option; the length of NAME, or 0 with an error printed.
static size_t split(const char *option, const char *text, const char *what)
{
    const size_t n = strcspn(text, "=");
    if (n > 0 && text[n] == '=' && text[n + 1] != '\0') return n;
    fail(EXIT_USAGE, name, "--%s: expected NAME=%s, got '%s'", option, what, text);
    return 0;
}

// ---- --out --------------------------------------------------------------------------------------

int model_check_outputs(model_run *r)
{
    const arg_texts *out = &r->args->out;
    for (int k = 0; k < out->count; k++) {
        int code;
        const size_t n = split("out", out->at[k], "FILE");
        if (n == 0) return EXIT_USAGE;
        if (model_buffer_named(&r->arguments, "out", out->at[k], n, &code) == NULL) return code;
        if (r->args->json && strcmp(out->at[k] + n + 1, "-") == 0)
            return fail(EXIT_USAGE, name, "--json: standard output already has the array of --out");
    }
    return EXIT_DONE;
}

static int write_output(model_run *r, const char *text)
{
    int code;
    void *bytes;
    const size_t n = strcspn(text, "=");
    const model_argument *a = model_buffer_named(&r->arguments, "out", text, n, &code);
    if (a == NULL) return code;
    EXIT_TRY(model_buffer_get(r->model, a, &bytes));
    const bool single = a->ndim == 0; // of a file without dimensions
    const hd_view view =
        hd_view_nd(a->type, bytes, single ? 1 : a->ndim, single ? &a->count : a->shape, NULL);
    code = result_write(name, text + n + 1, view, single);
    free(bytes);
    return code;
}

int model_write_outputs(model_run *r)
{
    for (int k = 0; k < r->args->out.count; k++) EXIT_TRY(write_output(r, r->args->out.at[k]));
    return EXIT_DONE;
}

// ---- --compare ----------------------------------------------------------------------------------

// Without a name: the one buffer that the kernel may write, or that --out names. NULL: there are
// several.
static const model_argument *only_result(model_run *r)
{
    const model_argument *found = NULL;
    const arg_texts *out = &r->args->out;
    int code;
    if (out->count == 1)
        return model_buffer_named(&r->arguments, "out", out->at[0], strcspn(out->at[0], "="),
                                  &code);
    for (int32_t k = 0; k < r->signature.count; k++) {
        const model_argument *a = &r->arguments.at[k];
        if (!model_is_buffer(a) || strstr(r->signature.at[k].declared, "const ") != NULL) continue;
        if (found != NULL && model_owner(&r->arguments, a) != found) return NULL;
        found = model_owner(&r->arguments, a);
    }
    return found;
}

static int wrong_count(const char *text, int64_t expected, int64_t got)
{
    return fail(EXIT_USAGE, name,
                "--compare %s: the buffer has %lld elements, the expectation %lld", text,
                (long long)expected, (long long)got);
}

static int expect_file(model_expectation *e, const char *file)
{
    io_array array;
    io_error error;
    const model_argument *a = e->buffer;
    if (io_array_load(&array, file, NULL, &error) != IO_OK) return io_failed(name, &error);
    const int64_t n = hd_count(array.view);
    io_conversion rule = {.name = file, .from = array.view.type, .to = a->type};
    void *raw = malloc((size_t)n * hd_type_size(rule.from) + 8);
    int code = n == a->count ? EXIT_DONE : wrong_count(e->text, a->count, n);
    if (code == EXIT_DONE && raw == NULL) code = fail(EXIT_IO, name, "%s: no memory", file);
    if (code == EXIT_DONE && n > 0) {
        hd__gather(&array.view, 0, n, raw);
        if (io_convert(&rule, raw, e->elements, n, &error) != IO_OK) code = io_failed(name, &error);
    }
    free(raw);
    io_array_release(&array);
    return code;
}

static int expect_value(model_expectation *e, const char *text)
{
    model_value v;
    char error[MODEL_VALUE_ERROR];
    const model_argument *a = e->buffer;
    const char *file = *text == '@' ? text + 1 : text;
    // A word that is no value is the name of a file.
    const bool value =
        model_value_read(text, &v, error) &&
        (v.fill == MODEL_NUMBER || (model_value_is_buffer(&v) && v.fill != MODEL_FILE));
    if (!value) return expect_file(e, file);
    if (v.type != HD_NONE && v.type != a->type)
        return fail(EXIT_USAGE, name, "--compare %s: the buffer is of type %s", e->text,
                    hd_type_name(a->type));
    if (v.count != a->count) return wrong_count(e->text, a->count, v.count);
    if (v.fill == MODEL_EMPTY)
        return fail(EXIT_USAGE, name, "--compare %s: expected something to compare with", e->text);
    if (model_value_make(&v, a->type, e->elements, error)) return EXIT_DONE;
    return fail(EXIT_USAGE, name, "--compare %s: %s", e->text, error);
}

int model_expectations_read(model_run *r, model_expectations *e)
{
    const arg_texts *texts = &r->args->compare;
    for (int k = 0; k < texts->count; k++) {
        int code;
        model_expectation *to = &e->at[e->count];
        const bool named = strchr(texts->at[k], '=') != NULL;
        to->text = texts->at[k];
        to->buffer = named ? NULL : only_result(r);
        const size_t n = to->buffer != NULL ? 0 : split("compare", texts->at[k], "EXPECTED.npy");
        if (to->buffer == NULL && n == 0) return EXIT_USAGE;
        if (n > 0) to->buffer = model_buffer_named(&r->arguments, "compare", to->text, n, &code);
        if (to->buffer == NULL) return code;
        to->elements = malloc((size_t)to->buffer->bytes + 8);
        if (to->elements == NULL) return fail(EXIT_IO, name, "--compare %s: no memory", to->text);
        e->count++;
        EXIT_TRY(expect_value(to, n > 0 ? to->text + n + 1 : to->text));
    }
    return EXIT_DONE;
}

void model_expectations_close(model_expectations *e)
{
    for (int k = 0; k < e->count; k++) free(e->at[k].elements);
    e->count = 0;
}

static double as_real(hd_type type, const void *element)
{
    double real = 0;
    io_error error;
    io_conversion rule = {.name = "", .from = type, .to = HD_F64};
    io_convert(&rule, element, &real, 1, &error);
    return real;
}

// The same bits, the same value (0 and -0, nan and nan), or near: the difference is at most
// tolerance times the expected magnitude, or times 1 where that is smaller.
static bool is_equal(hd_type type, const void *got, const void *expected, double tolerance)
{
    if (memcmp(got, expected, hd_type_size(type)) == 0) return true;
    const bool whole = type != HD_F16 && type != HD_BF16 && type != HD_F32 && type != HD_F64;
    if (whole && tolerance == 0) return false;
    const double a = as_real(type, got), b = as_real(type, expected);
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
    return a == b || fabs(a - b) <= tolerance * fmax(1, fabs(b));
}

int64_t model_differs(hd_type type, const void *a, const void *b, int64_t n, double tolerance,
                      int64_t *first)
{
    const size_t size = hd_type_size(type);
    int64_t count = 0;
    *first = -1;
    if (memcmp(a, b, (size_t)n * size) == 0) return 0;
    for (int64_t k = 0; k < n; k++) {
        const size_t at = (size_t)k * size;
        if (is_equal(type, (const char *)a + at, (const char *)b + at, tolerance)) continue;
        if (count++ == 0) *first = k;
    }
    return count;
}

int model_compare(model_run *r, hd_model *model, const model_expectations *e, model_differences *d)
{
    char buffer[PRINT_ROOM];
    *d = (model_differences){.count = 0};
    for (int k = 0; k < e->count; k++) {
        const model_argument *a = e->at[k].buffer;
        model_difference *to = &d->at[d->count++];
        void *got;
        EXIT_TRY(model_buffer_get(model, a, &got));
        const char *named = strchr(e->at[k].text, '=');
        *to =
            (model_difference){.buffer = a, .expected = named != NULL ? named + 1 : e->at[k].text};
        model_argument_name(&r->arguments, a, to->name, sizeof to->name);
        to->count =
            model_differs(a->type, got, e->at[k].elements, a->count, r->tolerance, &to->first);
        if (to->count > 0) {
            const size_t at = (size_t)to->first * hd_type_size(a->type);
            snprintf(to->want, sizeof to->want, "%s",
                     print_value(a->type, (const char *)e->at[k].elements + at, buffer));
            snprintf(to->have, sizeof to->have, "%s",
                     print_value(a->type, (const char *)got + at, buffer));
            d->any = true;
        }
        free(got);
    }
    return EXIT_DONE;
}
