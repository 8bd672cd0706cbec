// SPDX-License-Identifier: Apache-2.0
// hd_mpi_scatter: elements go to the ranks that own their destinations, where they come in the
// order of the whole sequence, and are scattered as on one machine: the last one stays, or all are
// combined in the one tree.
#include "mpi/direct.h"
#include "mpi/layout.h"
#include "mpi/stage.h"
#include "mpi/views.h"
#include "route.h"

static const char call[] = "hd_mpi_scatter";

enum { MOST_WITH = HD_MAX_INPUTS - 1 };

typedef struct scattering {
    hd_mpi *m;
    hd_view in, index, out; // in: a row without gaps, once it is checked
    hd_scatter_options o;
    hd_view numbers;         // the index as i64
    hd_view with[MOST_WITH]; // rows of one element for each of in
    const int64_t *begin;    // of out
} scattering;

// ---- Checks -------------------------------------------------------------------------------------

// A view of `with` as a row: where it has one element, this goes with each of in.
static hd_status take_with(scattering *s, const hd_view *with, hd_view *row)
{
    static const char name[] = "a view of with";
    const int64_t n = s->in.shape[0], count = hd_count(*with);
    if (count == n && with->ndim == 1) return hd__mpi_dense(s->m, call, name, with, row);
    if (count != 1)
        return hd__mpi_fail(s->m, HD_ERROR_SHAPE, "%s: %s has %lld elements; expected %lld, or one",
                            call, name, (long long)count, (long long)n);
    const hd_status status = hd__mpi_row_near(s->m, with, with->type, n, row);
    if (status != HD_OK) return status;
    return hd__mpi_failed(s->m, hd_gather(s->m->ctx, *with, hd_progression(0, 0, n), *row, NULL));
}

static hd_status check_options(const scattering *s)
{
    hd_mpi *m = s->m;
    hd_status status = hd__mpi_check_size(m, call, s->o.size, sizeof s->o);
    if (status == HD_OK) status = m->staging;
    if (status == HD_OK) status = hd__mpi_check_number(m, call, "bad", s->o.bad);
    if (status != HD_OK) return status;
    if (s->o.with.count < 0 || s->o.with.count > MOST_WITH ||
        (s->o.with.count > 0 && s->o.with.view == NULL))
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: %lld views of with; expected at most %d",
                            call, (long long)s->o.with.count, MOST_WITH);
    return HD_OK;
}

static hd_status check(scattering *s)
{
    hd_mpi *m = s->m;
    hd_status status = check_options(s);
    if (status == HD_OK) status = hd__mpi_check_row(m, call, "out", &s->out);
    if (status == HD_OK) status = hd__mpi_dense(m, call, "in", &s->in, &s->in);
    if (status == HD_OK) status = hd__mpi_integers(m, call, "index", &s->index, &s->numbers);
    if (status == HD_OK && s->numbers.shape[0] != s->in.shape[0])
        status =
            hd__mpi_fail(m, HD_ERROR_SHAPE, "%s: index has %lld elements; expected %lld, as in",
                         call, (long long)s->numbers.shape[0], (long long)s->in.shape[0]);
    if (status == HD_OK) status = hd__mpi_check_apart(m, call, "out", &s->out, "in", &s->in);
    if (status == HD_OK)
        status = hd__mpi_check_apart(m, call, "out", &s->out, "index", &s->numbers);
    for (int64_t k = 0; status == HD_OK && k < s->o.with.count; k++) {
        status = take_with(s, &s->o.with.view[k], &s->with[k]);
        if (status == HD_OK)
            status = hd__mpi_check_apart(m, call, "out", &s->out, "a view of with", &s->with[k]);
    }
    return status;
}

// ---- Steps --------------------------------------------------------------------------------------

static hd_status agree(scattering *s, hd_status status)
{
    uint64_t sizes = 0; // of what goes with an element
    for (int64_t k = 0; status == HD_OK && k < s->o.with.count; k++)
        sizes = sizes * (HD_MAX_ELEMENT + 1) + hd_type_size(s->with[k].type);
    const hd__mpi_number same[] = {
        {"the type of in", s->in.type},
        {"the type of out", s->out.type},
        {"the views of with", s->o.with.count},
        {"the types of with", (int64_t)(sizes & INT64_MAX)},
        {"whether the index is checked", s->o.checked || s->o.bad != NULL}};
    return hd__mpi_same_numbers(s->m, status, call, same, 5);
}

// The first index out of range, where it is asked for.
static hd_status look_for_bad(scattering *s)
{
    int64_t bad = -1, here = -1;
    const int64_t limit = s->begin[s->m->ranks];
    if (!s->o.checked && s->o.bad == NULL) return HD_OK;
    const hd_status status = hd__mpi_first_bad(s->m, HD_OK, s->numbers, limit, &bad, &here);
    if (status != HD_OK) return status;
    hd__mpi_give_number(s->o.bad, bad);
    if (!s->o.checked || here < 0) return HD_OK;
    return hd__mpi_fail_bad(s->m, call, "index", &s->index, bad, here, limit);
}

static hd_status scatter_here(scattering *s, hd_view in, hd_view index, const hd_view *with)
{
    s->o.checked = false;
    s->o.bad = NULL;
    s->o.with.view = with;
    return hd__mpi_failed(s->m, hd_scatter(s->m->ctx, in, index, s->out, &s->o));
}

static hd_status run(scattering *s, hd_status status)
{
    hd__mpi_route route;
    hd_view in, index, with[MOST_WITH];
    status = agree(s, status);
    status = hd__mpi_begins(s->m, status, status == HD_OK ? s->out.shape[0] : 0, &s->begin);
    if (status == HD_OK) status = look_for_bad(s);
    status = hd__mpi_find_route(s->m, status, s->begin, s->numbers, &route);
    status = hd__mpi_deliver_indices(s->m, status, &route, s->begin, s->numbers, &index);
    status = hd__mpi_deliver(s->m, status, &route, s->in, &in);
    for (int64_t k = 0; k < s->o.with.count; k++)
        status = hd__mpi_deliver(s->m, status, &route, s->with[k], &with[k]);
    return status != HD_OK ? status : scatter_here(s, in, index, with);
}

hd_status hd_mpi_scatter(hd_mpi *mpi, hd_view in, hd_view index, hd_view out,
                         const hd_scatter_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd__mpi_take_device(mpi);
    scattering s = {.m = mpi, .in = in, .index = index, .out = out};
    s.o = HD__MPI_OPTIONS(hd_scatter_options, options);
    hd__mpi_stage(mpi, &s.in, HD__MPI_READ);
    hd__mpi_stage(mpi, &s.index, HD__MPI_READ);
    hd__mpi_stage(mpi, &s.out, HD__MPI_UPDATED);
    hd__mpi_stage_small_option(mpi, &s.o.bad, HD__MPI_UPDATED);
    hd__mpi_stage_list(mpi, &s.o.with, 0);
    return hd__mpi_end(mpi, run(&s, check(&s)));
}
