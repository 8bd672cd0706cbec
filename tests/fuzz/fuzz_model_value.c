// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as an argument of a kernel, and as the text that a kernel's parameters are looked for
// in. What is refused has words; what is taken is within its limits and can be made.
#include <stdlib.h>
#include <string.h>

#include "cli/model/model_signature.h"
#include "cli/model/model_value.h"

static void check_value(const char *text)
{
    model_value v;
    char error[MODEL_VALUE_ERROR] = "";
    if (!model_value_parse(text, &v, error)) {
        if (error[0] == '\0') abort();
        return;
    }
    if (v.count < 0 || v.count > (int64_t)1 << 40 || v.ndim < 0 || v.ndim > HD_MAX_DIMS) abort();
    int64_t product = 1;
    for (int32_t k = 0; k < v.ndim; k++) product *= v.shape[k];
    if (model_value_is_buffer(&v) && v.fill != MODEL_FILE && product != v.count) abort();
    if (v.fill == MODEL_BYTES && model_value_bytes(&v, NULL) < 1) abort();
    if (v.fill >= MODEL_FILE || v.count > 4096) return;
    for (int type = HD_NONE + 1; type < (int)HD_STRUCTURE; type++) {
        if (v.type != HD_NONE && (int)v.type != type) continue;
        void *data = malloc((size_t)v.count * hd_type_size((hd_type)type) + 1);
        if (data != NULL && !model_value_make(&v, (hd_type)type, data, error) && !error[0]) abort();
        free(data);
    }
}

static void check_signature(const char *text)
{
    static model_signature s;
    char name[96], said[200];
    const int32_t in_source = model_scan_source(text, "k", &s);
    const int32_t in_ptx = model_scan_ptx(text, "k", &s);
    if (in_source < -1 || in_ptx < -1) abort();
    for (int32_t k = 0; k < in_ptx && k < MODEL_MAX_PARAMETERS; k++)
        model_parameter_text(&s.at[k], said, sizeof said);
    model_parameter p = {.type = HD_NONE};
    if (model_scan_variable(text, "k", &p) && strcmp(p.name, "k") != 0) abort();
    model_kernel_name(text, name, sizeof name);
    if (strlen(name) > strlen(text)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (text == NULL) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    check_value(text);
    check_signature(text);
    free(text);
    return 0;
}
