// SPDX-License-Identifier: Apache-2.0
// What kernels of neighbourhoods need: types, elements as values, weighted sums of them or a
// function, and results of sums, with the bits of src/patterns/stencil/grid.c.
#include "emit_convert.h"
#include "emit_kernel.h"

static void emit_macros(hd__gpu_text *t, const hd__gpu_neighbourhood *n, int32_t k)
{
    const struct {
        const char *name;
        int32_t value;
    } rows[] = {
        {"BORDER", n->border},
        {"CHANNELS", n->channels},
        {"BATCH_AXES", n->batch_axes},
        {"NEIGHBOURS", n->function},
        {"MENDS", n->mends},
        {"BY_PARAMETER", n->by_parameter},
        {"IN_VECTORS", n->in_vectors},
        {"OUT_VECTORS", n->out_vectors},
        {"OUT_DENSE", n->out_contiguous},
        {"MASK_ROWS", n->rows},
        {"MASK_COLUMNS", n->columns},
        {"ANCHOR_Y", n->anchor_y},
        {"ANCHOR_X", n->anchor_x},
        {"IN_ALIGNED", (int32_t)hd__size_of(n->in) * (n->in_vectors ? k : 1)},
        {"RING_ALIGNED", n->strip == 2 ? k : (int32_t)hd__size_of(n->sum) * k},
        {"HAS_BEYOND", n->border == HD_BORDER_ZERO || n->border == HD_BORDER_CONSTANT ||
                           n->border == HD_BORDER_KEEP},
        {"NEAR", n->near},
        {"LOADS", n->loads},
        {"FOLDS", n->strip == 2},
        {"OUT_ALIGNED", (int32_t)hd__size_of(n->out) * (n->out_vectors ? k : 1)},
    };
    for (size_t j = 0; j < sizeof rows / sizeof *rows; j++)
        hd__gpu_emit(t, "#define HK_%s %d\n", rows[j].name, (int)rows[j].value);
    hd__gpu_emit(t, "struct hk_rounding {\n    int32_t down, shift;\n    uint64_t times;\n};\n");
}

// Offsets as numbers, which the compiler knows where they are used.
static void emit_offsets(hd__gpu_text *t, const hd__gpu_neighbourhood *n)
{
    static const char *const axes[] = {"Z", "Y", "X"};
    if (n->offset_count == 0) return;
    hd__gpu_emit(t, "#define HK_OFFSET_COUNT %d\n", n->offset_count);
    for (int k = 0; k < 3; k++)
        hd__gpu_emit(t, "#define HK_LEAST_%s (%d)\n#define HK_MOST_%s %d\n", axes[k], n->least[k],
                     axes[k], n->most[k]);
    hd__gpu_emit(t, "static __device__ const int hk_offsets[HK_OFFSET_COUNT][3] = {\n");
    for (int k = 0; k < n->offset_count; k++)
        hd__gpu_emit(t, "    {%d, %d, %d},\n", n->offset[k][0], n->offset[k][1], n->offset[k][2]);
    hd__gpu_emit(t, "};\n");
}

// ---- Functions ----------------------------------------------------------------------------------

static void emit_function(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                          const hd_function *map)
{
    const hd__gpu_neighbourhood *n = &config->stencil;
    hd__gpu_emit_inputs(t, config, NULL, map);
    hd__gpu_emit(t, "typedef hk_in_0 hk_in;\ntypedef hk_in_0 hk_value;\n");
    hd__gpu_emit_function(t, map, "hk_out");
    hd__gpu_emit(t, "HK_FN hk_value hk_value_of(hk_in x)\n{\n    return %s;\n}\n",
                 n->in == HD_BOOL ? "x != 0" : "x");
    hd__gpu_emit(t, "HK_FN hk_out hk_apply(const hk_value *v)\n{\n    return hk_function(");
    for (int k = 0; k < n->function; k++)
        hd__gpu_emit(t, "%s%sv[%d]", k > 0 ? ", " : "", n->in == HD_BOOL ? "0 != " : "", k);
    hd__gpu_emit(t, ");\n}\nHK_FN hk_value hk_outside(const uint64_t *beyond)\n{\n");
    if (hd__size_of(n->in) <= 8)
        hd__gpu_emit(t, "    return *(const hk_value *)beyond;\n}\n");
    else // structures have zeros only
        hd__gpu_emit(t, "    hk_value v = {};\n    return v;\n}\n");
}

