// SPDX-License-Identifier: Apache-2.0
// What kernels that move elements by an index need: the index, what becomes of an element, and what
// is at its place already.
#include "emit_convert.h"
#include "emit_kernel.h"

void hd__gpu_emit_gather(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                         const hd_function *map)
{
    const bool converts = map == NULL && hd__is_number(config->out.type);
    hd__gpu_emit_inputs(t, config, NULL, map);
    if (map != NULL)
        hd__gpu_emit_function(t, map, "hk_result");
    else
        hd__gpu_emit(t, "typedef %s hk_result;\n",
                     converts ? hd__gpu_type_text(config->out.type) : "hk_in_0");
    hd__gpu_emit(t, "HK_FN hk_result hk_result_at(const hk_inputs *in, int64_t i, hk_in_0 x)\n"
                    "{\n    return ");
    if (map == NULL && converts && config->out.type != config->in[0].type) {
        hd__gpu_emit_conversion(t, config->out.type, config->in[0].type, "x");
    } else if (map == NULL) {
        hd__gpu_emit(t, "x"); // its bits as they are
    } else {
        hd__gpu_emit(t, "hk_function(");
        for (int k = 0; k < config->inputs; k++) {
            hd__gpu_emit(t, k > 0 ? ", " : "");
            if (config->in[k].type == HD_BOOL) hd__gpu_emit(t, "0 != ");
            hd__gpu_emit(t, k > 0 ? "hk_one_%d(in, i)" : "x", k);
        }
        hd__gpu_emit(t, ")");
    }
    hd__gpu_emit(t, ";\n}\n");
    hd__gpu_emit_writing(t, config, &config->out, "hk_result", "hk_put");
    hd__gpu_emit_offsets(t, &config->offsets);
}

void hd__gpu_emit_units(hd__gpu_text *t, const hd__gpu_kernel_config *config)
{
    const int bits = 8 * (int)config->stage_bytes;
    if (bits <= 64)
        hd__gpu_emit(t, "typedef uint%d_t hk_unit;\n", bits);
    else
        hd__gpu_emit(t, "struct __attribute__((aligned(16))) hk_unit {\n    uint32_t w[4];\n};\n");
}

const char *hd__gpu_native_atomic(const hd__fold *f)
{
    static const char *const names[] = {[HD__SUM] = "add", [HD__MIN] = "min", [HD__MAX] = "max",
                                        [HD__AND] = "and", [HD__OR] = "or",   [HD__XOR] = "xor"};
    const bool known = f->op == HD__SUM || f->op == HD__MIN || f->op == HD__MAX ||
                       f->op == HD__AND || f->op == HD__OR || f->op == HD__XOR;
    if (!known || (hd__is_float(f->number) && f->op != HD__SUM)) return NULL;
    if (hd__is_float_sum(f) || (f->node_size != 4 && f->node_size != 8)) return NULL;
    return names[f->op];
}

static void emit_native(hd__gpu_text *t, const hd__fold *f, const char *name)
{
    const bool wide = f->node_size == 8, real = hd__is_float(f->number);
    const bool bits = f->op == HD__AND || f->op == HD__OR || f->op == HD__XOR;
    const bool negative =
        hd__kind_of(f->number) == HD__SIGNED && (f->op == HD__MIN || f->op == HD__MAX);
    const char kind = real ? 'f' : bits ? 'b' : negative ? 's' : 'u';
    hd__gpu_emit(t,
                 "HK_FN void hk_combine_native(hk_base *p, hk_base x)\n{\n"
                 "    asm volatile(\"red.relaxed.gpu.global.%s.%c%d [%%0], %%1;\" : : \"l\"(p), "
                 "\"%c\"(x) : \"memory\");\n}\n",
                 name, kind, wide ? 64 : 32, real ? (wide ? 'd' : 'f') : (wide ? 'l' : 'r'));
}

void hd__gpu_emit_destinations(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                               const hd__fold *f)
{
    hd__gpu_emit(t, "typedef %s hk_sort_key;\n", config->wide_keys ? "uint64_t" : "uint32_t");
    hd__gpu_emit(t, "HK_FN hk_out *hk_out_at(const hk_view *v, int64_t i)\n"
                    "{\n    return (hk_out *)v->data + ");
    if (config->out.form == HD__GPU_CONTIGUOUS)
        hd__gpu_emit(t, "i;\n}\n");
    else if (config->out.form == HD__GPU_STRIDED)
        hd__gpu_emit(t, "i * v->stride[0];\n}\n");
    else
        hd__gpu_emit(t, "hk_offset(v, %d, i);\n}\n", config->out.ndim);
    hd__gpu_emit(t, "HK_FN hk_base hk_old(const hk_view *v, int64_t i)\n"
                    "{\n    const hk_out x = *hk_out_at(v, i);\n");
    if (f->op == HD__USER_OP)
        hd__gpu_emit(t, "    return x;\n}\n");
    else
        hd__gpu_emit_node_of(t, f, f->out, "x");
    hd__gpu_emit(t, "typedef %s hk_word;\n", f->node_size == 4 ? "uint32_t" : "uint64_t");
    if (hd__gpu_native_atomic(f) != NULL)
        emit_native(t, f, hd__gpu_native_atomic(f));
    else
        hd__gpu_emit(t, "HK_FN void hk_combine_native(hk_base *p, hk_base x)\n{\n}\n");
}
