// SPDX-License-Identifier: Apache-2.0
//
// The parameters of a kernel with their names and types, which compiled code no longer has: taken
// from the text of the source by a small scanner, else from the PTX, where the names are
// KERNEL_param_0 and so on.
#ifndef HEDDLE_CLI_MODEL_MODEL_SIGNATURE_H
#define HEDDLE_CLI_MODEL_MODEL_SIGNATURE_H

#include "heddle_model.h"

#define MODEL_MAX_PARAMETERS 128

typedef enum model_pointer { MODEL_IS_VALUE, MODEL_IS_POINTER, MODEL_IS_EITHER } model_pointer;

typedef struct model_parameter {
    char name[64];     // "" where the text has none
    char declared[96]; // "const float *", or ""
    hd_type type;      // of a pointer what it points to; HD_NONE: not known
    model_pointer pointer;
    int64_t bytes;
} model_parameter;

typedef struct model_signature {
    char kernel[256]; // as written: reduce<int>
    int32_t count;
    model_parameter at[MODEL_MAX_PARAMETERS];
} model_signature;

// The name without folders of C++ and arguments of templates: reduce of sums::reduce<int>.
void model_kernel_name(const char *written, char *name, size_t room);

// The parameters of a kernel of a module; source (may be NULL) is its CUDA C. false: it has more
// parameters than there is room for.
bool model_signature_of(const hd_model_module *module, const char *kernel, const char *source,
                        model_signature *signature);

// The two scanners: how many parameters were found, -1 if the kernel was not. They fill in names,
// declarations and types.
int32_t model_scan_source(const char *text, const char *kernel, model_signature *signature);
int32_t model_scan_ptx(const char *text, const char *kernel, model_signature *signature);

// The declaration of a __constant__ or __device__ variable, from the source: its name and type.
// false: it was not found.
bool model_scan_variable(const char *text, const char *name, model_parameter *p);

// "const float *x", "int n", "8 bytes": for messages and lists.
const char *model_parameter_text(const model_parameter *p, char *text, size_t room);

#endif
