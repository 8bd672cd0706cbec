// SPDX-License-Identifier: Apache-2.0
//
// The frame of the model's tests.
#include "model_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void model_status(const char *file, int line, const char *text, const hd_model *model,
                  hd_status expected, hd_status got)
{
    if (got != expected)
        check_failed(file, line, text, "got %d, expected %d: %s", (int)got, (int)expected,
                     hd_model_error(model));
    if (got != HD_OK && hd_model_error(model)[0] == 0)
        check_failed(file, line, text, "a failure without words");
}

hd_model *model_open(const hd_model_options *options)
{
    hd_model *model = NULL;
    setenv("HEDDLE_PTXAS", "none", 0); // the same registers wherever the tests run
    if (hd_model_open(&model, options) == HD_OK) return model;
    fprintf(stderr, "hd_model_open: %s\n", hd_model_error(model));
    exit(1);
}

void model_kernel_path(const char *name, char *path, size_t room)
{
    static const char *const folders[] = {"arithmetic/", "execution/", "hazards/", ""};
    const char *source = getenv("SOURCE");
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
        snprintf(path, room, "%s/tests/kernels/%s%s", source != NULL ? source : ".", folders[k],
                 name);
        if (access(path, R_OK) == 0) return;
    }
}

hd_model_module *model_load(hd_model *model, const char *name)
{
    char path[4096];
    hd_model_module *module = NULL;
    model_kernel_path(name, path, sizeof path);
    if (hd_model_load(model, path, NULL, &module) == HD_OK) return module;
    fprintf(stderr, "%s: %s\n", name, hd_model_error(model));
    exit(1);
}

hd_model_module *model_load_ptx(hd_model *model, const char *text, const char *name)
{
    hd_model_module *module = NULL;
    const hd_model_load_options options = {.name = name, .ptx = true};
    if (hd_model_load_text(model, text, (int64_t)strlen(text), &options, &module) == HD_OK)
        return module;
    fprintf(stderr, "%s: %s\n", name, hd_model_error(model));
    exit(1);
}

bool model_compiles(void)
{
    return model_compiles_by(NULL);
}

bool model_compiles_by(const char *compiler)
{
    static const char kernel[] = "extern \"C\" __global__ void k() {}";
    hd_model *model = model_open(&(hd_model_options){.compiler = compiler});
    hd_model_module *module;
    const hd_status status = hd_model_load_text(model, kernel, sizeof kernel - 1, NULL, &module);
    CHECK(status == HD_OK || status == HD_ERROR_BACKEND, "%s", hd_model_error(model));
    hd_model_close(model);
    return status == HD_OK;
}

uint64_t model_new(hd_model *model, const void *data, int64_t bytes)
{
    uint64_t address = 0;
    MODEL_OK(model, hd_model_alloc(model, bytes, &address));
    if (data != NULL)
        MODEL_OK(model, hd_model_write(model, address, data, bytes));
    else
        MODEL_OK(model, hd_model_fill(model, address, 0, bytes));
    return address;
}

void model_get(hd_model *model, uint64_t address, void *data, int64_t bytes)
{
    MODEL_OK(model, hd_model_read(model, address, data, bytes));
}

const hd_model_report *model_run(hd_model *model, const hd_model_module *module, const char *kernel,
                                 int32_t blocks, int32_t threads, ...)
{
    const void *arguments[16];
    int32_t count = 0;
    const hd_model_report *report = NULL;
    va_list list;
    va_start(list, threads);
    for (const void *a; count < 16 && (a = va_arg(list, const void *)) != NULL;)
        arguments[count++] = a;
    va_end(list);
    const hd_status status = hd_model_launch(
        model, module, kernel, (hd_model_shape){{blocks}, {threads}, 0}, arguments, count, &report);
    CHECK(status == HD_OK, "%s: %s", kernel, hd_model_error(model));
    return report;
}

hd_model_counts model_line(const hd_model_report *report, const char *file, int32_t line)
{
    for (int32_t k = 0; k < report->site_count; k++) {
        const hd_model_site *s = &report->sites[k];
        if (s->line == line && s->file != NULL && strstr(s->file, file) != NULL) return s->counts;
    }
    return (hd_model_counts){0};
}

void model_says(const char *file, int line, const char *got, const char *text)
{
    if (strstr(got, text) == NULL) check_failed(file, line, text, "got \"%s\"", got);
}
