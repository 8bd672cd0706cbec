// SPDX-License-Identifier: Apache-2.0
// Inputs that are indexed, base[index[i]]. HK_K indices are read first, of type hk_at_NUMBER, and
// then what they name, without a branch an element: so all of a thread's are under way at once.
// hk_item_at_NUMBER has zero for an index that is out of range.
#include "emit_indexed.h"
#include "core/indexed.h"
#include "emit_convert.h"

#include <stdio.h>

static void emit_indices(hd__gpu_text *t, const hd__gpu_kernel_config *config, int k)
{
    const hd__gpu_layout *l = &config->in[k];
    const hd_type type = (hd_type)l->index;
    const size_t size = hd__size_of(type), bytes = size * (size_t)config->k;
    const hd__gpu_layout index = {
        .type = type, .form = HD__GPU_CONTIGUOUS, .aligned = l->index_aligned};
    hd__gpu_emit(t, "typedef %s hk_at_%d;\n", hd__gpu_type_text(type), k);
    hd__gpu_emit(t, "HK_FN void hk_indices_%d(const hk_inputs *in, int64_t i, hk_at_%d *at)\n{\n",
                 k, k);
    if (l->index_aligned > 0 && hd__gpu_is_wide(&index, config->k)) {
        hd__gpu_emit(t,
                     "    union {\n        uint32_t w[%zu];\n        hk_at_%d x[HK_K];\n    } u;\n"
                     "    const char *p = (const char *)in->view[%d].start + i * %zu;\n",
                     bytes / 4, k, k, size);
        hd__gpu_emit_words(t, "read", bytes);
        hd__gpu_emit(t, "#pragma unroll\n    for (int j = 0; j < HK_K; j++) at[j] = u.x[j];\n}\n");
        return;
    }
    hd__gpu_emit(t,
                 "#pragma unroll\n    for (int j = 0; j < HK_K; j++)\n"
                 "        at[j] = ((const hk_at_%d *)in->view[%d].start)[(i + j) * "
                 "in->view[%d].stride[0]];\n}\n",
                 k, k, k);
}

void hd__gpu_emit_indexed(hd__gpu_text *t, const hd__gpu_kernel_config *config, int k)
{
    char stride[40] = "";
    if (!config->in[k].dense_base)
        snprintf(stride, sizeof stride, " * v->stride[%d]", HD__BASE_AXIS);
    emit_indices(t, config, k);
    hd__gpu_emit(t,
                 "HK_FN hk_in_%d hk_item_at_%d(const hk_view *v, hk_at_%d at, bool *bad)\n{\n"
                 "    hk_in_%d x = {};\n"
                 "    if ((uint64_t)(int64_t)at < (uint64_t)v->shape[%d])\n"
                 "        x = ((const hk_in_%d *)v->data)[(int64_t)at%s];\n"
                 "    else\n        *bad = true;\n"
                 "    return x;\n}\n",
                 k, k, k, k, HD__BASE_AXIS, k, stride);
    hd__gpu_emit(t,
                 "HK_FN hk_in_%d hk_one_%d(const hk_inputs *in, int64_t i)\n{\n"
                 "    const hk_view *const v = &in->view[%d];\n"
                 "    bool bad = false;\n"
                 "    const hk_in_%d x = hk_item_at_%d(v, ((const hk_at_%d *)v->start)"
                 "[i * v->stride[0]], &bad);\n"
                 "    if (bad) hk_store_relaxed((uint32_t *)v->step, %d);\n"
                 "    return x;\n}\n",
                 k, k, k, k, k, k, HD__GPU_BAD_INDEX);
    hd__gpu_emit(t,
                 "HK_FN void hk_items_at_%d(const hk_inputs *in, const hk_at_%d *at, hk_in_%d *x)\n"
                 "{\n    const hk_view *const v = &in->view[%d];\n    bool bad = false;\n"
                 "#pragma unroll\n"
                 "    for (int j = 0; j < HK_K; j++) x[j] = hk_item_at_%d(v, at[j], &bad);\n"
                 "    if (bad) hk_store_relaxed((uint32_t *)v->step, %d);\n}\n",
                 k, k, k, k, k, HD__GPU_BAD_INDEX);
    hd__gpu_emit(t,
                 "HK_FN void hk_run_%d(const hk_inputs *in, int64_t i, hk_in_%d *x)\n{\n"
                 "    hk_at_%d at[HK_K];\n    hk_indices_%d(in, i, at);\n"
                 "    hk_items_at_%d(in, at, x);\n}\n",
                 k, k, k, k, k);
}

// Where inputs are indexed, HK_K elements in two steps, of which a thread takes the first for all
// of its elements before the second: hk_ask_items has indices, and elements that are not indexed;
// hk_get_items the others, and what the function makes of all.
void hd__gpu_emit_asking(hd__gpu_text *t, const hd__gpu_kernel_config *config, bool mapped)
{
    bool any = false;
    for (int k = 0; k < config->inputs; k++) any = any || config->in[k].form == HD__GPU_INDEXED;
    if (!any) return;
    hd__gpu_emit(t, "#define HK_ASKS 1\nstruct hk_asked {\n");
    for (int k = 0; k < config->inputs; k++)
        hd__gpu_emit(t, "    hk_%s_%d x%d[HK_K];\n",
                     config->in[k].form == HD__GPU_INDEXED ? "at" : "in", k, k);
    hd__gpu_emit(t,
                 "};\nHK_FN void hk_ask_items(const hk_inputs *in, int64_t i, hk_asked *t)\n{\n");
    for (int k = 0; k < config->inputs; k++)
        hd__gpu_emit(t, "    hk_%s_%d(in, i, t->x%d);\n",
                     config->in[k].form == HD__GPU_INDEXED ? "indices" : "run", k, k);
    hd__gpu_emit(t, "}\nHK_FN void hk_get_items(const hk_inputs *in, const hk_asked *t, "
                    "hk_element *e)\n{\n");
    for (int k = 0; k < config->inputs; k++)
        if (config->in[k].form == HD__GPU_INDEXED)
            hd__gpu_emit(t, "    hk_in_%d x%d[HK_K];\n    hk_items_at_%d(in, t->x%d, x%d);\n", k, k,
                         k, k, k);
        else
            hd__gpu_emit(t, "    const hk_in_%d *const x%d = t->x%d;\n", k, k, k);
    hd__gpu_emit(t, "#pragma unroll\n    for (int j = 0; j < HK_K; j++) e[j] = ");
    if (mapped)
        hd__gpu_emit_call(t, config, "run");
    else
        hd__gpu_emit(t, "x0[j]");
    hd__gpu_emit(t, ";\n}\n");
}
