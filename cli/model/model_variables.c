// SPDX-License-Identifier: Apache-2.0
//
// heddle model --set: values of __constant__ and __device__ variables, which host code would have
// copied there (cudaMemcpyToSymbol).
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "program.h"
#include "io/array.h"
#include "model.h"
#include "cli/args/options.h"

static const char name[] = "model";

static int no_memory(const char *text)
{
    return fail(EXIT_IO, name, "--set %s: no memory", text);
}

static int unknown(const model_run *r, const char *text, const char *wanted)
{
    char list[1024] = "";
    const char *one;
    for (int32_t k = 0; (one = hd_model_variable_name(r->module, k)) != NULL; k++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "", one);
    }
    return fail(EXIT_USAGE, name, "--set %s: no variable '%s' in %s; there %s %s", text, wanted,
                r->file, *list ? "are" : "is", *list ? list : "none");
}

// What a variable is set to: the elements of a value, a file, or bytes.
static int load_file(model_variable *v, const model_value *value)
{
    io_array array;
    io_error error;
    if (io_array_load(&array, value->text, NULL, &error) != IO_OK) return io_failed(name, &error);
    v->type = array.view.type;
    const int64_t count = hd_count(array.view);
    v->bytes = count * (int64_t)hd_type_size(v->type);
    v->data = malloc((size_t)v->bytes + 8);
    if (v->data != NULL && count > 0) hd__gather(&array.view, 0, count, v->data);
    io_array_release(&array);
    return v->data != NULL ? EXIT_DONE : no_memory(value->text);
}

static int make(model_variable *v, const model_value *value, const char *text)
{
    char error[MODEL_VALUE_ERROR];
    if (value->fill == MODEL_BYTES) {
        v->bytes = model_value_bytes(value, NULL);
        v->data = malloc((size_t)v->bytes + 8);
        if (v->data == NULL) return no_memory(text);
        model_value_bytes(value, v->data);
        return EXIT_DONE;
    }
    if (v->type == HD_NONE)
        return fail(EXIT_USAGE, name,
                    "--set %s: expected a type first, as in %s=f32:%s: the text does not tell it",
                    text, v->name, text + strlen(v->name) + 1);
    v->bytes = value->count * (int64_t)hd_type_size(v->type);
    v->data = malloc((size_t)v->bytes + 8);
    if (v->data == NULL) return no_memory(text);
    if (model_value_make(value, v->type, v->data, error)) return EXIT_DONE;
    return fail(EXIT_USAGE, name, "--set %s: %s", text, error);
}

static bool is_float(hd_type type)
{
    return type == HD_F16 || type == HD_BF16 || type == HD_F32 || type == HD_F64;
}

// The bytes must be the variable's, and the numbers of its kind.
static int check(const model_variable *v, hd_type declared, int64_t bytes, const char *text)
{
    const bool alike = declared == HD_NONE || v->type == HD_NONE ||
                       (is_float(declared) == is_float(v->type) &&
                        hd_type_size(declared) == hd_type_size(v->type));
    if (!alike)
        return fail(EXIT_USAGE, name, "--set %s: %s is of %s, not %s", text, v->name,
                    hd_type_name(declared), hd_type_name(v->type));
    if (v->bytes != bytes)
        return fail(EXIT_USAGE, name, "--set %s: %s has %lld bytes, got %lld", text, v->name,
                    (long long)bytes, (long long)v->bytes);
    return EXIT_DONE;
}

static int read_one(model_run *r, model_variable *v, const char *text)
{
    char error[MODEL_VALUE_ERROR];
    model_value value;
    model_parameter declared = {.type = HD_NONE};
    int64_t bytes;
    if (!model_value_parse(text, &value, error))
        return fail(EXIT_USAGE, name, "--set %s: %s", text, error);
    if (value.name[0] == '\0')
        return fail(EXIT_USAGE, name, "--set %s: expected NAME=VALUE, as in mask=f32:list:1,2,1",
                    text);
    if (hd_model_variable(r->model, r->module, value.name, NULL, &bytes) != HD_OK)
        return unknown(r, text, value.name);
    if (value.fill == MODEL_EMPTY || value.fill == MODEL_NULL || value.fill == MODEL_SAME)
        return fail(EXIT_USAGE, name, "--set %s: expected a value; this is none", text);
    snprintf(v->name, sizeof v->name, "%s", value.name);
    model_scan_variable(r->sources.at[0].text, v->name, &declared);
    v->type = value.type != HD_NONE ? value.type : declared.type;
    EXIT_TRY(value.fill == MODEL_FILE ? load_file(v, &value) : make(v, &value, text));
    return check(v, declared.type, bytes, text);
}

int model_variables_read(model_run *r, const arg_texts *texts)
{
    model_variables *all = &r->variables;
    for (int k = 0; k < texts->count; k++)
        EXIT_TRY(read_one(r, &all->at[all->count++], texts->at[k]));
    return EXIT_DONE;
}

void model_variables_close(model_variables *v)
{
    for (int k = 0; k < v->count; k++) free(v->at[k].data);
    v->count = 0;
}

int model_variables_place(const model_variables *v, hd_model *model, const hd_model_module *module)
{
    for (int k = 0; k < v->count; k++) {
        const model_variable *one = &v->at[k];
        uint64_t address = 0;
        hd_status status = hd_model_variable(model, module, one->name, &address, NULL);
        if (status == HD_OK) status = hd_model_write(model, address, one->data, one->bytes);
        if (status != HD_OK) return model_failed(model, status);
    }
    return EXIT_DONE;
}
