// SPDX-License-Identifier: Apache-2.0
//
// The frame of the model's tests: machines, the kernels of tests/kernels, launches in one line.
#ifndef HEDDLE_TESTS_SUPPORT_MODEL_CHECK_H
#define HEDDLE_TESTS_SUPPORT_MODEL_CHECK_H

#include "check.h"

#include <heddle_model.h>

// The call must succeed; a failure shows the model's text.
#define MODEL_OK(model, call) model_status(__FILE__, __LINE__, #call, (model), HD_OK, (call))
#define MODEL_FAILS(model, status, call)                                                           \
    model_status(__FILE__, __LINE__, #call, (model), (status), (call))
void model_status(const char *file, int line, const char *text, const hd_model *model,
                  hd_status expected, hd_status got);

// Ends the test where it fails.
hd_model *model_open(const hd_model_options *options);

// Where "reduce.ptx" or "reduce.cu" is, of whichever folder of tests/kernels.
void model_kernel_path(const char *name, char *path, size_t room);

// A kernel file of that name.
hd_model_module *model_load(hd_model *model, const char *name);
hd_model_module *model_load_ptx(hd_model *model, const char *text, const char *name);

// Whether CUDA C can be compiled here.
bool model_compiles(void);
bool model_compiles_by(const char *compiler); // "nvrtc", "clang"

// Memory of the machine with the bytes of `data`, or zeros (NULL).
uint64_t model_new(hd_model *model, const void *data, int64_t bytes);
void model_get(hd_model *model, uint64_t address, void *data, int64_t bytes);

// A launch along x that must succeed: pointers to the arguments, NULL after the last.
const hd_model_report *model_run(hd_model *model, const hd_model_module *module, const char *kernel,
                                 int32_t blocks, int32_t threads, ...);

// The counts of a line of the source; all zero where the report has none.
hd_model_counts model_line(const hd_model_report *report, const char *file, int32_t line);

// The error of the model must be, or have in it, a text.
#define MODEL_SAYS(model, text) model_says(__FILE__, __LINE__, hd_model_error(model), (text))
void model_says(const char *file, int line, const char *got, const char *text);

#endif
