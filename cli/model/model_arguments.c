// SPDX-License-Identifier: Apache-2.0
//
// heddle model: --arg options against the kernel's parameters, by name or by order, and the bytes
// they stand for.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "program.h"
#include "io/array.h"
#include "model.h"
#include "cli/args/options.h"

static const char name[] = "model";

// ---- What the kernel takes, said with every error -----------------------------------------------

static void list_parameters(const model_signature *s, char *text, size_t room)
{
    size_t used = 0;
    text[0] = '\0';
    for (int32_t k = 0; k < s->count && used < room; k++) {
        char one[200];
        model_parameter_text(&s->at[k], one, sizeof one);
        const int n = snprintf(text + used, room - used, "%s%s", k > 0 ? ", " : "", one);
        used += n > 0 ? (size_t)n : 0;
    }
}

__attribute__((format(printf, 2, 3))) static int refuse(const model_signature *s,
                                                        const char *format, ...)
{
    char text[512], list[1500];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    list_parameters(s, list, sizeof list);
    return fail(EXIT_USAGE, name, "%s; the parameters are %s(%s)", text, s->kernel, list);
}

const char *model_argument_name(const model_arguments *a, const model_argument *of, char *text,
                                size_t room)
{
    if (of->parameter->name[0] != '\0')
        snprintf(text, room, "%s", of->parameter->name);
    else
        snprintf(text, room, "argument %d", (int)(of - a->at));
    return text;
}

// ---- Which parameter ----------------------------------------------------------------------------

static int32_t parameter_named(const model_signature *s, const char *text, size_t length)
{
    for (int32_t k = 0; k < s->count; k++)
        if (strlen(s->at[k].name) == length && memcmp(s->at[k].name, text, length) == 0) return k;
    return -1;
}

static int choose(model_arguments *a, const model_value *v, const char *text, int32_t *k)
{
    const model_signature *s = a->signature;
    if (v->name[0] != '\0') {
        *k = parameter_named(s, v->name, strlen(v->name));
        if (*k < 0) return refuse(s, "--arg %s: no parameter is called '%s'", text, v->name);
        if (a->at[*k].given) return refuse(s, "--arg %s: %s was given before", text, v->name);
        return EXIT_DONE;
    }
    for (*k = 0; *k < s->count && a->at[*k].given;) ++*k;
    if (*k == s->count) return refuse(s, "--arg %s: one more than the kernel takes", text);
    return EXIT_DONE;
}

static int check_all(const model_arguments *a)
{
    const model_signature *s = a->signature;
    char one[200];
    for (int32_t k = 0; k < s->count; k++)
        if (!a->at[k].given)
            return refuse(s, "--arg: nothing was given for parameter %d, %s", (int)k,
                          model_parameter_text(&s->at[k], one, sizeof one));
    return EXIT_DONE;
}

// ---- What it holds ------------------------------------------------------------------------------

static bool is_float(hd_type type)
{
    return type == HD_F16 || type == HD_BF16 || type == HD_F32 || type == HD_F64;
}

// The type of an argument's elements: its own, else the declared one. Where both are known they
// must be alike: the kernel would read other numbers than were meant.
static int choose_type(const model_arguments *a, model_argument *to, const char *text)
{
    const hd_type declared = to->parameter->type;
    if (to->type == HD_NONE) to->type = declared;
    if (to->type == HD_NONE)
        return refuse(a->signature,
                      "--arg %s: expected a type first, as in i32:%s: the text does not tell it",
                      text, to->value.name[0] ? text + strlen(to->value.name) + 1 : text);
    const bool alike = declared == HD_NONE || (is_float(declared) == is_float(to->type) &&
                                               hd_type_size(declared) == hd_type_size(to->type));
    if (alike) return EXIT_DONE;
    return refuse(a->signature, "--arg %s: the kernel takes %s there, not %s", text,
                  hd_type_name(declared), hd_type_name(to->type));
}

static int no_memory(const char *text, int64_t bytes)
{
    return fail(EXIT_IO, name, "--arg %s: no memory for %lld bytes", text, (long long)bytes);
}

