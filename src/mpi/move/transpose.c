// SPDX-License-Identifier: Apache-2.0
// hd_mpi_transpose: each rank transposes its rows, whose columns for another rank then lie one
// behind the other; what comes are blocks of columns of out.
#include "mpi/direct.h"
#include "mpi/layout.h"
#include "mpi/stage.h"
#include "mpi/views.h"

static const char call[] = "hd_mpi_transpose";

typedef struct transposing {
    hd_mpi *m;
    hd_view in, out;
    const int64_t *in_begin, *out_begin; // rows
    int64_t *give, *take;                // elements to and from each rank
} transposing;

static hd_status check_matrix(hd_mpi *m, const char *name, const hd_view *v)
{
    if (hd_type_size(v->type) == 0)
        return hd__mpi_fail(m, HD_ERROR_TYPE, "%s: %s has no type", call, name);
    if (v->ndim != 2 || hd_count(*v) < 0)
        return hd__mpi_fail(m, HD_ERROR_SHAPE, "%s: %s has %d dimensions; expected two", call, name,
                            (int)v->ndim);
    if (!hd__mpi_is_reachable(m, v) || (v->data == NULL && hd_count(*v) > 0))
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: %s is not in host memory", call, name);
    return HD_OK;
}

static hd_status check(const transposing *t, const hd_transpose_options *o)
{
    hd_mpi *m = t->m;
    hd_status status = m->staging;
    if (status == HD_OK) status = hd__mpi_check_size(m, call, o->size, sizeof *o);
    if (status == HD_OK) status = check_matrix(m, "in", &t->in);
    if (status == HD_OK) status = check_matrix(m, "out", &t->out);
    if (status == HD_OK && t->in.type != t->out.type)
        status = hd__mpi_fail(m, HD_ERROR_TYPE, "%s: in is of another type than out, %s", call,
                              hd_type_name(t->out.type));
    if (status == HD_OK && t->out.read_only != 0)
        status = hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: out is read-only", call);
    if (status == HD_OK && o->axes != NULL && (o->axes[0] != 1 || o->axes[1] != 0))
        status = hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: axes are %d, %d; expected 1, 0, or NULL",
                              call, (int)o->axes[0], (int)o->axes[1]);
    return status;
}

static hd_status lay_out(transposing *t, hd_status status)
{
    hd_mpi *m = t->m;
    hd_view counts = HD_EMPTY;
    const bool well = status == HD_OK;
    const hd__mpi_number same[] = {{"the columns of in", well ? t->in.shape[1] : 0},
                                   {"the columns of out", well ? t->out.shape[1] : 0},
                                   {"the type of in", t->in.type}};
    if (well) status = hd__mpi_row(m, HD_I64, 2 * (int64_t)m->ranks, &counts);
    status = hd__mpi_same_numbers(m, status, call, same, 3);
    status = hd__mpi_begins(m, status, well ? t->in.shape[0] : 0, &t->in_begin);
    status = hd__mpi_begins(m, status, well ? t->out.shape[0] : 0, &t->out_begin);
    if (status != HD_OK) return status;
    const int64_t rows = t->in_begin[m->ranks], columns = t->out_begin[m->ranks];
    if (t->in.shape[1] != columns || t->out.shape[1] != rows) // on every rank
        return hd__mpi_fail(m, HD_ERROR_SHAPE,
                            "%s: in has %lld x %lld elements, out %lld x %lld; expected these "
                            "exchanged",
                            call, (long long)rows, (long long)t->in.shape[1], (long long)columns,
                            (long long)t->out.shape[1]);
    t->give = counts.data, t->take = t->give + m->ranks;
    for (int r = 0; r < m->ranks; r++) {
        t->give[r] = (t->out_begin[r + 1] - t->out_begin[r]) * t->in.shape[0];
        t->take[r] = (t->in_begin[r + 1] - t->in_begin[r]) * t->out.shape[0];
    }
    return HD_OK;
}

// in on its side; and room for what comes.
static hd_status turn(transposing *t, hd_view *turned, hd_view *came)
{
    hd_mpi *m = t->m;
    hd_status status = hd__mpi_row_near(m, &t->in, t->in.type, hd_count(t->in), turned);
    if (status == HD_OK) status = hd__mpi_row_near(m, &t->out, t->out.type, hd_count(t->out), came);
    if (status != HD_OK) return status;
    const int64_t shape[2] = {t->in.shape[1], t->in.shape[0]};
    return hd__mpi_failed(m, hd_transpose(m->ctx, t->in, hd__mpi_shaped(*turned, 2, shape), NULL));
}

// The rows of out from one rank are columns of out.
static hd_status put(transposing *t, hd_view came)
{
    static const int32_t as_they_are[2] = {0, 1};
    const hd_transpose_options copy = {.axes = as_they_are};
    hd_status status = HD_OK;
    int64_t at = 0;
    for (int r = 0; r < t->m->ranks && status == HD_OK; r++) {
        const int64_t first = t->in_begin[r],
                      shape[2] = {t->out.shape[0], t->in_begin[r + 1] - first};
        if (t->take[r] == 0) continue;
        const hd_view part = hd_slice(came, 0, at, t->take[r], 1);
        status = hd__mpi_failed(t->m, hd_transpose(t->m->ctx, hd__mpi_shaped(part, 2, shape),
                                                   hd_slice(t->out, 1, first, shape[1], 1), &copy));
        at += t->take[r];
    }
    return status;
}

hd_status hd_mpi_transpose(hd_mpi *mpi, hd_view in, hd_view out,
                           const hd_transpose_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd__mpi_take_device(mpi);
    const hd_transpose_options o = HD__MPI_OPTIONS(hd_transpose_options, options);
    hd__mpi_stage(mpi, &in, HD__MPI_READ);
    hd__mpi_stage(mpi, &out, HD__MPI_WRITTEN);
    transposing t = {.m = mpi, .in = in, .out = out};
    hd_view turned = HD_EMPTY, came = HD_EMPTY;
    hd_status status = lay_out(&t, check(&t, &o));
    if (status == HD_OK) status = turn(&t, &turned, &came);
    status = hd__mpi_exchange_all(mpi, status, hd_type_size(in.type), turned, t.give, came, t.take);
    if (status == HD_OK) status = put(&t, came);
    return hd__mpi_end(mpi, status);
}