// ---- Sums ---------------------------------------------------------------------------------------

static void emit_range(hd_type type, long long *least, long long *greatest)
{
    const int bits = 8 * (int)hd__size_of(type);
    const bool is_signed = hd__kind_of(type) == HD__SIGNED;
    *greatest = type == HD_BOOL ? 1 : (1ll << (bits - is_signed)) - 1;
    *least = is_signed ? -*greatest - 1 : 0;
}

// The end of hk_out_of: integers are rounded and clamped, and 0 for NaN.
static void emit_result(hd__gpu_text *t, const hd__gpu_neighbourhood *n)
{
    const bool whole = hd__is_integer(n->out) || n->out == HD_BOOL;
    long long least, greatest;
    if (n->rounds) {
        hd__gpu_emit(t, "    return (hk_out)((((uint64_t)s >> r->down) * r->times +\n"
                        "                     (1ull << (r->shift - 1))) >> r->shift);\n");
        return;
    }
    if (!whole || n->out == n->sum) {
        hd__gpu_emit(t, "    return ");
        hd__gpu_emit_conversion(t, n->out, n->sum, "s");
        hd__gpu_emit(t, ";\n");
        return;
    }
    emit_range(n->out, &least, &greatest);
    if (!hd__is_float(n->sum)) {
        hd__gpu_emit(t, "    return (hk_out)(s < %lldll ? %lldll : s > %lldll ? %lldll : s);\n",
                     least, least, greatest, greatest);
        return;
    }
    const bool narrow = n->sum == HD_F32;
    hd__gpu_emit(t,
                 "    %s whole;\n"
                 "    if (!(s > %lld)) return (hk_out)(s != s ? 0 : %lldll);\n"
                 "    if (s >= %lld) return (hk_out)%lldll;\n"
                 "    asm(\"cvt.rni.%s %%0, %%1;\" : \"=%s\"(whole) : \"%s\"(s));\n"
                 "    return (hk_out)whole;\n",
                 narrow ? "int32_t" : "int64_t", least, least, greatest, greatest,
                 narrow ? "s32.f32" : "s64.f64", narrow ? "r" : "l", narrow ? "f" : "d");
}

static void emit_sums(hd__gpu_text *t, const hd__gpu_neighbourhood *n)
{
    const char *value = hd__gpu_type_text(n->sum);
    const bool real = hd__is_float(n->sum), single = n->sum == HD_F32;
    hd__gpu_emit(t, "typedef %s hk_in;\ntypedef %s hk_out;\ntypedef %s hk_value;\n",
                 hd__gpu_type_text(n->in), hd__gpu_type_text(n->out), value);
    hd__gpu_emit(t, "HK_FN hk_value hk_value_of(hk_in x)\n{\n    return ");
    hd__gpu_emit_conversion(t, n->sum, n->in, "x");
    hd__gpu_emit(t, ";\n}\ntypedef hk_value hk_ring;\n"
                    "HK_FN hk_ring hk_ring_of(hk_in x)\n{\n    return hk_value_of(x);\n}\n");
    hd__gpu_emit(t, "HK_FN hk_value hk_no_sum(void)\n{\n    return %s;\n}\n",
                 real ? (single ? "-0.0f" : "-0.0") : "0");
    hd__gpu_emit(t, "HK_FN hk_value hk_add(hk_value w, hk_value x, hk_value s)\n{\n    return ");
    if (real)
        hd__gpu_emit(t, single ? "__fmaf_rn(w, x, s)" : "__fma_rn(w, x, s)");
    else // integers wrap
        hd__gpu_emit(t, "(hk_value)((uint%d_t)w * (uint%d_t)x + (uint%d_t)s)",
                     8 * (int)hd__size_of(n->sum), 8 * (int)hd__size_of(n->sum),
                     8 * (int)hd__size_of(n->sum));
    hd__gpu_emit(t, ";\n}\nHK_FN bool hk_is_finite(hk_value s)\n{\n    return s - s == 0;\n}\n"
                    "HK_FN hk_out hk_out_of(hk_value s, const hk_rounding *r)\n{\n");
    emit_result(t, n);
    hd__gpu_emit(t, "}\nHK_FN hk_value hk_outside(const uint64_t *beyond)\n{\n"
                    "    return *(const hk_value *)beyond;\n}\n");
}

