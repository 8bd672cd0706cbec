// SPDX-License-Identifier: Apache-2.0
// hd_mpi_gather: each rank asks the owners for the elements that its indices name, each different
// one once, and gathers from what it got as on one machine.
#include "mpi/direct.h"
#include "mpi/layout.h"
#include "mpi/stage.h"
#include "mpi/views.h"
#include "requests.h"

static const char call[] = "hd_mpi_gather";

typedef struct gathering {
    hd_mpi *m;
    hd_view in, index, out;
    hd_gather_options o;
    hd_view numbers; // the index as i64
    const int64_t *begin;
    int64_t all; // elements, or rows, of in
} gathering;

static hd_status check(gathering *g)
{
    hd_mpi *m = g->m;
    hd_status status = hd__mpi_check_size(m, call, g->o.size, sizeof g->o);
    if (status == HD_OK) status = m->staging;
    if (status != HD_OK) return status;
    if (g->o.axis != 0 && g->o.axis != HD_AXIS(0))
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: axis is not the first one", call);
    status = g->o.axis != 0 ? hd__mpi_check_array(m, call, "in", &g->in)
                            : hd__mpi_check_row(m, call, "in", &g->in);
    if (status == HD_OK) status = hd__mpi_check_number(m, call, "bad", g->o.bad);
    if (status == HD_OK) status = hd__mpi_integers(m, call, "index", &g->index, &g->numbers);
    if (status == HD_OK) status = hd__mpi_check_array(m, call, "out", &g->out);
    if (status != HD_OK) return status;
    const hd_view in = hd__mpi_flat(&g->in), out = hd__mpi_flat(&g->out);
    status = hd__mpi_check_apart(m, call, "out", &out, "in", &in);
    if (status == HD_OK && g->numbers.data == g->index.data)
        status = hd__mpi_check_apart(m, call, "out", &out, "index", &g->numbers);
    return status;
}

static hd_status agree(gathering *g, hd_status status)
{
    const hd__mpi_number same[] = {
        {"the type of in", g->in.type},
        {"the bytes of a row of in", status == HD_OK ? hd__mpi_row_bytes(&g->in) : 0},
        {"axis", g->o.axis},
        {"whether the index is checked", g->o.checked || g->o.bad != NULL}};
    return hd__mpi_same_numbers(g->m, status, call, same, 4);
}

// The first index out of range, where it is asked for.
static hd_status look_for_bad(gathering *g)
{
    int64_t bad = -1, here = -1;
    if (!g->o.checked && g->o.bad == NULL) return HD_OK;
    const hd_status status =
        hd__mpi_first_bad(g->m, HD_OK, g->numbers, g->begin[g->m->ranks], &bad, &here);
    if (status != HD_OK) return status;
    hd__mpi_give_number(g->o.bad, bad);
    if (!g->o.checked || here < 0) return HD_OK;
    return hd__mpi_fail_bad(g->m, call, "index", &g->index, bad, here, g->begin[g->m->ranks]);
}

static hd_status gather_here(gathering *g, const hd__mpi_requests *r, hd_view fetched)
{
    g->o.checked = false;
    g->o.bad = NULL;
    return hd__mpi_failed(g->m, hd_gather(g->m->ctx, fetched, r->slot, g->out, &g->o));
}

static hd_status run(gathering *g, hd_status status)
{
    hd__mpi_requests r;
    hd_view fetched;
    status = agree(g, status);
    status = hd__mpi_begins(g->m, status, status == HD_OK ? g->in.shape[0] : 0, &g->begin);
    if (status == HD_OK) status = look_for_bad(g);
    status = hd__mpi_request(g->m, status, g->begin, g->numbers, &r);
    status = hd__mpi_fetch(g->m, status, &r, g->in, &fetched);
    return status != HD_OK ? status : gather_here(g, &r, fetched);
}

hd_status hd_mpi_gather(hd_mpi *mpi, hd_view in, hd_view index, hd_view out,
                        const hd_gather_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd__mpi_take_device(mpi);
    gathering g = {.m = mpi, .in = in, .index = index, .out = out};
    g.o = HD__MPI_OPTIONS(hd_gather_options, options);
    hd__mpi_stage(mpi, &g.in, HD__MPI_READ);
    hd__mpi_stage(mpi, &g.index, HD__MPI_READ);
    hd__mpi_stage(mpi, &g.out, HD__MPI_WRITTEN);
    hd__mpi_stage_small_option(mpi, &g.o.bad, HD__MPI_UPDATED);
    hd__mpi_stage_list(mpi, &g.o.with, 0);
    return hd__mpi_end(mpi, run(&g, check(&g)));
}
