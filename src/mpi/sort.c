// SPDX-License-Identifier: Apache-2.0
// hd_mpi_sort: each rank sorts its own keys, with exact splitters cuts them for the ranks that they
// belong to, and sorts the sorted runs that it gets, which lie in the order of their ranks, so that
// the whole is stable.
#include "splitters.h"

#include <stdlib.h>
#include <string.h>

static const char call[] = "hd_mpi_sort";

enum { MAX_VALUES = 5 }; // three rows of scratch each

typedef struct sorting {
    hd_mpi *m;
    hd_view in, out;
    hd_views values;
    bool descending;
    int64_t *begin; // of each rank's out in the whole: ranks + 1
    int64_t *cut;   // of this rank's sorted keys: ranks + 1
    int64_t *give, *take;
    int64_t *memory;
} sorting;

// ---- Checks -------------------------------------------------------------------------------------

static hd_status check_options(hd_mpi *m, const hd_mpi_sort_options *o)
{
    if (o == NULL) return HD_OK;
    if (o->size != 0 && o->size != sizeof *o)
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: options.size is %zu; expected 0, or %zu",
                            call, o->size, sizeof *o);
    for (size_t k = 0; k < sizeof o->reserved_flags; k++)
        if (o->reserved_flags[k])
            return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: reserved_flags[%zu] is set", call, k);
    return HD_OK;
}

static hd_status check_pair(hd_mpi *m, const char *in_name, const hd_view *in, const char *out_name,
                            const hd_view *out, const sorting *s)
{
    hd_status status = hd__mpi_check_row(m, call, in_name, in);
    if (status == HD_OK) status = hd__mpi_check_row(m, call, out_name, out);
    if (status != HD_OK) return status;
    if (in->type != out->type || out->read_only != 0)
        return hd__mpi_fail(m, HD_ERROR_TYPE, "%s: %s is %s, %s %s%s; expected the same, to write",
                            call, in_name, hd_type_name(in->type), out_name,
                            hd_type_name(out->type), out->read_only ? ", read-only" : "");
    if (in->shape[0] != s->in.shape[0] || out->shape[0] != s->out.shape[0])
        return hd__mpi_fail(m, HD_ERROR_SHAPE, "%s: %s and %s have other sizes than the keys", call,
                            in_name, out_name);
    return hd__mpi_check_apart(m, call, in_name, in, out_name, out);
}

static hd_status check(const sorting *s, const hd_mpi_sort_options *o)
{
    hd_mpi *m = s->m;
    hd_status status = check_options(m, o);
    if (status == HD_OK) status = check_pair(m, "in", &s->in, "out", &s->out, s);
    if (status == HD_OK && !hd__mpi_has_ordinals(s->in.type))
        status = hd__mpi_fail(m, HD_ERROR_TYPE, "%s: in is %s; expected numbers", call,
                              hd_type_name(s->in.type));
    if (status == HD_OK &&
        (s->values.count < 0 || s->values.count > 2 * MAX_VALUES || s->values.count % 2 != 0 ||
         (s->values.count > 0 && s->values.view == NULL)))
        status = hd__mpi_fail(m, HD_ERROR_ARGUMENT,
                              "%s: %lld values; expected pairs of an input and an output, at most "
                              "%d",
                              call, (long long)s->values.count, MAX_VALUES);
    for (int64_t k = 0; status == HD_OK && k < s->values.count; k += 2)
        status =
            check_pair(m, "a value", &s->values.view[k], "its output", &s->values.view[k + 1], s);
    return status;
}

// ---- Steps --------------------------------------------------------------------------------------

// The beginnings of all outs, which together have room for all keys.
static hd_status lay_out(sorting *s, hd_status status)
{
    hd_mpi *m = s->m;
    const size_t ranks = (size_t)m->ranks;
    int64_t first = 0, all = 0;
    s->memory = calloc(4 * ranks + 2, 8);
    if (s->memory == NULL && status == HD_OK)
        status = hd__mpi_fail(m, HD_ERROR_MEMORY, "%s: could not allocate the layout", call);
    status = hd__mpi_layout(m, status, status == HD_OK ? s->in.shape[0] : 0, &first, &all);
    if (status != HD_OK) return status;
    s->begin = s->memory, s->cut = s->begin + ranks + 1;
    s->give = s->cut + ranks + 1, s->take = s->give + ranks;
    const int64_t room = s->out.shape[0];
    status = hd__mpi_status(
        m, MPI_Allgather(&room, 1, MPI_INT64_T, s->begin + 1, 1, MPI_INT64_T, m->comm));
    for (size_t r = 0; status == HD_OK && r < ranks; r++) s->begin[r + 1] += s->begin[r];
    if (status == HD_OK && s->begin[ranks] != all)
        status = hd__mpi_fail(m, HD_ERROR_SHAPE,
                              "%s: the outs have room for %lld elements; the ins have %lld", call,
                              (long long)s->begin[ranks], (long long)all);
    return status;
}

