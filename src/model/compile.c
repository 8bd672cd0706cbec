// SPDX-License-Identifier: Apache-2.0
//
// CUDA C to PTX, by the compiler that is here.
#include "model/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *wished(const hd_model *model)
{
    if (model->options.compiler != NULL) return model->options.compiler;
    const char *named = getenv("HEDDLE_MODEL_COMPILER");
    return named != NULL && named[0] != 0 ? named : NULL;
}

hd_status hd__model_compile(hd_model *model, const char *text, int64_t length,
                            const hd_model_load_options *options, char **ptx)
{
    const char *wish = wished(model);
    const compile_job job = {text, length, options->name != NULL ? options->name : "kernel.cu",
                             options, model->settings.arch};
    if (wish != NULL && strcmp(wish, "nvrtc") != 0 && strcmp(wish, "clang") != 0)
        return hd__model_fail(model, HD_ERROR_ARGUMENT, "no compiler '%s'; expected nvrtc or clang",
                              wish);
    if (wish == NULL || strcmp(wish, "nvrtc") == 0) {
        const hd_status status = hd__compile_nvrtc(model, &job, ptx);
        if (status != HD_ERROR_BACKEND || wish != NULL) return status;
    }
    return hd__compile_clang(model, &job, ptx);
}
