// SPDX-License-Identifier: Apache-2.0
//
// What kernels that choose elements need: the label of an element, whether it is set, whether two
// neighbours differ, and outputs of elements and of integers.
#include "emit_convert.h"
#include "emit_kernel.h"

#include <stdio.h>

// ---- Outputs of integers -------------------------------------------------------------------------

void hd__say_integers(hd__text *t, const hd__shape *s)
{
    static const char *const names[HD__INTEGERS][2] = {{"INDICES", "index"},
                                                       {"LENGTHS", "length"},
                                                       {"COUNTS", "count"},
                                                       {"BEGINS", "begin"},
                                                       {"KEYS", "key"}};
    for (int k = 0; k < HD__INTEGERS; k++) {
        const hd__layout *l = &s->integer[k];
        char name[32];
        hd__say(t, "#define HD_%s %d\n", names[k][0], l->form != HD__ABSENT);
        if (l->form == HD__ABSENT) continue;
        snprintf(name, sizeof name, "hd_put_%s", names[k][1]);
        hd__say_writing(t, s, l, hd__type_text(l->type), name);
    }
}

// ---- Labels --------------------------------------------------------------------------------------

static void say_label(hd__text *t, const hd__shape *s, const hd_function *map, bool run)
{
    const char *const own = run ? "e[j]" : "e";
    if (map == NULL) {
        hd__say(t, "%s", s->inputs == 1 ? own : run ? "x1[j]" : "hd_one_1(in, i)");
        return;
    }
    hd__say(t, "hd_function(");
    for (int k = 0; k < s->inputs; k++) {
        hd__say(t, k > 0 ? ", " : "");
        if (s->in[k].type == HD_BOOL) hd__say(t, "0 != ");
        if (k == 0)
            hd__say(t, "%s", own);
        else
            hd__say(t, run ? "x%d[j]" : "hd_one_%d(in, i)", k);
    }
    hd__say(t, ")");
}

// hd_label_one, hd_label_run: of an element that is at hand, and others of its index.
static void say_labels(hd__text *t, const hd__shape *s, const hd_function *map)
{
    if (map != NULL)
        hd__say_function(t, map, "hd_label");
    else
        hd__say(t, "typedef hd_in_%d hd_label;\n", s->inputs == 1 ? 0 : 1);
    hd__say(t, "HD_FN hd_label hd_label_one(const hd_inputs *in, int64_t i, hd_element e)\n"
               "{\n    return ");
    say_label(t, s, map, false);
    hd__say(t, ";\n}\nHD_FN void hd_label_run(const hd_inputs *in, int64_t i, const hd_element *e, "
               "hd_label *l)\n{\n");
    for (int k = 1; k < s->inputs; k++)
        hd__say(t, "    hd_in_%d x%d[HD_K];\n    hd_run_%d(in, i, x%d);\n", k, k, k, k);
    hd__say(t, "#pragma unroll\n    for (int j = 0; j < HD_K; j++) l[j] = ");
    say_label(t, s, map, true);
    hd__say(t, ";\n}\n");
    const hd_type type = map != NULL ? map->result : s->in[s->inputs == 1 ? 0 : 1].type;
    const bool half = type == HD_F16 || type == HD_BF16;
    hd__say(t, "HD_FN bool hd_is_set(hd_label l)\n{\n    return %s != 0;\n}\n",
            half ? "(l & 0x7fff)" : "l");
}

static void say_differs(hd__text *t, const hd__shape *s)
{
    const hd_type type = s->in[0].type;
    hd__say(t, "HD_FN bool hd_differs(hd_element a, hd_element b)\n{\n");
    if (!hd__is_number(type))
        hd__say(t, "    bool differ = false;\n#pragma unroll\n"
                   "    for (int k = 0; k < (int)(sizeof a.part / sizeof a.part[0]); k++)\n"
                   "        differ |= a.part[k] != b.part[k];\n    return differ;\n}\n");
    else if (type == HD_BOOL)
        hd__say(t, "    return (a != 0) != (b != 0);\n}\n");
    else if (type == HD_F16 || type == HD_BF16)
        hd__say(t, "    return hd_%s_to_f32(a) != hd_%s_to_f32(b);\n}\n",
                type == HD_F16 ? "f16" : "bf16", type == HD_F16 ? "f16" : "bf16");
    else
        hd__say(t, "    return a != b;\n}\n");
}

// ---- All of it -----------------------------------------------------------------------------------

void hd__say_labels(hd__text *t, const hd__shape *s, const hd_function *map)
{
    const size_t size = hd__size_of(s->in[0].type);
    const bool out = s->out.form != HD__ABSENT;
    hd__say(t, "#define HD_HEADS %d\n#define HD_INVERT %d\n#define HD_BOTH %d\n", s->heads,
            s->invert, s->both);
    hd__say(t, "#define HD_IN_PLACE %d\n#define HD_OUT %d\n", s->in_place, out);
    // Elements of less than a word that lie together are written by words.
    hd__say(t, "#define HD_OUT_BYTES %d\n",
            s->out.form == HD__DENSE && size < 4 && hd__is_number(s->out.type) ? (int)size : 0);
    hd__say(t, "#define HD_OUT_DENSE %d\n", s->out.form == HD__DENSE);
    hd__say(t, "#define HD_STAGE_BYTES %d\n#define HD_DENSE %d\n", (int)s->stage_bytes, s->dense);
    hd__say(t, "#define HD_EARLY %d\n#define HD_KNOWN %d\n",
            !s->heads && map == NULL && s->inputs > 1, s->known);
    if (s->bits > 0)
        hd__say(t, "#define HD_BITS %d\n#define HD_PASSES %d\ntypedef %s hd_key;\n", s->bits,
                s->passes, s->wide_keys ? "uint64_t" : "uint32_t");
    hd__say(t, "#define HD_LOOSE %d\n#define HD_AT_ONCE %d\n", s->loose, s->at_once);
    hd__say_inputs(t, s, NULL, map);
    hd__say(t, "typedef hd_in_0 hd_element;\n");
    if (s->heads)
        say_differs(t, s);
    else
        say_labels(t, s, map);
    if (out) hd__say_writing(t, s, &s->out, "hd_element", "hd_put");
    if (s->at_once) hd__say(t, "#define HD_FAR %d\n", s->far);
    if (s->at_once) hd__say_writing(t, s, &s->values, "hd_element", "hd_put_place");
    hd__say_integers(t, s);
}
