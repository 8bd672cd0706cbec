// SPDX-License-Identifier: Apache-2.0
// hd_mpi_merge: the elements at the boundaries of the output are found in both inputs, whose pieces
// then go to the ranks that they belong to. What comes of each input is sorted as it lies, and both
// are merged.
#include "mpi/layout.h"
#include "mpi/stage.h"
#include "mpi/views.h"
#include "selection.h"

static const char call[] = "hd_mpi_merge";

enum { MAX_VALUES = 4, MAX_ROWS = MAX_VALUES + 1 }; // of values, and the indices

// One of the two inputs: what goes to each rank of it, and comes from it.
typedef struct input {
    const int64_t *begin; // of all ranks
    int64_t *cut, *give, *take;
    int64_t came;
} input;

typedef struct merging {
    hd_mpi *m;
    hd_view row[2][1 + MAX_ROWS]; // of a and b: the keys, and what moves along
    hd_view out[1 + MAX_ROWS];
    int rows; // that move along
    hd__mpi_order order;
    input in[2];
    const int64_t *begin; // of all outs
} merging;

static bool is_given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

// ---- Checks -------------------------------------------------------------------------------------

static hd_status check_options(hd_mpi *m, const hd_mpi_merge_options *o)
{
    for (size_t k = 0; k < sizeof o->reserved_flags; k++)
        if (o->reserved_flags[k])
            return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: reserved_flags[%zu] is set", call, k);
    return hd__mpi_check_size(m, call, o->size, sizeof *o);
}

// Rows k of a, b and out: of one type, as long as the keys, and out apart from both.
static hd_status check_rows(const merging *g, int k, const char *const name[3])
{
    const hd_view *row[3] = {&g->row[0][k], &g->row[1][k], &g->out[k]},
                  *key[3] = {&g->row[0][0], &g->row[1][0], &g->out[0]};
    hd_status status = HD_OK;
    for (int i = 0; status == HD_OK && i < 3; i++) {
        status = hd__mpi_check_row(g->m, call, name[i], row[i]);
        if (status == HD_OK && row[i]->type != row[0]->type)
            status = hd__mpi_fail(g->m, HD_ERROR_TYPE, "%s: %s is %s, %s %s; expected the same",
                                  call, name[0], hd_type_name(row[0]->type), name[i],
                                  hd_type_name(row[i]->type));
        if (status == HD_OK && row[i]->shape[0] != key[i]->shape[0])
            status =
                hd__mpi_fail(g->m, HD_ERROR_SHAPE, "%s: %s has %lld elements; expected %lld", call,
                             name[i], (long long)row[i]->shape[0], (long long)key[i]->shape[0]);
    }
    if (status == HD_OK && row[2]->read_only != 0)
        status = hd__mpi_fail(g->m, HD_ERROR_ARGUMENT, "%s: %s is read-only", call, name[2]);
    for (int i = 0; status == HD_OK && i < 2; i++)
        status = hd__mpi_check_apart(g->m, call, name[2], row[2], name[i], row[i]);
    return status;
}

static hd_status take_values(merging *g, hd_views values)
{
    static const char *const name[3] = {"a value of a", "that of b", "its output"};
    if (values.count < 0 || values.count > 3 * MAX_VALUES || values.count % 3 != 0 ||
        (values.count > 0 && values.view == NULL))
        return hd__mpi_fail(g->m, HD_ERROR_ARGUMENT,
                            "%s: %lld values; expected triples of two inputs and an output, at "
                            "most %d",
                            call, (long long)values.count, MAX_VALUES);
    hd_status status = HD_OK;
    for (int64_t k = 0; status == HD_OK && k < values.count; k += 3) {
        const int at = ++g->rows;
        g->row[0][at] = values.view[k], g->row[1][at] = values.view[k + 1];
        g->out[at] = values.view[k + 2];
        status = check_rows(g, at, name);
    }
    return status;
}

