// SPDX-License-Identifier: Apache-2.0
// hd_mpi_list_rank: links are read and checked, nodes ranked, and a node without a rank is on a
// circle.
#include "contract.h"
#include "links.h"
#include "mpi/layout.h"
#include "mpi/stage.h"
#include "mpi/views.h"

static const char call[] = "hd_mpi_list_rank";

static hd_status check(hd_mpi *m, const hd_view *next, const hd_view *out, const hd_list_options *o,
                       hd_view *number)
{
    hd_status status = hd__mpi_check_size(m, call, o->size, sizeof *o);
    if (status == HD_OK) status = m->staging;
    if (status == HD_OK && (o->method != HD_LIST_EFFICIENT || o->reserved_flag ||
                            o->heads != NULL || o->steps != NULL || o->work != NULL))
        status = hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: options are from_head and lists", call);
    if (status == HD_OK) status = hd__mpi_check_number(m, call, "lists", o->lists);
    if (status == HD_OK) status = hd__mpi_integers(m, call, "next", next, number);
    if (status == HD_OK) status = hd__mpi_check_row(m, call, "out", out);
    if (status == HD_OK && out->shape[0] != number->shape[0])
        status = hd__mpi_fail(m, HD_ERROR_SHAPE,
                              "%s: out has %lld elements; expected %lld, as the links", call,
                              (long long)out->shape[0], (long long)number->shape[0]);
    return status;
}

// ---- The call -----------------------------------------------------------------------------------

static hd_status run(hd__mpi_list *l, hd_status status, hd_view next, hd_view out,
                     const hd_list_options *o)
{
    hd_view number = HD_EMPTY, rank;
    if (status == HD_OK) status = check(l->m, &next, &out, o, &number);
    const hd__mpi_number same[] = {{"from_head", o->from_head}};
    status = hd__mpi_same_numbers(l->m, status, call, same, 1);
    l->n = status == HD_OK ? number.shape[0] : 0;
    status = hd__mpi_begins(l->m, status, l->n, &l->begin);
    if (status == HD_OK)
        status = hd__mpi_check_holds(l->m, call, "out", &out, l->begin[l->m->ranks]);
    status = hd__mpi_agree(l->m, status);
    status = hd__mpi_read_links(l, status, call, next.type, number);
    hd__mpi_drop(l->m, &number);
    if (status == HD_OK && o->from_head) status = hd__mpi_turn_links(l);
    status = hd__mpi_rank_list(l, status, &rank, NULL);
    if (status == HD_OK) status = hd__mpi_check_circles(l, call, rank);
    status = hd__mpi_agree(l->m, status);
    if (status == HD_OK) status = hd__mpi_failed(l->m, hd_map(l->m->ctx, rank, NULL, out, NULL));
    if (status == HD_OK) hd__mpi_give_number(o->lists, l->lists);
    return status;
}

hd_status hd_mpi_list_rank(hd_mpi *mpi, hd_view next, hd_view out, const hd_list_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd_list_options o = HD__MPI_OPTIONS(hd_list_options, options);
    hd__mpi_stage(mpi, &next, HD__MPI_READ);
    hd__mpi_stage(mpi, &out, HD__MPI_WRITTEN);
    hd__mpi_stage_option(mpi, &o.lists, HD__MPI_UPDATED);
    hd__mpi_list l = {.m = mpi};
    return hd__mpi_end(mpi, run(&l, HD_OK, next, out, &o));
}
