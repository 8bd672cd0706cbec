// SPDX-License-Identifier: Apache-2.0
// hd_mpi_spmv: the elements of x that the columns of this rank's rows name come once each; then
// hd_spmv over what came.
#include "mpi/direct.h"
#include "mpi/layout.h"
#include "mpi/move/requests.h"
#include "mpi/stage.h"
#include "mpi/views.h"

static const char call[] = "hd_mpi_spmv";

typedef struct product {
    hd_mpi *m;
    hd_view offset, column, value, x, y;
    const hd_operator *op;
    hd_spmv_options o;
    hd_view number; // the columns as i64
    const int64_t *begin;
} product;

static hd_status check(product *p)
{
    hd_mpi *m = p->m;
    hd_status status = hd__mpi_check_size(m, call, p->o.size, sizeof p->o);
    if (status == HD_OK) status = m->staging;
    if (status == HD_OK && p->o.method == HD_SPMV_SCAN)
        status = hd__mpi_fail(m, HD_ERROR_ARGUMENT,
                              "%s: the tree of HD_SPMV_SCAN is over the entries of all rows; "
                              "expected HD_SPMV_REDUCE",
                              call);
    if (status == HD_OK) status = hd__mpi_integers(m, call, "column", &p->column, &p->number);
    if (status == HD_OK) status = hd__mpi_dense(m, call, "x", &p->x, &p->x);
    if (status == HD_OK) status = hd__mpi_check_row(m, call, "y", &p->y);
    if (status == HD_OK) status = hd__mpi_check_apart(m, call, "y", &p->y, "column", &p->number);
    return status != HD_OK ? status : hd__mpi_check_apart(m, call, "y", &p->y, "x", &p->x);
}

// The first entry of all rows whose column is none.
static hd_status check_columns(const product *p)
{
    int64_t bad, here;
    const int64_t columns = p->begin[p->m->ranks];
    const hd_status status = hd__mpi_first_bad(p->m, HD_OK, p->number, columns, &bad, &here);
    if (status != HD_OK || here < 0) return status;
    return hd__mpi_fail_bad(p->m, call, "column", &p->column, bad, here, columns);
}

static hd_status run(product *p, hd_status status)
{
    hd__mpi_requests asked;
    hd_view fetched;
    const hd__mpi_number same[] = {{"the type of x", p->x.type}, {"method", p->o.method}};
    status = hd__mpi_same_numbers(p->m, status, call, same, 2);
    status = hd__mpi_begins(p->m, status, status == HD_OK ? p->x.shape[0] : 0, &p->begin);
    if (status == HD_OK) status = check_columns(p);
    status = hd__mpi_request(p->m, status, p->begin, p->number, &asked);
    status = hd__mpi_fetch(p->m, status, &asked, p->x, &fetched);
    if (status != HD_OK) return status;
    return hd__mpi_failed(
        p->m, hd_spmv(p->m->ctx, p->offset, asked.slot, p->value, fetched, p->op, p->y, &p->o));
}

hd_status hd_mpi_spmv(hd_mpi *mpi, hd_view offset, hd_view column, hd_view value, hd_view x,
                      const hd_operator *op, hd_view y, const hd_spmv_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd__mpi_take_device(mpi);
    product p = {mpi, offset, column, value, x, y, op, {0}, HD_EMPTY, NULL};
    hd_view *const read[] = {&p.offset, &p.column, &p.value, &p.x};
    p.o = HD__MPI_OPTIONS(hd_spmv_options, options);
    for (int k = 0; k < 4; k++) hd__mpi_stage(mpi, read[k], HD__MPI_READ);
    hd__mpi_stage(mpi, &p.y, HD__MPI_WRITTEN);
    return hd__mpi_end(mpi, run(&p, check(&p)));
}
