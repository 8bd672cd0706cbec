// SPDX-License-Identifier: Apache-2.0
// Carries of this rank's elements, or of some of them, with what goes along.
#include "part.h"

// A view that goes along with in, where it is not one element for all.
static hd_view along(hd_view v, int64_t at, int64_t n)
{
    return v.ndim == 1 && v.shape[0] != 1 ? hd_slice(v, 0, at, n, 1) : v;
}

void hd__mpi_take_part(const hd__mpi_fold *f, int64_t at, int64_t n, hd__mpi_part *part)
{
    const bool all = at == 0 && n == f->in.shape[0];
    part->in = all ? f->in : hd_slice(f->in, 0, at, n, 1);
    part->with = f->with;
    if (all || f->with.count < 1 || f->with.count > HD_MAX_INPUTS || f->with.view == NULL) return;
    for (int64_t k = 0; k < f->with.count; k++) part->view[k] = along(f->with.view[k], at, n);
    part->with.view = part->view;
}

hd_reduce_options hd__mpi_part_options(const hd__mpi_fold *f, const hd__mpi_part *part,
                                       hd_carry *carry)
{
    return (hd_reduce_options){.map = f->map,
                               .with = part->with,
                               .ddof = f->ddof,
                               .accumulate = f->accumulate,
                               .carry = carry};
}

hd_status hd__mpi_open_carry(const hd__mpi_fold *f, int64_t first, int64_t at, int64_t n,
                             hd_carry **carry)
{
    hd_mpi *m = f->m;
    hd__mpi_part part;
    const hd_status status = hd__mpi_failed(m, hd_carry_open_at(m->ctx, carry, first));
    if (status != HD_OK) return status;
    hd__mpi_take_part(f, at, n, &part);
    const hd_reduce_options o = hd__mpi_part_options(f, &part, *carry);
    return hd__mpi_failed(m, hd_reduce(m->ctx, part.in, f->op, HD_VIEW_OF(f->type, NULL, 0), &o));
}
