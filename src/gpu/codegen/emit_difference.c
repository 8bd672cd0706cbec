// SPDX-License-Identifier: Apache-2.0
// What the kernel of differences needs: elements, the function of two of them, and outputs.
#include "emit_convert.h"
#include "emit_kernel.h"

// Integers wrap; f16 and bf16 are subtracted in f32. The bits of patterns/stencil/difference.c.
static void emit_minus(hd__gpu_text *t, hd_type type)
{
    const char *text = hd__gpu_type_text(type);
    if (type == HD_F16 || type == HD_BF16) {
        const char *name = type == HD_F16 ? "f16" : "bf16";
        hd__gpu_emit(t, "hk_f32_to_%s(hk_%s_to_f32(x) - hk_%s_to_f32(y))", name, name, name);
    } else if (hd__is_float(type)) {
        hd__gpu_emit(t, "x - y");
    } else {
        hd__gpu_emit(t, "(%s)((uint64_t)x - (uint64_t)y)", text);
    }
}

void hd__gpu_emit_difference(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                             const hd_function *map)
{
    const char *as = config->in[0].type == HD_BOOL ? "0 != " : "";
    hd__gpu_emit_inputs(t, config, NULL, map);
    if (map != NULL)
        hd__gpu_emit_function(t, map, "hk_result");
    else
        hd__gpu_emit(t, "typedef hk_in_0 hk_result;\n");
    hd__gpu_emit(t, "HK_FN hk_result hk_difference(hk_in_0 x, hk_in_0 y)\n{\n    return ");
    if (map != NULL)
        hd__gpu_emit(t, "hk_function(%sx, %sy)", as, as);
    else
        emit_minus(t, config->in[0].type);
    hd__gpu_emit(t, ";\n}\n");
    if (!config->has_init)
        hd__gpu_emit(t, "HK_FN hk_result hk_first(hk_in_0 x)\n{\n"
                        "    return *(const hk_result *)&x;\n}\n");
    hd__gpu_emit_writing(t, config, &config->out, "hk_result", "hk_put");
}
