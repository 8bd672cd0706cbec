// SPDX-License-Identifier: Apache-2.0
//
// What kernels that select elements need: the flag of an element, whether it is set, whether two
// neighbours differ, and outputs of elements and of integers.
#include "emit_convert.h"
#include "emit_kernel.h"

#include <stdio.h>

// ---- Outputs of integers ------------------------------------------------------------------------

void hd__gpu_emit_integers(hd__gpu_text *t, const hd__gpu_kernel_config *config)
{
    static const char *const names[HD__GPU_INTEGERS] = {"index", "length", "count", "begin", "key"};
    for (int k = 0; k < HD__GPU_INTEGERS; k++) {
        const hd__gpu_layout *l = &config->integer[k];
        char name[32];
        snprintf(name, sizeof name, "hk_put_%s", names[k]);
        hd__gpu_emit_writing(
            t, config, l, l->form != HD__GPU_ABSENT ? hd__gpu_type_text(l->type) : "int64_t", name);
    }
}

// ---- Flags --------------------------------------------------------------------------------------

static void emit_flag(hd__gpu_text *t, const hd__gpu_kernel_config *config, const hd_function *map,
                      bool run)
{
    const char *const own = run ? "e[j]" : "e";
    if (map == NULL) {
        hd__gpu_emit(t, "%s", config->inputs == 1 ? own : run ? "x1[j]" : "hk_one_1(in, i)");
        return;
    }
    hd__gpu_emit(t, "hk_function(");
    for (int k = 0; k < config->inputs; k++) {
        hd__gpu_emit(t, k > 0 ? ", " : "");
        if (config->in[k].type == HD_BOOL) hd__gpu_emit(t, "0 != ");
        if (k == 0)
            hd__gpu_emit(t, "%s", own);
        else
            hd__gpu_emit(t, run ? "x%d[j]" : "hk_one_%d(in, i)", k);
    }
    hd__gpu_emit(t, ")");
}

// hk_flag_one, hk_flag_run: of an element that is at hand, and others of its index.
static void emit_flags(hd__gpu_text *t, const hd__gpu_kernel_config *config, const hd_function *map)
{
    if (map != NULL)
        hd__gpu_emit_function(t, map, "hk_flag");
    else
        hd__gpu_emit(t, "typedef hk_in_%d hk_flag;\n", config->inputs == 1 ? 0 : 1);
    hd__gpu_emit(t, "HK_FN hk_flag hk_flag_one(const hk_inputs *in, int64_t i, hk_element e)\n"
                    "{\n    return ");
    emit_flag(t, config, map, false);
    hd__gpu_emit(
        t, ";\n}\nHK_FN void hk_flag_run(const hk_inputs *in, int64_t i, const hk_element *e, "
           "hk_flag *l)\n{\n");
    for (int k = 1; k < config->inputs; k++)
        hd__gpu_emit(t, "    hk_in_%d x%d[HK_K];\n    hk_run_%d(in, i, x%d);\n", k, k, k, k);
    hd__gpu_emit(t, "#pragma unroll\n    for (int j = 0; j < HK_K; j++) l[j] = ");
    emit_flag(t, config, map, true);
    hd__gpu_emit(t, ";\n}\n");
    const hd_type type = map != NULL ? map->result : config->in[config->inputs == 1 ? 0 : 1].type;
    const bool half = type == HD_F16 || type == HD_BF16;
    hd__gpu_emit(t, "HK_FN bool hk_is_set(hk_flag l)\n{\n    return %s != 0;\n}\n",
                 half ? "(l & 0x7fff)" : "l");
}

// Elements of a function's are of its type, which has no parts: they are asked for their flag.
static void emit_differs(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                         const hd_function *map)
{
    const hd_type type = config->in[0].type;
    hd__gpu_emit(t, "HK_FN bool hk_differs(hk_element a, hk_element b)\n{\n");
    if (!hd__is_number(type) && map != NULL)
        hd__gpu_emit(t, "    return true;\n}\n");
    else if (!hd__is_number(type))
        hd__gpu_emit(t, "    bool differ = false;\n#pragma unroll\n"
                        "    for (int k = 0; k < (int)(sizeof a.part / sizeof a.part[0]); k++)\n"
                        "        differ |= a.part[k] != b.part[k];\n    return differ;\n}\n");
    else if (type == HD_BOOL)
        hd__gpu_emit(t, "    return (a != 0) != (b != 0);\n}\n");
    else if (type == HD_F16 || type == HD_BF16)
        hd__gpu_emit(t, "    return hk_%s_to_f32(a) != hk_%s_to_f32(b);\n}\n",
                     type == HD_F16 ? "f16" : "bf16", type == HD_F16 ? "f16" : "bf16");
    else
        hd__gpu_emit(t, "    return a != b;\n}\n");
}

// hd__is_wanted of patterns/select/find.c.
void hd__gpu_emit_wanted(hd__gpu_text *t, const hd__gpu_kernel_config *config)
{
    const hd_type type = config->element;
    const bool half = type == HD_F16 || type == HD_BF16;
    const char *const name = type == HD_F16 ? "f16" : "bf16";
    hd__gpu_emit(t, "HK_FN bool hk_is_wanted(hk_element e, const hk_element *value)\n{\n");
    if (!config->has_values)
        hd__gpu_emit(t, "    return %s != 0;\n}\n", half ? "(e & 0x7fff)" : "e");
    else if (!hd__is_number(type))
        hd__gpu_emit(t, "    bool differ = false;\n"
                        "    for (int k = 0; k < (int)sizeof e; k++)\n"
                        "        differ |= ((const char *)&e)[k] != ((const char *)value)[k];\n"
                        "    return !differ;\n}\n");
    else if (type == HD_BOOL)
        hd__gpu_emit(t, "    return (e != 0) == (*value != 0);\n}\n");
    else if (half)
        hd__gpu_emit(t, "    return hk_%s_to_f32(e) == hk_%s_to_f32(*value);\n}\n", name, name);
    else
        hd__gpu_emit(t, "    return e == *value;\n}\n");
}

// ---- All of it ----------------------------------------------------------------------------------

// Kernels that look for heads of runs have no flags.
static void emit_no_flags(hd__gpu_text *t)
{
    hd__gpu_emit_verbatim(
        t, "typedef uint8_t hk_flag;\n"
           "HK_FN hk_flag hk_flag_one(const hk_inputs *in, int64_t i, hk_element e)\n{\n"
           "    return 0;\n}\n"
           "HK_FN void hk_flag_run(const hk_inputs *in, int64_t i, const hk_element *e, "
           "hk_flag *l)\n{\n}\n"
           "HK_FN bool hk_is_set(hk_flag l)\n{\n    return false;\n}\n");
}

void hd__gpu_emit_flags(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                        const hd_function *map)
{
    hd__gpu_emit(t, "typedef %s hk_key;\n", config->wide_keys ? "uint64_t" : "uint32_t");
    hd__gpu_emit_inputs(t, config, NULL, map);
    hd__gpu_emit(t, "typedef hk_in_0 hk_element;\n");
    emit_differs(t, config, map);
    if (config->heads)
        emit_no_flags(t);
    else
        emit_flags(t, config, map);
    hd__gpu_emit_writing(t, config, &config->out, "hk_element", "hk_put");
    hd__gpu_emit_writing(t, config, &config->values, "hk_element", "hk_put_destination");
    hd__gpu_emit_integers(t, config);
    hd__gpu_emit_offsets(t, &config->offsets);
}
