// SPDX-License-Identifier: Apache-2.0
// What the kernel of several maps needs: elements of the inputs, and each function, with the
// conversion to its output and the writing there, in a namespace of its own.
#include "emit_map_many.h"
#include "emit_convert.h"
#include "emit_math.h"
#include "kernel_sources.h"

#include <string.h>

static const hd_source *source_of(const hd_function *map)
{
    return map != NULL ? map->source : NULL;
}

bool hd__gpu_joins(const hd__gpu_functions *f)
{
    const hd_source *source = NULL;
    for (int k = 0; k < f->count; k++) {
        const hd_function *map = f->map[k];
        if (!hd__is_number(f->out[k].type)) return false;
        if (map == NULL) continue;
        if (!hd__is_number(map->result) || map->state.size > 0) return false;
        if (map->body_text == NULL || map->inputs_text == NULL || map->result_text == NULL)
            return false; // the map alone says so
        for (int j = 0; j < map->inputs; j++)
            if (!hd__is_number(map->input[j])) return false;
        if (source != NULL && map->source != NULL && map->source != source) return false;
        if (map->source != NULL) source = map->source;
    }
    return true;
}

// Once for all functions.
static void emit_sources(hd__gpu_text *t, const hd__gpu_functions *f)
{
    bool math = false;
    const hd_source *source = NULL;
    for (int k = 0; k < f->count; k++) {
        const size_t before = t->length;
        if (!math) hd__gpu_emit_math(t, NULL, f->map[k]);
        math = math || t->length != before;
        if (source_of(f->map[k]) != NULL) source = source_of(f->map[k]);
    }
    hd__gpu_emit_source(t, source);
    hd__gpu_emit(t, "#line 1 \"kernel_types.h\"\n");
}

static void emit_function(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                          const hd__gpu_functions *f, int k)
{
    const hd_function *map = f->map[k];
    const hd_type from = map != NULL ? map->result : config->in[0].type, to = f->out[k].type;
    hd__gpu_emit(t, "namespace hk_map_%d {\n", k);
    if (map != NULL)
        hd__gpu_emit_function(t, map, "hk_result");
    else
        hd__gpu_emit(t, "typedef hk_in_0 hk_result;\n"
                        "HK_FN hk_result hk_function(hk_in_0 x)\n{\n    return x;\n}\n");
    hd__gpu_emit(t, "typedef %s hk_out;\nHK_FN hk_out hk_out_of(hk_result e)\n{\n    return ",
                 hd__gpu_type_text(to));
    hd__gpu_emit_conversion(t, to, from, "e");
    hd__gpu_emit(t, ";\n}\n");
    hd__gpu_emit_writing(t, config, &f->out[k], "hk_out", "hk_put");
    hd__gpu_emit(t, "}\n");
}

// The call of function k for an element whose inputs are x0, x1, ... with `at` behind them.
static void emit_call(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                      const hd__gpu_functions *f, int k, const char *at)
{
    const int inputs = f->map[k] != NULL ? f->map[k]->inputs : 1;
    hd__gpu_emit(t, "hk_map_%d::hk_out_of(hk_map_%d::hk_function(", k, k);
    for (int j = 0; j < inputs; j++)
        hd__gpu_emit(t, "%s%sx%d%s", j > 0 ? ", " : "",
                     f->map[k] != NULL && config->in[j].type == HD_BOOL ? "0 != " : "", j, at);
    hd__gpu_emit(t, "))");
}

// All inputs are read before the first output is written: an output may be an input.
static void emit_one(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                     const hd__gpu_functions *f)
{
    hd__gpu_emit(t, "HK_FN void hk_map_one(const hk_inputs *in, const hk_outputs *out, int64_t i)\n"
                    "{\n");
    for (int j = 0; j < config->inputs; j++)
        hd__gpu_emit(t, "    const hk_in_%d x%d = hk_one_%d(in, i);\n", j, j, j);
    for (int k = 0; k < f->count; k++) {
        hd__gpu_emit(t, "    const hk_map_%d::hk_out y%d = ", k, k);
        emit_call(t, config, f, k, "");
        hd__gpu_emit(t, ";\n");
    }
    for (int k = 0; k < f->count; k++)
        hd__gpu_emit(t, "    hk_map_%d::hk_put(&out->view[%d], i, y%d);\n", k, k, k);
    hd__gpu_emit(t, "}\n");
}

static void emit_run(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                     const hd__gpu_functions *f)
{
    hd__gpu_emit(t, "HK_FN void hk_map_run(const hk_inputs *in, const hk_outputs *out, int64_t i)\n"
                    "{\n");
    for (int j = 0; j < config->inputs; j++)
        hd__gpu_emit(t, "    hk_in_%d x%d[HK_K];\n    hk_run_%d(in, i, x%d);\n", j, j, j, j);
    for (int k = 0; k < f->count; k++) {
        hd__gpu_emit(t,
                     "    hk_map_%d::hk_out y%d[HK_K];\n"
                     "#pragma unroll\n    for (int j = 0; j < HK_K; j++) y%d[j] = ",
                     k, k, k);
        emit_call(t, config, f, k, "[j]");
        hd__gpu_emit(t, ";\n");
    }
    for (int k = 0; k < f->count; k++)
        hd__gpu_emit(t, "    hk_map_%d::hk_put_run(&out->view[%d], i, y%d);\n", k, k, k);
    hd__gpu_emit(t, "}\n");
}

static void emit_types(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                       const hd__gpu_functions *f)
{
    emit_sources(t, f);
    hd__gpu_emit_inputs(t, config, NULL, NULL);
    hd__gpu_emit(t, "struct hk_outputs {\n    hk_view view[%d];\n};\n", (int)f->count);
    for (int k = 0; k < f->count; k++) emit_function(t, config, f, k);
    emit_one(t, config, f);
    emit_run(t, config, f);
}

void hd__gpu_emit_map_many(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                           const hd__gpu_functions *f)
{
    for (const hd__gpu_source *s = hd__gpu_kernel_sources(config->kernel); s->name != NULL; s++) {
        hd__gpu_emit(t, "#line 1 \"%s\"\n", s->name);
        if (s->text != NULL)
            hd__gpu_emit_verbatim(t, s->text);
        else if (strcmp(s->name, "kernel_config.h") == 0)
            hd__gpu_emit_config(t, config, NULL, NULL);
        else
            emit_types(t, config, f);
    }
}