static int load_file(const model_arguments *a, model_argument *to, const char *text)
{
    io_array array;
    io_error error;
    if (io_array_load(&array, to->value.text, NULL, &error) != IO_OK)
        return io_failed(name, &error);
    to->type = array.view.type, to->ndim = array.view.ndim;
    memcpy(to->shape, array.view.shape, sizeof to->shape);
    to->count = hd_count(array.view);
    to->bytes = to->count * (int64_t)hd_type_size(to->type);
    to->initial = malloc((size_t)to->bytes + 8);
    if (to->initial != NULL && to->count > 0) hd__gather(&array.view, 0, to->count, to->initial);
    io_array_release(&array);
    if (to->initial == NULL) return no_memory(text, to->bytes);
    return choose_type(a, to, text);
}

// A number, or a buffer made by a rule.
static int make(const model_arguments *a, model_argument *to, const char *text)
{
    char error[MODEL_VALUE_ERROR];
    const model_value *v = &to->value;
    EXIT_TRY(choose_type(a, to, text));
    to->count = v->count, to->ndim = v->ndim;
    memcpy(to->shape, v->shape, sizeof to->shape);
    to->bytes = v->count * (int64_t)hd_type_size(to->type);
    if (v->fill == MODEL_EMPTY) return EXIT_DONE;
    to->initial = malloc((size_t)to->bytes + 8);
    if (to->initial == NULL) return no_memory(text, to->bytes);
    if (model_value_make(v, to->type, to->initial, error)) return EXIT_DONE;
    return refuse(a->signature, "--arg %s: %s", text, error);
}

static int make_bytes(model_argument *to, const char *text)
{
    to->bytes = model_value_bytes(&to->value, NULL);
    to->initial = malloc((size_t)to->bytes);
    if (to->initial == NULL) return no_memory(text, to->bytes);
    model_value_bytes(&to->value, to->initial);
    return EXIT_DONE;
}

static int make_null(model_argument *to)
{
    to->bytes = 8;
    to->initial = calloc(1, 8);
    return to->initial != NULL ? EXIT_DONE : no_memory("null", 8);
}

static int fill(const model_arguments *a, model_argument *to, const char *text)
{
    switch (to->value.fill) {
    case MODEL_FILE: return load_file(a, to, text);
    case MODEL_BYTES: return make_bytes(to, text);
    case MODEL_NULL: return make_null(to);
    case MODEL_SAME: return EXIT_DONE;
    default: return make(a, to, text);
    }
}

bool model_is_buffer(const model_argument *a)
{
    return a->given && (model_value_is_buffer(&a->value) || a->value.fill == MODEL_SAME);
}

// A buffer wants a pointer, anything else as many bytes as the parameter has.
static int check(const model_arguments *a, const model_argument *to, const char *text)
{
    char one[200];
    const model_parameter *p = to->parameter;
    const model_signature *s = a->signature;
    const bool pointer = model_is_buffer(to) || to->value.fill == MODEL_NULL;
    model_parameter_text(p, one, sizeof one);
    if (pointer && (p->pointer == MODEL_IS_VALUE || p->bytes != 8))
        return refuse(s, "--arg %s: %s is no pointer: expected a value of %lld bytes", text, one,
                      (long long)p->bytes);
    if (!pointer && p->pointer == MODEL_IS_POINTER)
        return refuse(s, "--arg %s: %s is a pointer: expected a buffer, as in %s:zeros:256", text,
                      one, p->type != HD_NONE ? hd_type_name(p->type) : "i32");
    if (!pointer && to->bytes != p->bytes)
        return refuse(s, "--arg %s: %s has %lld bytes, got %lld", text, one, (long long)p->bytes,
                      (long long)to->bytes);
    return EXIT_DONE;
}

// same:NAME, when all are known.
static int join(model_arguments *a, model_argument *to)
{
    const model_value *v = &to->value;
    const int32_t k = parameter_named(a->signature, v->text, v->length);
    const bool good = k >= 0 && model_is_buffer(&a->at[k]) && a->at[k].value.fill != MODEL_SAME;
    if (!good)
        return refuse(a->signature, "same:%.*s: expected the name of a parameter with a buffer",
                      (int)v->length, v->text);
    const model_argument *other = &a->at[k];
    to->same = k;
    to->type = other->type, to->ndim = other->ndim, to->count = other->count;
    to->bytes = other->bytes;
    memcpy(to->shape, other->shape, sizeof to->shape);
    return EXIT_DONE;
}

