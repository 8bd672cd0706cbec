// SPDX-License-Identifier: Apache-2.0
//
// What kernels that choose elements need: the label of an element, whether it is set, whether two
// neighbours differ, and outputs of elements and of integers.
#include "emit_convert.h"
#include "emit_kernel.h"

#include <stdio.h>

// ---- Outputs of integers ------------------------------------------------------------------------

void hd__say_integers(hd__text *t, const hd__shape *s)
{
    static const char *const names[HD__INTEGERS] = {"index", "length", "count", "begin", "key"};
    for (int k = 0; k < HD__INTEGERS; k++) {
        const hd__layout *l = &s->integer[k];
        char name[32];
        snprintf(name, sizeof name, "hk_put_%s", names[k]);
        hd__say_writing(t, s, l, l->form != HD__ABSENT ? hd__type_text(l->type) : "int64_t", name);
    }
}

// ---- Labels -------------------------------------------------------------------------------------

static void say_label(hd__text *t, const hd__shape *s, const hd_function *map, bool run)
{
    const char *const own = run ? "e[j]" : "e";
    if (map == NULL) {
        hd__say(t, "%s", s->inputs == 1 ? own : run ? "x1[j]" : "hk_one_1(in, i)");
        return;
    }
    hd__say(t, "hk_function(");
    for (int k = 0; k < s->inputs; k++) {
        hd__say(t, k > 0 ? ", " : "");
        if (s->in[k].type == HD_BOOL) hd__say(t, "0 != ");
        if (k == 0)
            hd__say(t, "%s", own);
        else
            hd__say(t, run ? "x%d[j]" : "hk_one_%d(in, i)", k);
    }
    hd__say(t, ")");
}

// hk_label_one, hk_label_run: of an element that is at hand, and others of its index.
static void say_labels(hd__text *t, const hd__shape *s, const hd_function *map)
{
    if (map != NULL)
        hd__say_function(t, map, "hk_label");
    else
        hd__say(t, "typedef hk_in_%d hk_label;\n", s->inputs == 1 ? 0 : 1);
    hd__say(t, "HK_FN hk_label hk_label_one(const hk_inputs *in, int64_t i, hk_element e)\n"
               "{\n    return ");
    say_label(t, s, map, false);
    hd__say(t, ";\n}\nHK_FN void hk_label_run(const hk_inputs *in, int64_t i, const hk_element *e, "
               "hk_label *l)\n{\n");
    for (int k = 1; k < s->inputs; k++)
        hd__say(t, "    hk_in_%d x%d[HK_K];\n    hk_run_%d(in, i, x%d);\n", k, k, k, k);
    hd__say(t, "#pragma unroll\n    for (int j = 0; j < HK_K; j++) l[j] = ");
    say_label(t, s, map, true);
    hd__say(t, ";\n}\n");
    const hd_type type = map != NULL ? map->result : s->in[s->inputs == 1 ? 0 : 1].type;
    const bool half = type == HD_F16 || type == HD_BF16;
    hd__say(t, "HK_FN bool hk_is_set(hk_label l)\n{\n    return %s != 0;\n}\n",
            half ? "(l & 0x7fff)" : "l");
}

static void say_differs(hd__text *t, const hd__shape *s)
{
    const hd_type type = s->in[0].type;
    hd__say(t, "HK_FN bool hk_differs(hk_element a, hk_element b)\n{\n");
    if (!hd__is_number(type))
        hd__say(t, "    bool differ = false;\n#pragma unroll\n"
                   "    for (int k = 0; k < (int)(sizeof a.part / sizeof a.part[0]); k++)\n"
                   "        differ |= a.part[k] != b.part[k];\n    return differ;\n}\n");
    else if (type == HD_BOOL)
        hd__say(t, "    return (a != 0) != (b != 0);\n}\n");
    else if (type == HD_F16 || type == HD_BF16)
        hd__say(t, "    return hk_%s_to_f32(a) != hk_%s_to_f32(b);\n}\n",
                type == HD_F16 ? "f16" : "bf16", type == HD_F16 ? "f16" : "bf16");
    else
        hd__say(t, "    return a != b;\n}\n");
}

// ---- All of it ----------------------------------------------------------------------------------

// Kernels that look for heads of runs have no labels.
static void say_no_labels(hd__text *t)
{
    hd__say_all(t, "typedef uint8_t hk_label;\n"
                   "HK_FN hk_label hk_label_one(const hk_inputs *in, int64_t i, hk_element e)\n{\n"
                   "    return 0;\n}\n"
                   "HK_FN void hk_label_run(const hk_inputs *in, int64_t i, const hk_element *e, "
                   "hk_label *l)\n{\n}\n"
                   "HK_FN bool hk_is_set(hk_label l)\n{\n    return false;\n}\n");
}

void hd__say_labels(hd__text *t, const hd__shape *s, const hd_function *map)
{
    hd__say(t, "typedef %s hk_key;\n", s->wide_keys ? "uint64_t" : "uint32_t");
    hd__say_inputs(t, s, NULL, map);
    hd__say(t, "typedef hk_in_0 hk_element;\n");
    say_differs(t, s);
    if (s->heads)
        say_no_labels(t);
    else
        say_labels(t, s, map);
    hd__say_writing(t, s, &s->out, "hk_element", "hk_put");
    hd__say_writing(t, s, &s->values, "hk_element", "hk_put_place");
    hd__say_integers(t, s);
    hd__say_bounds(t, &s->offsets);
}
