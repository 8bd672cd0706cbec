// SPDX-License-Identifier: Apache-2.0
// hd_mpi_sort: each rank sorts its own keys, with exact splitters cuts them for the ranks that they
// belong to, and merges the sorted runs that it gets, which lie in the order of their ranks, so
// that the whole is stable.
#include <stdlib.h>

#include "mpi/direct.h"
#include "mpi/layout.h"
#include "mpi/stage.h"
#include "mpi/views.h"
#include "merge_runs.h"
#include "selection.h"
#include "splitters.h"

static const char call[] = "hd_mpi_sort";

enum { MAX_VALUES = 5, MAX_ROWS = MAX_VALUES + 1 }; // three rows of scratch each; the indices

typedef struct sorting {
    hd_mpi *m;
    hd_view in, out;
    hd_view value[2 * MAX_ROWS]; // pairs of an input and an output
    int64_t values;              // views
    hd__mpi_order order;
    int64_t *begin; // of each rank's out in the whole: ranks + 1
    int64_t *cut;   // of this rank's sorted keys: ranks + 1
    int64_t *give, *take;
    int64_t *memory;
    int64_t first, all;
} sorting;

// ---- Checks -------------------------------------------------------------------------------------

static hd_status check_options(hd_mpi *m, const hd_mpi_sort_options *o)
{
    for (size_t k = 0; k < sizeof o->reserved_flags; k++)
        if (o->reserved_flags[k])
            return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: reserved_flags[%zu] is set", call, k);
    return hd__mpi_check_size(m, call, o->size, sizeof *o);
}

// Then in is the caller's to lose: local keys are sorted where they are.
static bool is_in_place(const hd_view *in, const hd_view *out)
{
    return in->data == out->data && in->space == out->space;
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
    return is_in_place(in, out) ? HD_OK : hd__mpi_check_apart(m, call, in_name, in, out_name, out);
}

static hd_status check_values(sorting *s, hd_views values)
{
    hd_mpi *m = s->m;
    hd_status status = HD_OK;
    if (values.count < 0 || values.count > 2 * MAX_VALUES || values.count % 2 != 0 ||
        (values.count > 0 && values.view == NULL))
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT,
                            "%s: %lld values; expected pairs of an input and an output, at most %d",
                            call, (long long)values.count, MAX_VALUES);
    for (int64_t k = 0; status == HD_OK && k < values.count; k += 2) {
        status = check_pair(m, "a value", &values.view[k], "its output", &values.view[k + 1], s);
        s->value[k] = values.view[k], s->value[k + 1] = values.view[k + 1];
    }
    s->values = values.count;
    return status;
}

static bool is_given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

static hd_status check(sorting *s, hd_views values, const hd_mpi_sort_options *o)
{
    hd_mpi *m = s->m;
    hd_status status = check_options(m, o);
    if (status == HD_OK) status = m->staging;
    if (status == HD_OK) status = check_pair(m, "in", &s->in, "out", &s->out, s);
    if (status == HD_OK && s->order.comparison == NULL && !hd__mpi_has_ordinals(s->in.type))
        status = hd__mpi_fail(m, HD_ERROR_TYPE, "%s: in is %s; expected numbers, or a comparison",
                              call, hd_type_name(s->in.type));
    if (status == HD_OK) status = check_values(s, values);
    if (status != HD_OK || !is_given(o->indices)) return status;
    status = hd__mpi_check_row(m, call, "indices", o->indices);
    if (status == HD_OK && o->indices->shape[0] != s->out.shape[0])
        status = hd__mpi_fail(m, HD_ERROR_SHAPE, "%s: indices has %lld elements; expected %lld",
                              call, (long long)o->indices->shape[0], (long long)s->out.shape[0]);
    return status;
}

// ---- Steps --------------------------------------------------------------------------------------

