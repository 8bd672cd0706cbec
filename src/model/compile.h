// SPDX-License-Identifier: Apache-2.0
//
// Compilers of CUDA C, one file each.
#ifndef HD_MODEL_COMPILE_H
#define HD_MODEL_COMPILE_H

#include "model/model.h"

typedef struct compile_job {
    const char *text;
    int64_t length;
    const char *name;
    const hd_model_load_options *options;
    int32_t arch;
} compile_job;

// HD_ERROR_BACKEND: the compiler is not here. HD_ERROR_COMPILE: its log is the error's text.
hd_status hd__compile_nvrtc(hd_model *model, const compile_job *job, char **ptx);
hd_status hd__compile_clang(hd_model *model, const compile_job *job, char **ptx);

#endif