// out of hd_sort for these keys and values, in to out.
static hd_status sort_rows(sorting *s, hd_view keys, hd_view keys_out, const hd_view *values)
{
    const hd_views v = {values, s->values.count};
    return hd__mpi_failed(s->m, hd_sort(s->m->ctx, keys, keys_out,
                                        s->values.count > 0 ? v : hd_no_values(),
                                        &(hd_sort_options){.descending = s->descending}));
}

// rows[0] and rows[1 + k]: scratch for keys and values of n elements each.
static hd_status make_rows(sorting *s, int64_t n, hd_view *rows)
{
    hd_status status = hd__mpi_row(s->m, s->in.type, n, &rows[0]);
    for (int64_t k = 0; status == HD_OK && k < s->values.count; k += 2)
        status = hd__mpi_row(s->m, s->values.view[k].type, n, &rows[1 + k / 2]);
    return status;
}

static hd_status sort_here(sorting *s, hd_view *sorted)
{
    hd_view pairs[2 * MAX_VALUES];
    hd_status status = make_rows(s, s->in.shape[0], sorted);
    for (int64_t k = 0; status == HD_OK && k < s->values.count; k += 2)
        pairs[k] = s->values.view[k], pairs[k + 1] = sorted[1 + k / 2];
    return status != HD_OK ? status : sort_rows(s, s->in, sorted[0], pairs);
}

static hd_status cut(sorting *s, hd_view keys)
{
    hd_mpi *m = s->m;
    hd_status status =
        hd__mpi_split(m, keys, s->descending, m->ranks - 1, s->begin + 1, s->cut + 1);
    if (status != HD_OK) return status;
    s->cut[0] = 0;
    s->cut[m->ranks] = s->in.shape[0];
    for (int r = 0; r < m->ranks; r++) s->give[r] = s->cut[r + 1] - s->cut[r];
    return hd__mpi_status(m,
                          MPI_Alltoall(s->give, 1, MPI_INT64_T, s->take, 1, MPI_INT64_T, m->comm));
}

static hd_status exchange(sorting *s, const hd_view *sorted, const hd_view *got)
{
    hd_status status = HD_OK;
    for (int64_t k = 0; status == HD_OK && k <= s->values.count / 2; k++)
        status = hd__mpi_exchange(s->m, hd_type_size(sorted[k].type), sorted[k].data, s->give,
                                  got[k].data, s->take);
    return status;
}

// The sorted runs of all ranks, one behind the other.
static hd_status sort_runs(sorting *s, const hd_view *got)
{
    hd_view pairs[2 * MAX_VALUES];
    int runs = 0;
    for (int r = 0; r < s->m->ranks; r++) runs += s->take[r] > 0;
    if (runs == 2 && s->values.count == 0) {
        int64_t first = 0;
        for (int r = 0; first == 0; r++) first = s->take[r];
        const hd_view a = hd_slice(got[0], 0, 0, first, 1);
        const hd_view b = hd_slice(got[0], 0, first, got[0].shape[0] - first, 1);
        return hd__mpi_failed(s->m, hd_merge(s->m->ctx, a, b, s->out, hd_no_values(),
                                             &(hd_merge_options){.descending = s->descending}));
    }
    for (int64_t k = 0; k < s->values.count; k += 2)
        pairs[k] = got[1 + k / 2], pairs[k + 1] = s->values.view[k + 1];
    return sort_rows(s, got[0], s->out, pairs);
}

static hd_status run(sorting *s)
{
    hd_view sorted[1 + MAX_VALUES], got[1 + MAX_VALUES];
    hd_status status = sort_here(s, sorted);
    if (status == HD_OK) status = make_rows(s, s->out.shape[0], got);
    status = hd__mpi_agree(s->m, status);
    if (status == HD_OK) status = cut(s, sorted[0]);
    if (status == HD_OK) status = exchange(s, sorted, got);
    return status == HD_OK ? sort_runs(s, got) : status;
}

hd_status hd_mpi_sort(hd_mpi *mpi, hd_view in, hd_view out, hd_views values,
                      const hd_mpi_sort_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    sorting s = {.m = mpi, .in = in, .out = out, .values = values};
    s.descending = options != NULL && options->descending;
    hd_status status = lay_out(&s, check(&s, options));
    if (status == HD_OK) status = run(&s);
    free(s.memory);
    return hd__mpi_end(mpi, status);
}