// The beginnings of all outs, which together have room for all keys.
static hd_status lay_out(sorting *s, hd_status status, const hd_view *indices)
{
    hd_mpi *m = s->m;
    const size_t ranks = (size_t)m->ranks;
    const hd__mpi_number same[] = {{"the type of in", s->in.type},
                                   {"whether there is a comparison", s->order.comparison != NULL},
                                   {"descending", s->order.descending},
                                   {"the values", s->values},
                                   {"whether there are indices", is_given(indices)}};
    status = hd__mpi_same_numbers(m, status, call, same, 5);
    s->memory = calloc(4 * ranks + 2, 8);
    if (s->memory == NULL && status == HD_OK)
        status = hd__mpi_fail(m, HD_ERROR_MEMORY, "%s: could not allocate the layout", call);
    status = hd__mpi_layout(m, status, status == HD_OK ? s->in.shape[0] : 0, &s->first, &s->all);
    if (status != HD_OK) return status;
    s->begin = s->memory, s->cut = s->begin + ranks + 1;
    s->give = s->cut + ranks + 1, s->take = s->give + ranks;
    const int64_t room = s->out.shape[0];
    status = hd__mpi_status(
        m, MPI_Allgather(&room, 1, MPI_INT64_T, s->begin + 1, 1, MPI_INT64_T, m->comm));
    for (size_t r = 0; status == HD_OK && r < ranks; r++) s->begin[r + 1] += s->begin[r];
    if (status == HD_OK && s->begin[ranks] != s->all)
        status = hd__mpi_fail(m, HD_ERROR_SHAPE,
                              "%s: the outs have room for %lld elements; the ins have %lld", call,
                              (long long)s->begin[ranks], (long long)s->all);
    return status;
}

// The indices of all keys as one more pair of values.
static hd_status number_keys(sorting *s, const hd_view *indices)
{
    hd_mpi *m = s->m;
    hd_view *pair = &s->value[s->values];
    hd_status status = hd__mpi_check_holds(m, call, "indices", indices, s->all);
    const int64_t n = s->in.shape[0];
    if (status == HD_OK) status = hd__mpi_row_near(m, indices, HD_I64, n, &pair[0]);
    if (status == HD_OK)
        status =
            hd__mpi_failed(m, hd_map(m->ctx, hd_progression(s->first, 1, n), NULL, pair[0], NULL));
    if (status == HD_OK) status = hd__mpi_row_near(m, indices, HD_I64, s->out.shape[0], &pair[1]);
    s->values += 2;
    return status;
}

// out of hd_sort for these keys and values, in to out.
static hd_status sort_rows(sorting *s, hd_view keys, hd_view keys_out, const hd_view *values)
{
    const hd_views v = {values, s->values};
    const hd_sort_options o = {.descending = s->order.descending,
                               .comparison = s->order.comparison};
    return hd__mpi_failed(
        s->m, hd_sort(s->m->ctx, keys, keys_out, s->values > 0 ? v : hd_no_values(), &o));
}

// rows[0] and rows[1 + k]: scratch for keys and values of n elements each, where the outs are.
static hd_status make_rows(sorting *s, int64_t n, hd_view *rows)
{
    hd_status status = hd__mpi_row_near(s->m, &s->out, s->in.type, n, &rows[0]);
    for (int64_t k = 0; status == HD_OK && k < s->values; k += 2)
        status = hd__mpi_row_near(s->m, &s->value[k + 1], s->value[k].type, n, &rows[1 + k / 2]);
    return status;
}

// Where the local elements are sorted to: the outs, if they are long enough, which saves memory.
static hd_status find_room(sorting *s, hd_view *sorted)
{
    const int64_t n = s->in.shape[0];
    if (s->out.shape[0] < n) return make_rows(s, n, sorted);
    sorted[0] = hd_slice(s->out, 0, 0, n, 1);
    for (int64_t k = 0; k < s->values; k += 2)
        sorted[1 + k / 2] = hd_slice(s->value[k + 1], 0, 0, n, 1);
    return HD_OK;
}

static hd_status sort_here(sorting *s, const hd_view *sorted)
{
    hd_view pairs[2 * MAX_ROWS];
    for (int64_t k = 0; k < s->values; k += 2)
        pairs[k] = s->value[k], pairs[k + 1] = sorted[1 + k / 2];
    return sort_rows(s, s->in, sorted[0], pairs);
}

// Who sorts in place wants little memory: what hd_sort needed is given back before keys come.
static hd_status save_memory(const sorting *s)
{
    if (s->m->ranks == 1 || s->m->direct || !is_in_place(&s->in, &s->out)) return HD_OK;
    return hd__mpi_failed(s->m, hd_trim(s->m->ctx, 0));
}

static hd_status cut(sorting *s, hd_view keys)
{
    hd_mpi *m = s->m;
    hd_status status =
        s->order.comparison == NULL
            ? hd__mpi_split(m, keys, s->order.descending, m->ranks - 1, s->begin + 1, s->cut + 1)
            : hd__mpi_select(m, HD_OK, &s->order, 1, &keys, m->ranks - 1, s->begin + 1, s->cut + 1);
    if (status != HD_OK) return status;
    s->cut[0] = 0;
    s->cut[m->ranks] = s->in.shape[0];
    int64_t came = 0;
    for (int r = 0; r < m->ranks; r++) s->give[r] = s->cut[r + 1] - s->cut[r];
    status = hd__mpi_counts(m, HD_OK, s->give, s->take);
    for (int r = 0; r < m->ranks; r++) came += s->take[r];
    if (status == HD_OK && came != s->out.shape[0])
        status =
            hd__mpi_fail(m, HD_ERROR_OPERATOR,
                         "%s: the comparison is no strict weak order: it contradicts itself", call);
    // Numbers always add up.
    return s->order.comparison != NULL ? hd__mpi_agree(m, status) : status;
}