// ---- Two passes ---------------------------------------------------------------------------------

// Types of lines of elements, of sums down columns and of lines between. Sums of a mask are all of
// one type.
static void emit_passes(hd__gpu_text *t)
{
    hd__gpu_emit_verbatim(t, "typedef hk_value hk_middle;\ntypedef hk_value hk_column_value;\n"
                             "HK_FN hk_value hk_column_of(hk_ring x)\n{\n    return x;\n}\n"
                             "HK_FN hk_value hk_no_column(void)\n{\n    return hk_no_sum();\n}\n"
                             "HK_FN hk_value hk_add_column(hk_value w, hk_value x, hk_value s)\n{\n"
                             "    return hk_add(w, x, s);\n}\n"
                             "HK_FN hk_value hk_middle_of(hk_value s)\n{\n    return s;\n}\n"
                             "#define hk_value_of(x) (x)\n");
}

// The Gaussian of u8: its weights sum to 2^15. Sums down columns are below 2^23: from 2^23 on f32
// counts them exactly, and what is rounded half up is in there from the beginning. Along rows of
// 15 bits sums are below 2^31.
static void emit_gaussian(hd__gpu_text *t)
{
    hd__gpu_emit_verbatim(
        t, "typedef uint8_t hk_in;\ntypedef uint8_t hk_out;\ntypedef uint8_t hk_ring;\n"
           "typedef uint16_t hk_middle;\ntypedef uint32_t hk_value;\n"
           "typedef float hk_column_value;\n"
           "HK_FN hk_ring hk_ring_of(hk_in x)\n{\n    return x;\n}\n"
           "HK_FN float hk_column_of(hk_ring x)\n{\n"
           "    return hk_float_of_bits(0x4b000000u | x) - 8388608.0f;\n}\n"
           "HK_FN float hk_no_column(void)\n{\n    return 8388608.0f + 128.0f;\n}\n"
           "HK_FN float hk_add_column(float w, float x, float s)\n{\n"
           "    return __fmaf_rn(w, x, s);\n}\n"
           "HK_FN hk_middle hk_middle_of(float s)\n{\n"
           "    return (hk_middle)((hk_bits_of_float(s) - 0x4b000000u) >> 8);\n}\n"
           "HK_FN hk_value hk_value_of(hk_middle x)\n{\n    return x;\n}\n"
           "HK_FN hk_value hk_no_sum(void)\n{\n    return 1u << 21;\n}\n"
           "HK_FN hk_value hk_add(hk_value w, hk_value x, hk_value s)\n{\n"
           "    return w * x + s;\n}\n"
           "HK_FN hk_out hk_out_of(hk_value s, const hk_rounding *r)\n{\n"
           "    return (hk_out)(s >> 22);\n}\n"
           "HK_FN hk_value hk_outside(const uint64_t *beyond)\n{\n"
           "    return (hk_value)*beyond;\n}\n");
}

void hd__gpu_emit_stencil(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                          const hd_function *map)
{
    emit_macros(t, &config->stencil, config->k);
    emit_offsets(t, &config->stencil);
    if (config->stencil.function > 0)
        emit_function(t, config, map);
    else if (config->stencil.strip == 2)
        emit_gaussian(t);
    else
        emit_sums(t, &config->stencil);
    if (config->stencil.strip == 1) emit_passes(t);
}
