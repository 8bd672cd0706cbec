// SPDX-License-Identifier: Apache-2.0
// Elements of a distributed sequence that ranks ask for by global index: indices are sorted, so
// that each different one is asked for once and those of an owner lie together.
#include "requests.h"

#include "mpi/direct.h"
#include "mpi/layout.h"
#include "mpi/views.h"

// ---- Different numbers --------------------------------------------------------------------------

typedef struct sorted {
    hd_view keys;   // the numbers in order, later the different ones
    hd_view order;  // where each stood
    hd_view length; // how often each different one comes
    int64_t runs;   // how many are different
} sorted;

static hd_status sort_numbers(hd_mpi *m, hd_view index, sorted *s)
{
    const int64_t n = index.shape[0];
    hd_status status = hd__mpi_row_near(m, &index, HD_I64, n, &s->keys);
    if (status == HD_OK) status = hd__mpi_row_near(m, &index, HD_I64, n, &s->order);
    if (status == HD_OK) status = hd__mpi_row_near(m, &index, HD_I64, n, &s->length);
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_sort(m->ctx, index, s->keys, HD_NO_VALUES,
                                           &(hd_sort_options){.indices = &s->order}));
    if (status == HD_OK)
        status = hd__mpi_failed(
            m, hd_run_lengths(m->ctx, s->keys, s->keys, s->length, HD_VIEW(&s->runs, 1), NULL));
    return status;
}

// slot of the number that stood at order[k] is the run that k is in.
static hd_status fill_slots(hd_mpi *m, const sorted *s, hd_view slot)
{
    int64_t count = 0;
    hd_view runs;
    hd_status status = hd__mpi_row_near(m, &slot, HD_I64, slot.shape[0], &runs);
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_expand(m->ctx, hd_iota(s->runs),
                                             hd_slice(s->length, 0, 0, s->runs, 1), runs,
                                             HD_VIEW(&count, 1), NULL));
    if (status == HD_OK)
        status = hd__mpi_failed(
            m, hd_scatter(m->ctx, runs, s->order, slot, &(hd_scatter_options){.unique = true}));
    hd__mpi_drop(m, &runs);
    return status;
}

hd_status hd__mpi_different(hd_mpi *m, hd_view index, hd_view *keys, int64_t *different,
                            hd_view *slot)
{
    sorted s = {HD_EMPTY, HD_EMPTY, HD_EMPTY, 0};
    *keys = *slot = HD_EMPTY;
    hd_status status = sort_numbers(m, index, &s);
    if (status == HD_OK) status = hd__mpi_row_near(m, &index, HD_I64, index.shape[0], slot);
    if (status == HD_OK) status = fill_slots(m, &s, *slot);
    *keys = s.keys;
    *different = s.runs;
    hd__mpi_drop(m, &s.order);
    hd__mpi_drop(m, &s.length);
    return status;
}

// ---- What is asked for --------------------------------------------------------------------------

static hd_status make_counts(hd_mpi *m, hd__mpi_requests *r)
{
    hd_view row;
    const hd_status status = hd__mpi_row(m, HD_I64, 2 * (int64_t)m->ranks, &row);
    r->take = row.data;
    r->give = status == HD_OK ? r->take + m->ranks : NULL;
    return status;
}

// Where the keys of each rank begin among n rising ones, and where those of the last one end.
static hd_status find_owners(hd_mpi *m, const int64_t *begin, hd_view keys, int64_t n, hd_view *at)
{
    const hd_view begins = hd_view_of(HD_I64, begin, m->ranks + 1);
    const hd_status status = hd__mpi_row(m, HD_I64, m->ranks + 1, at);
    if (status != HD_OK) return status;
    return hd__mpi_failed(m, hd_search(m->ctx, hd_slice(keys, 0, 0, n, 1), begins, *at, NULL));
}

static hd_status prepare(hd_mpi *m, const int64_t *begin, hd_view index, hd__mpi_requests *r)
{
    int64_t different = 0;
    hd_view owners = HD_EMPTY;
    hd_status status = hd__mpi_different(m, index, &r->keys, &different, &r->slot);
    if (status == HD_OK) status = make_counts(m, r);
    if (status == HD_OK) status = find_owners(m, begin, r->keys, different, &owners);
    if (status != HD_OK) return status;
    const int64_t *at = owners.data, first = at[0];
    for (int k = 0; k < m->ranks; k++) r->take[k] = at[k + 1] - at[k];
    r->wanted = hd_slice(r->keys, 0, first, at[m->ranks] - first, 1);
    hd__mpi_drop(m, &owners);
    return first > 0 ? hd__mpi_make_local(m, r->slot, first) : HD_OK;
}

static int64_t sum_of(const hd_mpi *m, const int64_t *count)
{
    int64_t sum = 0;
    for (int k = 0; k < m->ranks; k++) sum += count[k];
    return sum;
}

hd_status hd__mpi_request(hd_mpi *m, hd_status status, const int64_t *begin, hd_view index,
                          hd__mpi_requests *r)
{
    *r = (hd__mpi_requests){.take = NULL};
    if (status == HD_OK) status = prepare(m, begin, index, r);
    status = hd__mpi_counts(m, status, r->take, r->give);
    if (status == HD_OK)
        status = hd__mpi_row_near(m, &r->keys, HD_I64, sum_of(m, r->give), &r->asked);
    status =
        hd__mpi_exchange_all(m, status, sizeof(int64_t), r->wanted, r->take, r->asked, r->give);
    return status != HD_OK ? status : hd__mpi_make_local(m, r->asked, begin[m->rank]);
}

void hd__mpi_drop_requests(hd_mpi *m, hd__mpi_requests *r)
{
    hd_view counts = hd_view_of(HD_I64, r->take, 2);
    hd__mpi_drop(m, &r->keys);
    hd__mpi_drop(m, &r->slot);
    hd__mpi_drop(m, &r->asked);
    hd__mpi_drop(m, &counts);
    *r = (hd__mpi_requests){.take = NULL};
}

// ---- What is fetched ----------------------------------------------------------------------------

// The elements, or rows, that others ask for, in the order in which they do.
static hd_status pack(hd_mpi *m, const hd__mpi_requests *r, hd_view in, hd_view *packed)
{
    const hd_gather_options rows = {.axis = HD_AXIS(0)};
    const hd_status status = hd__mpi_rows_like(m, &in, in.type, r->asked.shape[0], packed);
    if (status != HD_OK) return status;
    return hd__mpi_failed(m, hd_gather(m->ctx, in, r->asked, *packed, in.ndim > 1 ? &rows : NULL));
}

hd_status hd__mpi_fetch(hd_mpi *m, hd_status status, const hd__mpi_requests *r, hd_view in,
                        hd_view *fetched)
{
    hd_view packed = HD_EMPTY;
    *fetched = HD_EMPTY;
    if (status == HD_OK) status = pack(m, r, in, &packed);
    if (status == HD_OK) status = hd__mpi_rows_like(m, &in, in.type, r->wanted.shape[0], fetched);
    status = hd__mpi_exchange_all(m, status, (size_t)hd__mpi_row_bytes(&in), packed, r->give,
                                  *fetched, r->take);
    hd__mpi_drop(m, &packed);
    return status;
}