static hd_status check(merging *g, hd_views values, const hd_mpi_merge_options *o)
{
    static const char *const name[3] = {"a", "b", "out"};
    hd_mpi *m = g->m;
    hd_status status = check_options(m, o);
    if (status == HD_OK) status = m->staging;
    if (status == HD_OK) status = check_rows(g, 0, name);
    if (status == HD_OK && g->order.comparison == NULL && !hd__mpi_has_ordinals(g->order.type))
        status = hd__mpi_fail(m, HD_ERROR_TYPE, "%s: a is %s; expected numbers, or a comparison",
                              call, hd_type_name(g->order.type));
    if (status == HD_OK) status = take_values(g, values);
    if (status == HD_OK) // the checks of the call itself, over no elements
        status = hd__mpi_failed(
            m, hd_merge(m->ctx, hd_slice(g->row[0][0], 0, 0, 0, 1),
                        hd_slice(g->row[1][0], 0, 0, 0, 1), hd_slice(g->out[0], 0, 0, 0, 1),
                        hd_no_values(), &(hd_merge_options){.comparison = g->order.comparison}));
    if (status != HD_OK || !is_given(o->indices)) return status;
    status = hd__mpi_check_row(m, call, "indices", o->indices);
    if (status == HD_OK && o->indices->shape[0] != g->out[0].shape[0])
        status = hd__mpi_fail(m, HD_ERROR_SHAPE, "%s: indices has %lld elements; expected %lld",
                              call, (long long)o->indices->shape[0], (long long)g->out[0].shape[0]);
    return status;
}

// ---- Steps --------------------------------------------------------------------------------------

static hd_status lay_out(merging *g, hd_status status, const hd_view *indices)
{
    hd_mpi *m = g->m;
    hd_view counts = HD_EMPTY;
    const bool well = status == HD_OK;
    const hd__mpi_number same[] = {{"the type of a", g->order.type},
                                   {"whether there is a comparison", g->order.comparison != NULL},
                                   {"descending", g->order.descending},
                                   {"the values", g->rows},
                                   {"whether there are indices", is_given(indices)}};
    status = hd__mpi_same_numbers(m, status, call, same, 5);
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, 6 * ((int64_t)m->ranks + 1), &counts);
    for (int i = 0; i < 2; i++)
        status = hd__mpi_begins(m, status, well ? g->row[i][0].shape[0] : 0, &g->in[i].begin);
    status = hd__mpi_begins(m, status, well ? g->out[0].shape[0] : 0, &g->begin);
    if (status != HD_OK) return status;
    const int64_t a = g->in[0].begin[m->ranks], b = g->in[1].begin[m->ranks],
                  all = g->begin[m->ranks];
    if (a > all || b != all - a) // on every rank
        return hd__mpi_fail(m, HD_ERROR_SHAPE,
                            "%s: the outs have room for %lld elements; a has %lld and b %lld", call,
                            (long long)all, (long long)a, (long long)b);
    int64_t *at = counts.data;
    for (int i = 0; i < 2; i++) {
        g->in[i].give = at, g->in[i].take = at + m->ranks, at += 2 * m->ranks;
    }
    for (int i = 0; i < 2; i++) g->in[i].cut = at + i * (m->ranks - 1);
    return is_given(indices) ? hd__mpi_check_holds(m, call, "indices", indices, all) : HD_OK;
}

// Where each element stands in all of a followed by all of b, as one more row.
static hd_status number_keys(merging *g)
{
    hd_mpi *m = g->m;
    const int at = ++g->rows;
    const int64_t first[2] = {g->in[0].begin[m->rank],
                              g->in[0].begin[m->ranks] + g->in[1].begin[m->rank]};
    hd_status status = hd__mpi_row(m, HD_I64, g->out[0].shape[0], &g->out[at]);
    for (int i = 0; status == HD_OK && i < 2; i++) {
        const hd_view numbers = hd_progression(first[i], 1, g->row[i][0].shape[0]);
        status = hd__mpi_copy(m, &numbers, HD_I64, &g->row[i][at]);
    }
    return status;
}