static int read_one(model_arguments *a, const char *text)
{
    char error[MODEL_VALUE_ERROR];
    model_value v;
    int32_t k;
    if (!model_value_parse(text, &v, error))
        return refuse(a->signature, "--arg %s: %s", text, error);
    EXIT_TRY(choose(a, &v, text, &k));
    model_argument *to = &a->at[k];
    to->value = v, to->given = true, to->type = v.type;
    EXIT_TRY(fill(a, to, text));
    return check(a, to, text);
}

int model_arguments_read(model_arguments *a, const model_signature *s, const arg_texts *texts)
{
    *a = (model_arguments){.signature = s};
    for (int32_t k = 0; k < s->count; k++)
        a->at[k] = (model_argument){.parameter = &s->at[k], .same = -1};
    // Named ones first: what has no name takes the places that are left.
    for (int named = 1; named >= 0; named--)
        for (int k = 0; k < texts->count; k++) {
            char error[MODEL_VALUE_ERROR];
            model_value v;
            const bool has = model_value_parse(texts->at[k], &v, error) && v.name[0] != '\0';
            if (has == (named == 1)) EXIT_TRY(read_one(a, texts->at[k]));
        }
    EXIT_TRY(check_all(a));
    for (int32_t k = 0; k < s->count; k++)
        if (a->at[k].value.fill == MODEL_SAME) EXIT_TRY(join(a, &a->at[k]));
    return EXIT_DONE;
}

void model_arguments_close(model_arguments *a)
{
    for (int32_t k = 0; a->signature != NULL && k < a->signature->count; k++)
        free(a->at[k].initial);
    a->signature = NULL;
}

// ---- In a machine -------------------------------------------------------------------------------

const model_argument *model_owner(const model_arguments *a, const model_argument *of)
{
    return of->same >= 0 ? &a->at[of->same] : of;
}

const model_argument *model_buffer_named(const model_arguments *a, const char *option,
                                         const char *text, size_t length, int *code)
{
    const int32_t k = parameter_named(a->signature, text, length);
    *code = EXIT_DONE;
    if (k >= 0 && model_is_buffer(&a->at[k])) return model_owner(a, &a->at[k]);
    *code = refuse(a->signature, "--%s %.*s: expected the name of a parameter with a buffer",
                   option, (int)length, text);
    return NULL;
}

int model_buffer_get(hd_model *model, const model_argument *a, void **bytes)
{
    *bytes = malloc((size_t)a->bytes + 8);
    if (*bytes == NULL)
        return fail(EXIT_IO, name, "no memory for %lld bytes of a result", (long long)a->bytes);
    const hd_status status = hd_model_read(model, a->address, *bytes, a->bytes);
    if (status == HD_OK) return EXIT_DONE;
    free(*bytes);
    *bytes = NULL;
    return model_failed(model, status);
}

static hd_status place(hd_model *model, model_argument *a)
{
    hd_status status = hd_model_alloc(model, a->bytes, &a->address);
    if (status == HD_OK && a->parameter->name[0] != '\0')
        status = hd_model_name(model, a->address, a->parameter->name);
    if (status != HD_OK || a->initial == NULL || a->bytes == 0) return status;
    return hd_model_write(model, a->address, a->initial, a->bytes);
}

int model_launch(model_run *r, hd_model *model, const hd_model_module *module, hd_status *status,
                 const hd_model_report **report)
{
    const void *pointers[MODEL_MAX_PARAMETERS + 1] = {NULL};
    model_arguments *a = &r->arguments;
    const int32_t count = a->signature->count;
    for (int32_t k = 0; k < count; k++) {
        model_argument *to = &a->at[k];
        if (model_value_is_buffer(&to->value)) {
            const hd_status placed = place(model, to);
            if (placed != HD_OK) return model_failed(model, placed);
        }
    }
    for (int32_t k = 0; k < count; k++) {
        const model_argument *of = model_owner(a, &a->at[k]);
        pointers[k] = model_is_buffer(of) ? (const void *)&of->address : of->initial;
    }
    EXIT_TRY(model_variables_place(&r->variables, model, module));
    *report = NULL;
    *status = hd_model_launch(model, module, r->kernel, r->shape, pointers, count, report);
    const bool ran = *status == HD_OK || *status == HD_ERROR_DEVICE;
    return ran ? EXIT_DONE : model_failed(model, *status);
}
