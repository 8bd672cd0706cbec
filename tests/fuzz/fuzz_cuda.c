// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a user's CUDA C: split, includes followed, what is the host's blanked, made ready
// for a compiler. Lines must keep their numbers; nothing else may happen.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/source/cuda_source.h"
#include "model/model.h"
#include "words.h"

static int64_t lines_of(const char *text, int64_t length)
{
    int64_t lines = 0;
    for (int64_t k = 0; k < length; k++) lines += text[k] == '\n';
    return lines;
}

// The same as the source of a module whose variables are looked for in it.
static void look_for_values(const char *text)
{
    static hd_model model;
    static ptx_variable variables[] = {{.name = "k", .space = PTX_CONST, .owner = -1},
                                       {.name = "_ZN1a1bE", .space = PTX_GLOBAL, .owner = -1}};
    const hd_model_module module = {.model = &model,
                                    .text = {.variables = variables, .variable_count = 2}};
    hd__model_mark_initialised(&module, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const instances[] = {"reduce<float, 256>", "a::b<int>", NULL};
    cuda_source s;
    if (size > 1 << 16) return 0;
    char *text = malloc(size + 1); // exact, so that a sanitizer sees every overrun
    if (text == NULL) return 0;
    memcpy(text, data, size);
    text[size] = 0;
    const cuda_wishes wishes = {.instances = size % 2 == 0 ? instances : NULL};
    if (hd__model_cuda_source_open(&s, text, (int64_t)size, "fuzz.cu", &wishes)) {
        bool *without = calloc((size_t)s.instance_count + 1, sizeof *without);
        const char *ready = without != NULL ? hd__model_cuda_source_text(&s, without) : NULL;
        if (ready != NULL && memchr(text, 0, size) == NULL &&
            lines_of(ready, (int64_t)strlen(ready)) < lines_of(text, (int64_t)size))
            abort();
        for (int32_t k = 1; k < s.file_count; k++) hd__model_cuda_file_text(&s, k);
        for (int32_t k = 0; k < s.instance_count && without != NULL; k++) without[k] = k % 2 == 0;
        if (without != NULL) hd__model_cuda_source_text(&s, without);
        free(without);
    }
    hd__model_cuda_source_close(&s);
    look_for_values(text);
    free(text);
    return 0;
}
