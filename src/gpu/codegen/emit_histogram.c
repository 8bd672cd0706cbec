// SPDX-License-Identifier: Apache-2.0
// What kernels of histograms need: the values of one or two axes, and the rule of each, which
// histogram/bins.cuh has.
#include "emit_convert.h"
#include "emit_kernel.h"
#include "patterns/histogram/histogram.h"

// ---- Values -------------------------------------------------------------------------------------

// hk_NAME_one, hk_NAME_run: values of an input, or of a function of the first ones.
static void emit_values(hd__gpu_text *t, const char *name, int input, const hd_function *map)
{
    hd__gpu_emit(t, "HK_FN hk_%s hk_%s_one(const hk_inputs *in, int64_t i)\n{\n    return ", name,
                 name);
    if (map == NULL) hd__gpu_emit(t, "hk_one_%d(in, i)", input);
    if (map != NULL) hd__gpu_emit(t, "hk_function(");
    for (int k = 0; map != NULL && k < map->inputs; k++)
        hd__gpu_emit(t, "%s%shk_one_%d(in, i)", k > 0 ? ", " : "",
                     map->input[k] == HD_BOOL ? "0 != " : "", k);
    hd__gpu_emit(t, map != NULL ? ");\n}\n" : ";\n}\n");
    hd__gpu_emit(t, "HK_FN void hk_%s_run(const hk_inputs *in, int64_t i, hk_%s *x)\n{\n", name,
                 name);
    if (map == NULL) {
        hd__gpu_emit(t, "    hk_run_%d(in, i, x);\n}\n", input);
        return;
    }
    for (int k = 0; k < map->inputs; k++)
        hd__gpu_emit(t, "    hk_in_%d x%d[HK_K];\n    hk_run_%d(in, i, x%d);\n", k, k, k, k);
    hd__gpu_emit(t, "#pragma unroll\n    for (int j = 0; j < HK_K; j++) x[j] = hk_function(");
    for (int k = 0; k < map->inputs; k++)
        hd__gpu_emit(t, "%s%sx%d[j]", k > 0 ? ", " : "", map->input[k] == HD_BOOL ? "0 != " : "",
                     k);
    hd__gpu_emit(t, ");\n}\n");
}

// ---- Rules --------------------------------------------------------------------------------------

static void emit_integers(hd__gpu_text *t, const hd__gpu_bins *b)
{
    const char *x = b->type == HD_BOOL ? "((v) != 0)" : "(v)";
    const int clamp = b->clamp;
    if (b->narrow)
        hd__gpu_emit(t, "hk_%s_bin(b, %s, %d)\n",
                     hd__kind_of(b->type) == HD__SIGNED ? "signed" : "unsigned", x, clamp);
    else
        hd__gpu_emit(t, "hk_wide_bin(b, (int64_t)%s, %s, %d)\n", x,
                     b->type == HD_U64 ? "(v) >> 63 != 0" : "false", clamp);
}

// hk_bin_0(b, v) or hk_bin_1: a macro, since the functions of the rules come behind.
static void emit_rule(hd__gpu_text *t, const hd__gpu_bins *b, int axis)
{
    hd__gpu_emit(t, "#define hk_bin_%d(b, v) ", axis);
    if (b->rule == HD__INTEGER_BINS) {
        emit_integers(t, b);
        return;
    }
    if (b->rule == HD__LETTER_BINS) {
        hd__gpu_emit(t, "hk_letter_bin(b, (uint8_t)(v))\n");
        return;
    }
    if (b->rule == HD__EDGE_BINS && b->whole) {
        hd__gpu_emit(t, "hk_whole_edge_bin(b, (int64_t)(%s), %d)\n",
                     b->type == HD_BOOL  ? "(v) != 0"
                     : b->type == HD_U64 ? "(v) ^ (1ull << 63)"
                                         : "v",
                     b->clamp);
        return;
    }
    if (b->rule == HD__EVEN_BINS && b->type == HD_F32) {
        hd__gpu_emit(t, "hk_even_bin_of_single(b, v, %d)\n", b->clamp);
        return;
    }
    hd__gpu_emit(t, b->rule == HD__EVEN_BINS ? "hk_even_bin(b, " : "hk_real_edge_bin(b, ");
    hd__gpu_emit_conversion(t, HD_F64, b->type, "(v)");
    hd__gpu_emit(t, ", %d)\n", b->clamp);
}

void hd__gpu_emit_histogram(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                            const hd_function *map)
{
    const bool two = config->axes == 2;
    const int second = map != NULL ? map->inputs : 1;
    hd__gpu_emit(t, "#define HK_AXES %d\n", config->axes);
    hd__gpu_emit_inputs(t, config, NULL, map);
    if (map != NULL)
        hd__gpu_emit_function(t, map, "hk_first");
    else
        hd__gpu_emit(t, "typedef hk_in_0 hk_first;\n");
    emit_values(t, "first", 0, map);
    emit_rule(t, &config->bins[0], 0);
    if (two) {
        hd__gpu_emit(t, "typedef hk_in_%d hk_second;\n", second);
        emit_values(t, "second", second, NULL);
        emit_rule(t, &config->bins[1], 1);
        return;
    }
    hd__gpu_emit_verbatim(
        t, "typedef uint8_t hk_second;\n"
           "#define hk_bin_1(b, v) 0\n"
           "HK_FN hk_second hk_second_one(const hk_inputs *in, int64_t i)\n{\n    return 0;\n}\n"
           "HK_FN void hk_second_run(const hk_inputs *in, int64_t i, hk_second *x)\n{\n"
           "    for (int j = 0; j < HK_K; j++) x[j] = 0;\n}\n");
}
