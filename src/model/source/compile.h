// SPDX-License-Identifier: Apache-2.0
//
// Compilers of CUDA C, one file each.
#ifndef HEDDLE_MODEL_SOURCE_COMPILE_H
#define HEDDLE_MODEL_SOURCE_COMPILE_H

#include "cuda_source.h"
#include "model/state/model_state.h"

typedef struct compile_job {
    cuda_source *source; // its files are the headers
    const char *text;    // what is compiled
    const char *name;
    const hd_model_load_options *options;
    int32_t arch;
} compile_job;

// HD_ERROR_BACKEND: the compiler is not here. HD_ERROR_COMPILE: its log is the error's text.
hd_status hd__model_compile_nvrtc(hd_model *model, const compile_job *job, char **ptx);
hd_status hd__model_compile_clang(hd_model *model, const compile_job *job, char **ptx);

bool hd__model_nvrtc_is_here(void);
// The file of a compiler. false: it is not here.
bool hd__model_nvrtc_file(char *path, size_t room);
bool hd__model_clang_file(char *path, size_t room);
// The folder of CUDA's headers, or NULL; `room` holds its name.
const char *hd__model_nvrtc_headers(char *room, size_t size);

// Compiles CUDA C to PTX (compile.c); *ptx is the caller's to free.
hd_status hd__model_compile(hd_model *model, const char *text, int64_t length,
                            const hd_model_load_options *options, char **ptx);

#endif
