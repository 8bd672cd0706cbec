// SPDX-License-Identifier: Apache-2.0
// Another layout of the same sequence: every rank knows where all ranks' elements begin, before and
// after, and so what it has of each.
#include "mpi/direct.h"
#include "mpi/stage.h"
#include "redistribute.h"

#include "layout.h"
#include "views.h"

static int64_t overlap(int64_t a, int64_t b, int64_t c, int64_t d)
{
    const int64_t begin = a > c ? a : c, end = b < d ? b : d;
    return end > begin ? end - begin : 0;
}

hd_status hd__mpi_move(hd_mpi *m, hd_status status, hd_view in, hd_view out)
{
    const int64_t *was, *is;
    hd_view counts = HD_EMPTY;
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, 2 * (int64_t)m->ranks, &counts);
    status = hd__mpi_begins(m, status, in.shape[0], &was);
    status = hd__mpi_begins(m, status, out.shape[0], &is);
    if (status == HD_OK && was[m->ranks] != is[m->ranks]) // on every rank
        status = hd__mpi_fail(m, HD_ERROR_SHAPE,
                              "the outs have room for %lld elements; the ins have %lld",
                              (long long)is[m->ranks], (long long)was[m->ranks]);
    if (status != HD_OK) return status;
    int64_t *give = counts.data, *take = give + m->ranks;
    for (int r = 0; r < m->ranks; r++) {
        give[r] = overlap(was[m->rank], was[m->rank + 1], is[r], is[r + 1]);
        take[r] = overlap(is[m->rank], is[m->rank + 1], was[r], was[r + 1]);
    }
    return hd__mpi_exchange(m, hd_type_size(in.type), in, give, out, take);
}

hd_status hd_mpi_redistribute(hd_mpi *mpi, hd_view in, hd_view out,
                              const hd_mpi_redistribute_options *options)
{
    static const char call[] = "hd_mpi_redistribute";
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd__mpi_take_device(mpi);
    const hd_mpi_redistribute_options o = HD__MPI_OPTIONS(hd_mpi_redistribute_options, options);
    hd__mpi_stage(mpi, &in, HD__MPI_READ);
    hd__mpi_stage(mpi, &out, HD__MPI_WRITTEN);
    hd_status status = mpi->staging;
    if (status == HD_OK) status = hd__mpi_check_size(mpi, call, o.size, sizeof o);
    if (status == HD_OK) status = hd__mpi_check_row(mpi, call, "in", &in);
    if (status == HD_OK) status = hd__mpi_check_row(mpi, call, "out", &out);
    if (status == HD_OK && in.type != out.type)
        status = hd__mpi_fail(mpi, HD_ERROR_TYPE, "%s: in is %s, out %s; expected the same", call,
                              hd_type_name(in.type), hd_type_name(out.type));
    if (status == HD_OK && out.read_only != 0)
        status = hd__mpi_fail(mpi, HD_ERROR_ARGUMENT, "%s: out is read-only", call);
    if (status == HD_OK) status = hd__mpi_check_apart(mpi, call, "in", &in, "out", &out);
    return hd__mpi_end(mpi, hd__mpi_move(mpi, status, in, out));
}
