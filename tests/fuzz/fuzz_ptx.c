// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as PTX: parsed, loaded, and each kernel run for a bounded number of instructions, with
// one array as every argument. Failures must have words; nothing else may happen.
#include <heddle_model.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "words.h"

enum { MAX_PARAMETERS = 16, MAX_BYTES = 4096 };

static void run(hd_model *model, const hd_model_module *module, const char *kernel, uint64_t array)
{
    uint64_t values[MAX_BYTES / 8];
    const void *arguments[MAX_PARAMETERS];
    const int32_t count = hd_model_parameters(module, kernel);
    if (count > MAX_PARAMETERS) return;
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) values[k] = array;
    for (int32_t p = 0; p < count; p++) {
        if (hd_model_parameter_bytes(module, kernel, p) > MAX_BYTES) return;
        arguments[p] = values;
    }
    const hd_model_shape shape = {{2}, {40}, 64};
    const hd_status status = hd_model_launch(model, module, kernel, shape, arguments, count, NULL);
    if (status != HD_OK && hd_model_error(model)[0] == 0) abort(); // a failure without words
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hd_model *model;
    hd_model_module *module = NULL;
    uint64_t array;
    const hd_model_options options = {.threads = 1, .max_steps = 4000};
    const hd_model_load_options load = {.name = "fuzz.ptx", .ptx = true};
    setenv("HEDDLE_PTXAS", "none", 1); // no process for every input
    if (hd_model_open(&model, &options) != HD_OK) return 0;
    if (hd_model_alloc(model, 1024, &array) == HD_OK) {
        if (hd_model_load_text(model, (const char *)data, (int64_t)size, &load, &module) == HD_OK) {
            for (int32_t k = 0; k < 4 && hd_model_kernel(module, k) != NULL; k++)
                run(model, module, hd_model_kernel(module, k), array);
        } else if (hd_model_error(model)[0] == 0) {
            abort();
        }
    }
    hd_model_close(model);
    return 0;
}
