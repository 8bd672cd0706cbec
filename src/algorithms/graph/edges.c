// SPDX-License-Identifier: Apache-2.0
#include "edges.h"

#include <inttypes.h>

HD_FUNCTION(differ_32, bool, HD_NO_SOURCE, (int32_t, a, int32_t, b), { return a != b; })
HD_FUNCTION(differ_64, bool, HD_NO_SOURCE, (int64_t, a, int64_t, b), { return a != b; })
HD_FUNCTION(differ_ends_32, bool, HD_NO_SOURCE, (int32_t, id, int32_t, a, int32_t, b),
            { return (id >= 0) & (a != b); })
HD_FUNCTION(differ_ends_64, bool, HD_NO_SOURCE, (int64_t, id, int64_t, a, int64_t, b),
            { return (id >= 0) & (a != b); })
HD_FUNCTION(lower_32, int32_t, HD_NO_SOURCE, (int32_t, a, int32_t, b), { return a < b ? a : b; })
HD_FUNCTION(lower_64, int64_t, HD_NO_SOURCE, (int64_t, a, int64_t, b), { return a < b ? a : b; })
HD_FUNCTION(higher_32, int32_t, HD_NO_SOURCE, (int32_t, a, int32_t, b), { return a < b ? b : a; })
HD_FUNCTION(higher_64, int64_t, HD_NO_SOURCE, (int64_t, a, int64_t, b), { return a < b ? b : a; })
HD_FUNCTION(is_root_32, int32_t, HD_NO_SOURCE, (int32_t, f, int64_t, i), { return f == i; })
HD_FUNCTION(is_root_64, int64_t, HD_NO_SOURCE, (int64_t, f, int64_t, i), { return f == i; })
HD_FUNCTION(narrow_32, int32_t, HD_NO_SOURCE, (int64_t, i), { return (int32_t)i; })
HD_FUNCTION(narrow_64, int64_t, HD_NO_SOURCE, (int64_t, i), { return i; })
HD_FUNCTION_STATE(other_end_32, int32_t, HD_NO_SOURCE,
                  (int32_t, best, int64_t, c, int32_t, u, int32_t, v), int64_t, {
                      return best >= *state ? (int32_t)c : u == c ? v : u;
                  })
HD_FUNCTION_STATE(other_end_64, int64_t, HD_NO_SOURCE,
                  (int64_t, best, int64_t, c, int64_t, u, int64_t, v), int64_t, {
                      return best >= *state ? c : u == c ? v : u;
                  })
// Two trees that chose the same edge: the lower one is the root.
HD_FUNCTION(hook_32, int32_t, HD_NO_SOURCE,
            (int32_t, other, int64_t, c, int32_t, best, int32_t, best_of_other),
            { return best == best_of_other && c < other ? (int32_t)c : other; })
HD_FUNCTION(hook_64, int64_t, HD_NO_SOURCE,
            (int64_t, other, int64_t, c, int64_t, best, int64_t, best_of_other),
            { return best == best_of_other && c < other ? c : other; })
HD_FUNCTION_STATE(chosen_32, int32_t, HD_NO_SOURCE, (int32_t, best, int32_t, id), int64_t,
                  { return best >= *state ? -1 : id; })
HD_FUNCTION_STATE(chosen_64, int64_t, HD_NO_SOURCE, (int64_t, best, int64_t, id), int64_t,
                  { return best >= *state ? -1 : id; })

const hd__edge_functions *hd__edge_functions_of(hd_type type)
{
    static const hd__edge_functions narrow = {HD_I32,    differ_32,  differ_ends_32, lower_32,
                                              higher_32, is_root_32, narrow_32,      other_end_32,
                                              hook_32,   chosen_32};
    static const hd__edge_functions wide = {HD_I64,    differ_64,  differ_ends_64, lower_64,
                                            higher_64, is_root_64, narrow_64,      other_end_64,
                                            hook_64,   chosen_64};
    return type == HD_I32 ? &narrow : &wide;
}

hd_status hd__edges_open(hd__frame *f, hd_view u, hd_view v, int64_t nodes, hd__edges *e)
{
    *e = (hd__edges){.n = nodes, .m = hd_count(u)};
    e->on = hd__edge_functions_of(hd__frame_index_type(nodes));
    if (nodes < 0)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT, "%" PRId64 " nodes; expected 0 or more", nodes);
    if (u.ndim != 1 || v.ndim != 1 || hd_count(v) != e->m)
        return hd__frame_fail(f, HD_ERROR_SHAPE,
                              "u has %" PRId64 " elements and v %" PRId64
                              "; expected as many, in one dimension",
                              e->m, hd_count(v));
    const hd_status status = hd__frame_indices(f, "node u of edge", u, nodes, &e->u);
    return status ? status : hd__frame_indices(f, "node v of edge", v, nodes, &e->v);
}

hd_status hd__edges_tell(hd__frame *f, const hd_view *option, int64_t value)
{
    if (option == NULL || option->type == HD_NONE) return HD_OK;
    return hd_map(f->ctx, hd_constant(value, 1), NULL, *option, NULL);
}
