// SPDX-License-Identifier: Apache-2.0
// Kept elements are distributed evenly over the ranks again where the caller asks for it, and
// converted to the type of the output.
#include "rebalance.h"

#include "mpi/direct.h"
#include "mpi/redistribute.h"

hd_status hd__mpi_plan_rebalance(hd_mpi *m, hd_status status, const char *call, int64_t kept,
                                 bool even, hd__mpi_rebalance *s)
{
    int64_t first = 0, all = 0;
    *s = (hd__mpi_rebalance){.m = m, .call = call, .even = even, .kept = kept, .mine = kept};
    status = hd__mpi_layout(m, status, kept, &first, &all);
    if (status == HD_OK && even)
        s->mine = hd_mpi_even(all, m->rank + 1, m->ranks) - hd_mpi_even(all, m->rank, m->ranks);
    return status;
}

static bool is_empty(const hd_view *v)
{
    return v == NULL || v->type == HD_NONE;
}

hd_status hd__mpi_check_rebalanced(hd_mpi *m, const char *call, const char *name,
                                   const hd_view *out, hd_type type)
{
    if (is_empty(out)) return HD_OK;
    const hd_status status = hd__mpi_check_row(m, call, name, out);
    if (status != HD_OK) return status;
    if (out->read_only != 0)
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: %s is read-only", call, name);
    if (out->type == type || (type == HD_I64 && out->type >= HD_I8 && out->type <= HD_U64))
        return HD_OK;
    return hd__mpi_fail(m, HD_ERROR_TYPE, "%s: %s is %s; expected %s", call, name,
                        hd_type_name(out->type), type == HD_I64 ? "integers" : hd_type_name(type));
}

static hd_status check_room(const hd__mpi_rebalance *s, const char *name, const hd_view *out)
{
    if (out->shape[0] >= s->mine) return HD_OK;
    return hd__mpi_fail(s->m, HD_ERROR_SHAPE, "%s: %s has room for %lld elements; expected %lld",
                        s->call, name, (long long)out->shape[0], (long long)s->mine);
}

hd_status hd__mpi_rebalance_into(const hd__mpi_rebalance *s, hd_status status, const char *name,
                                 hd_view here, const hd_view *out)
{
    hd_mpi *m = s->m;
    hd_view moved = HD_EMPTY;
    if (is_empty(out)) return status;
    if (status == HD_OK) status = check_room(s, name, out);
    if (status == HD_OK) here.shape[0] = s->kept;
    if (s->even) {
        if (status == HD_OK) status = hd__mpi_row_near(m, out, here.type, s->mine, &moved);
        status = hd__mpi_move(m, status, here, moved);
        here = moved;
    }
    if (status == HD_OK)
        status =
            hd__mpi_failed(m, hd_map(m->ctx, here, NULL, hd_slice(*out, 0, 0, s->mine, 1), NULL));
    hd__mpi_drop(m, &moved);
    return status;
}