// The rank whose run comes here, if it is one alone: -1 if none does, -2 for several.
static int only_one(const sorting *s)
{
    int one = -1;
    for (int r = 0; r < s->m->ranks; r++)
        if (r != s->m->rank && s->take[r] > 0) one = one == -1 ? r : -2;
    return one;
}

// What stays here stays where it is, and is merged with the run of the other rank.
static hd_status join_one(sorting *s, hd_view sorted, int one)
{
    hd_mpi *m = s->m;
    hd_view got = HD_EMPTY;
    const hd_view own = hd_slice(sorted, 0, s->cut[m->rank], s->take[m->rank], 1);
    s->take[m->rank] = 0;
    hd_status status =
        hd__mpi_row_near(m, &s->out, s->out.type, s->out.shape[0] - own.shape[0], &got);
    status =
        hd__mpi_exchange_all(m, status, hd_type_size(s->out.type), sorted, s->give, got, s->take);
    if (status != HD_OK) return status;
    return hd__mpi_merge_into(m, own, got, one > m->rank, s->out, s->order.descending);
}

// Numbers alone are merged in passes between what came and the outs; keys with values, and those
// that a comparison orders, are sorted once more, which moves them less often.
static hd_status join_many(sorting *s, const hd_view *sorted)
{
    hd_view got[1 + MAX_ROWS] = {HD_EMPTY}, pairs[2 * MAX_ROWS];
    hd_status status = make_rows(s, s->out.shape[0], got);
    for (int64_t k = 0; k <= s->values / 2 && (k == 0 || status == HD_OK); k++)
        status = hd__mpi_exchange_all(s->m, status, hd_type_size(sorted[k].type), sorted[k],
                                      s->give, got[k], s->take);
    if (status != HD_OK) return status;
    if (s->values == 0 && s->order.comparison == NULL)
        return hd__mpi_merge_runs(s->m, s->take, got[0], s->out, s->order.descending);
    for (int64_t k = 0; k < s->values; k += 2)
        pairs[k] = got[1 + k / 2], pairs[k + 1] = s->value[k + 1];
    return sort_rows(s, got[0], s->out, pairs);
}

static hd_status join(sorting *s, const hd_view *sorted)
{
    const int one = only_one(s);
    return s->values == 0 && s->order.comparison == NULL && one >= -1 ? join_one(s, sorted[0], one)
                                                                      : join_many(s, sorted);
}

static hd_status run(sorting *s, const hd_view *indices)
{
    hd_view sorted[1 + MAX_ROWS];
    hd_status status = is_given(indices) ? number_keys(s, indices) : HD_OK;
    if (status == HD_OK) status = find_room(s, sorted);
    if (status == HD_OK) status = sort_here(s, sorted);
    if (status == HD_OK) status = save_memory(s);
    status = hd__mpi_agree(s->m, status);
    if (status == HD_OK && s->m->ranks > 1) { // one rank has it in the outs
        status = cut(s, sorted[0]);
        if (status == HD_OK) status = join(s, sorted);
    }
    if (status != HD_OK || !is_given(indices)) return status;
    return hd__mpi_failed(s->m, hd_map(s->m->ctx, s->value[s->values - 1], NULL, *indices, NULL));
}

hd_status hd_mpi_sort(hd_mpi *mpi, hd_view in, hd_view out, hd_views values,
                      const hd_mpi_sort_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd_mpi_sort_options o = HD__MPI_OPTIONS(hd_mpi_sort_options, options);
    if (o.comparison == NULL) hd__mpi_take_device(mpi); // which is called on the host
    hd__mpi_stage(mpi, &in, HD__MPI_READ);
    hd__mpi_stage(mpi, &out, HD__MPI_WRITTEN);
    hd__mpi_stage_option(mpi, &o.indices, HD__MPI_WRITTEN);
    hd__mpi_stage_list(mpi, &values, 2);
    sorting s = {.m = mpi, .in = in, .out = out, .order = {.type = in.type}};
    s.order.descending = o.descending, s.order.comparison = o.comparison;
    hd_status status = lay_out(&s, check(&s, values, &o), o.indices);
    if (status == HD_OK) status = run(&s, o.indices);
    free(s.memory);
    return hd__mpi_end(mpi, status);
}
