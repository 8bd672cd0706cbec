// SPDX-License-Identifier: Apache-2.0
//
// What map_structures.cu needs: the function, whose parameters are references to a lane's
// structures in shared memory, and what is brought there and taken from there.
#include "emit_structures.h"

#include "emit_convert.h"

// A warp's structures at most, which every device has room for; and the least
// bytes of one for which a lane's own loads would be worse.
enum { MOST_BYTES = 64 << 10, LEAST_STRUCTURE = 16, PADDING = 16, LANES = 32 };

static bool can_stage(const hd__gpu_layout *l)
{
    const size_t size = hd__size_of(l->type);
    return l->form == HD__GPU_CONTIGUOUS && !hd__is_number(l->type) && size >= LEAST_STRUCTURE &&
           size % 4 == 0 && l->aligned >= 4;
}

// 32 structures, each with padding, if there is room for them.
static int32_t place(int32_t *bytes, const hd__gpu_layout *l)
{
    const size_t more = (LANES * (hd__size_of(l->type) + PADDING) + 15) / 16 * 16;
    if (!can_stage(l) || (size_t)*bytes + more > MOST_BYTES) return HD__GPU_UNSTAGED;
    const int32_t at = *bytes;
    *bytes += (int32_t)more;
    return at;
}

hd__gpu_staging hd__gpu_stage_structures(const hd__gpu_kernel_config *config)
{
    hd__gpu_staging s = {.out = HD__GPU_UNSTAGED};
    for (int k = 0; k < config->inputs; k++) {
        s.at[k] = place(&s.bytes, &config->in[k]);
        // A lane's result may take the place of what it is made of.
        if (s.at[k] >= 0 && s.out < 0 && config->in[k].type == config->out.type &&
            can_stage(&config->out))
            s.out = s.at[k];
    }
    if (s.out < 0) s.out = place(&s.bytes, &config->out);
    return s;
}

static void emit_bring(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                       const hd__gpu_staging *s)
{
    hd__gpu_emit(t,
                 "HK_FN void hk_bring(const hk_inputs *in, int64_t first, int count, char *stage)"
                 "\n{\n");
    for (int k = 0; k < config->inputs; k++)
        if (s->at[k] >= 0)
            hd__gpu_emit(
                t,
                "    hk_bring_structures(stage + %d, in->view[%d].data + first * "
                "(int64_t)sizeof(hk_in_%d), count, sizeof(hk_in_%d), HK_UNIT(hk_in_%d));\n",
                (int)s->at[k], k, k, k, k);
    hd__gpu_emit(t, "}\n");
}

static void emit_apply(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                       const hd__gpu_staging *s)
{
    hd__gpu_emit(t, "HK_FN void hk_apply(const hk_inputs *in, const hk_view *out, int64_t i, "
                    "char *stage)\n{\n    ");
    if (s->out >= 0)
        hd__gpu_emit(
            t, "*(hk_element *)(stage + %d + hk_lane() * HK_PITCH(hk_element)) = ", (int)s->out);
    else
        hd__gpu_emit(t, "hk_put(out, i, hk_result_of(");
    hd__gpu_emit(t, "hk_function(");
    for (int k = 0; k < config->inputs; k++) {
        hd__gpu_emit(t, k > 0 ? ", " : "");
        if (s->at[k] >= 0)
            hd__gpu_emit(t, "*(hk_in_%d *)(stage + %d + hk_lane() * HK_PITCH(hk_in_%d))", k,
                         (int)s->at[k], k);
        else
            hd__gpu_emit(t, "%shk_one_%d(in, i)", config->in[k].type == HD_BOOL ? "0 != " : "", k);
    }
    hd__gpu_emit(t, s->out >= 0 ? ");\n}\n" : ")));\n}\n");
}

static void emit_take(hd__gpu_text *t, const hd__gpu_staging *s)
{
    hd__gpu_emit(t, "HK_FN void hk_take(const hk_view *out, int64_t first, int count, const char "
                    "*stage)\n{\n");
    if (s->out >= 0)
        hd__gpu_emit(t,
                     "    hk_take_structures(out->data + first * (int64_t)sizeof(hk_element), "
                     "stage + %d, count, sizeof(hk_element), HK_UNIT(hk_element));\n",
                     (int)s->out);
    hd__gpu_emit(t, "}\n");
}

void hd__gpu_emit_structures(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                             const hd_function *map)
{
    const hd__gpu_staging s = hd__gpu_stage_structures(config);
    uint32_t staged = 0;
    hd__gpu_emit(t, "#define HK_LAST_FIRST %d\n", config->last_first);
    for (int k = 0; k < config->inputs; k++) staged |= (uint32_t)(s.at[k] >= 0) << k;
    hd__gpu_emit_function_of(t, map, "hk_element", staged);
    hd__gpu_emit_result(t, config, map);
    emit_bring(t, config, &s);
    emit_apply(t, config, &s);
    emit_take(t, &s);
}