static hd_status cut(merging *g, hd_status status)
{
    hd_mpi *m = g->m;
    const hd_view keys[2] = {g->row[0][0], g->row[1][0]};
    status =
        hd__mpi_select(m, status, &g->order, 2, keys, m->ranks - 1, g->begin + 1, g->in[0].cut);
    for (int i = 0; i < 2; i++) {
        input *in = &g->in[i];
        for (int r = 0; status == HD_OK && r < m->ranks; r++)
            in->give[r] =
                (r < m->ranks - 1 ? in->cut[r] : keys[i].shape[0]) - (r > 0 ? in->cut[r - 1] : 0);
        status = hd__mpi_counts(m, status, in->give, in->take);
        for (int r = 0; status == HD_OK && r < m->ranks; r++) in->came += in->take[r];
    }
    if (status == HD_OK && g->in[0].came + g->in[1].came != g->out[0].shape[0])
        status = hd__mpi_fail(m, HD_ERROR_VALUE, "%s: a or b is not sorted", call);
    return hd__mpi_agree(m, status);
}

static hd_status merge_here(merging *g, hd_view came[2][1 + MAX_ROWS])
{
    hd_view triples[3 * MAX_ROWS];
    const hd_merge_options o = {.descending = g->order.descending,
                                .comparison = g->order.comparison};
    for (int k = 1; k <= g->rows; k++) {
        triples[3 * k - 3] = came[0][k], triples[3 * k - 2] = came[1][k];
        triples[3 * k - 1] = g->out[k];
    }
    const hd_views values = {triples, 3 * g->rows};
    return hd__mpi_failed(g->m, hd_merge(g->m->ctx, came[0][0], came[1][0], g->out[0],
                                         g->rows > 0 ? values : hd_no_values(), &o));
}

static hd_status run(merging *g, hd_status status, const hd_view *indices)
{
    hd_mpi *m = g->m;
    hd_view came[2][1 + MAX_ROWS];
    if (status == HD_OK && is_given(indices)) status = number_keys(g);
    status = cut(g, status);
    for (int i = 0; i < 2; i++)
        for (int k = 0; status == HD_OK && k <= g->rows; k++)
            status = hd__mpi_row(m, g->row[i][k].type, g->in[i].came, &came[i][k]);
    status = hd__mpi_agree(m, status);
    for (int i = 0; i < 2; i++)
        for (int k = 0; status == HD_OK && k <= g->rows; k++)
            status = hd__mpi_exchange(m, hd_type_size(g->row[i][k].type), g->row[i][k],
                                      g->in[i].give, came[i][k], g->in[i].take);
    if (status == HD_OK) status = merge_here(g, came);
    if (status != HD_OK || !is_given(indices)) return status;
    return hd__mpi_failed(m, hd_map(m->ctx, g->out[g->rows], NULL, *indices, NULL));
}

hd_status hd_mpi_merge(hd_mpi *mpi, hd_view a, hd_view b, hd_view out, hd_views values,
                       const hd_mpi_merge_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd_mpi_merge_options o = HD__MPI_OPTIONS(hd_mpi_merge_options, options);
    hd__mpi_stage(mpi, &a, HD__MPI_READ);
    hd__mpi_stage(mpi, &b, HD__MPI_READ);
    hd__mpi_stage(mpi, &out, HD__MPI_WRITTEN);
    hd__mpi_stage_option(mpi, &o.indices, HD__MPI_WRITTEN);
    hd__mpi_stage_list(mpi, &values, 3);
    merging g = {.m = mpi, .row = {{a}, {b}}, .out = {out}, .order = {.type = a.type}};
    g.order.descending = o.descending, g.order.comparison = o.comparison;
    hd_status status = lay_out(&g, check(&g, values, &o), o.indices);
    status = hd__mpi_agree(mpi, status);
    if (status == HD_OK) status = run(&g, status, o.indices);
    return hd__mpi_end(mpi, status);
}
