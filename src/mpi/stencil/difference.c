// SPDX-License-Identifier: Apache-2.0
// hd_mpi_difference: hd_difference over this rank's rows, and its first one again behind the last
// one of the ranks before.
#include "mpi/direct.h"
#include "mpi/layout.h"
#include "mpi/move/requests.h"
#include "mpi/stage.h"
#include "mpi/views.h"

static const char name[] = "hd_mpi_difference";

typedef struct difference {
    hd_mpi *m;
    hd_view in, out; // cut along their first axis, along which they are subtracted
    hd_difference_options o;
    bool along; // else along another axis, so that each rank has all it needs
    const int64_t *begin;
    hd_view pair, result; // the row before this rank's, and its first one
} difference;

static hd_status check(difference *d)
{
    hd_mpi *m = d->m;
    hd_status status = hd__mpi_check_size(m, name, d->o.size, sizeof d->o);
    if (status == HD_OK) status = m->staging;
    if (status == HD_OK) status = hd__mpi_check_array(m, name, "in", &d->in);
    if (status == HD_OK) status = hd__mpi_check_array(m, name, "out", &d->out);
    if (status != HD_OK) return status;
    d->along = d->o.axis == 0 || d->o.axis == HD_AXIS(0);
    if (d->o.axis == 0 && hd_count(d->in) == hd_count(d->out)) { // everything, row-major
        d->in = hd__mpi_flat(&d->in);
        d->out = hd__mpi_flat(&d->out);
    }
    return HD_OK;
}

// The last row before this rank's, and its own first one, before out is written, which may be in.
static hd_status fetch_pair(difference *d, hd_status status)
{
    hd_mpi *m = d->m;
    hd__mpi_requests wanted;
    hd_view fetched;
    int64_t before = -1;
    if (status == HD_OK && d->along && d->in.shape[0] > 0) before = d->begin[m->rank] - 1;
    status = hd__mpi_request(m, status, d->begin, HD_VIEW(&before, 1), &wanted);
    status = hd__mpi_fetch(m, status, &wanted, d->in, &fetched);
    if (status != HD_OK || before < 0) return status;
    status = hd__mpi_rows_like(m, &d->in, d->in.type, 2, &d->pair);
    if (status == HD_OK) status = hd__mpi_rows_like(m, &d->out, d->out.type, 2, &d->result);
    const int64_t bytes = hd__mpi_row_bytes(&d->in);
    if (status == HD_OK) status = hd__mpi_copy_bytes(m, d->pair, 0, fetched, 0, bytes);
    return status != HD_OK ? status : hd__mpi_copy_bytes(m, d->pair, bytes, d->in, 0, bytes);
}

static hd_status run(difference *d)
{
    hd_mpi *m = d->m;
    const int64_t bytes = hd__mpi_row_bytes(&d->out);
    hd_status status = hd__mpi_failed(m, hd_difference(m->ctx, d->in, d->out, &d->o));
    if (status != HD_OK || d->pair.type == HD_NONE || bytes == 0) return status;
    status = hd__mpi_failed(m, hd_difference(m->ctx, d->pair, d->result, &d->o));
    return status != HD_OK ? status : hd__mpi_copy_bytes(m, d->out, 0, d->result, bytes, bytes);
}

hd_status hd_mpi_difference(hd_mpi *mpi, hd_view in, hd_view out,
                            const hd_difference_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd__mpi_take_device(mpi);
    difference d = {.m = mpi, .in = in, .out = out};
    d.o = HD__MPI_OPTIONS(hd_difference_options, options);
    hd__mpi_stage(mpi, &d.in, HD__MPI_READ);
    hd__mpi_stage(mpi, &d.out, HD__MPI_WRITTEN);
    hd_status status = check(&d);
    const bool well = status == HD_OK;
    const hd__mpi_number same[] = {
        {"the bytes of a row of in", well ? hd__mpi_row_bytes(&d.in) : 0}, {"axis", d.o.axis}};
    status = hd__mpi_same_numbers(mpi, status, name, same, 2);
    status = hd__mpi_begins(mpi, status, well ? d.in.shape[0] : 0, &d.begin);
    status = fetch_pair(&d, status);
    if (status == HD_OK) status = run(&d);
    return hd__mpi_end(mpi, status);
}
