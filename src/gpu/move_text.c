// SPDX-License-Identifier: Apache-2.0
// What kernels that fetch elements by an index need: the index, and what becomes of an element.
#include "gpu/convert_text.h"
#include "gpu/preamble.h"

void hd__say_gather(hd__text *t, const hd__shape *s, const hd_function *map)
{
    const bool converts = map == NULL && hd__is_number(s->out.type);
    hd__say(t, "#define HD_SLICES %d\n", s->slices);
    hd__say_inputs(t, s, NULL, map);
    if (map != NULL)
        hd__say_function(t, map, "hd_result");
    else
        hd__say(t, "typedef %s hd_result;\n", converts ? hd__type_text(s->out.type) : "hd_in_0");
    hd__say(t, "HD_FN hd_result hd_result_at(const hd_inputs *in, int64_t i, hd_in_0 x)\n"
               "{\n    return ");
    if (map == NULL && converts && s->out.type != s->in[0].type) {
        hd__say_conversion(t, s->out.type, s->in[0].type, "x");
    } else if (map == NULL) {
        hd__say(t, "x"); // its bits as they are
    } else {
        hd__say(t, "hd_function(");
        for (int k = 0; k < s->inputs; k++) {
            hd__say(t, k > 0 ? ", " : "");
            if (s->in[k].type == HD_BOOL) hd__say(t, "0 != ");
            hd__say(t, k > 0 ? "hd_one_%d(in, i)" : "x", k);
        }
        hd__say(t, ")");
    }
    hd__say(t, ";\n}\n");
    hd__say_writing(t, s, &s->out, "hd_result", "hd_put");
    hd__say_bounds(t, &s->offsets);
}
