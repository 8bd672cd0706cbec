// SPDX-License-Identifier: Apache-2.0
// Where runs of equal keys begin: the last key of a rank goes to the next one that has any, which
// looks whether its first run is a new one.
#include "heads.h"

#include "mpi/direct.h"

// The nearest rank in a direction that has elements, or -1.
static int neighbour(const hd_mpi *m, const int64_t *begin, int step)
{
    int r = m->rank + step;
    while (r >= 0 && r < m->ranks && begin[r + 1] == begin[r]) r += step;
    return r < m->ranks ? r : -1;
}

// The last key of the lower ranks, where this one has keys and there is one.
static hd_status fetch_last(hd_mpi *m, hd_status status, const int64_t *begin, hd_view keys,
                            hd_view *last)
{
    const int64_t n = keys.shape[0];
    hd_view counts = HD_EMPTY;
    int64_t *give = NULL, *take = NULL;
    hd_view from = HD_EMPTY;
    *last = HD_EMPTY;
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, 2 * (int64_t)m->ranks, &counts);
    if (status == HD_OK) {
        const int to = neighbour(m, begin, 1), of = neighbour(m, begin, -1);
        give = counts.data, take = give + m->ranks;
        for (int r = 0; r < 2 * m->ranks; r++) give[r] = 0;
        if (n > 0 && to >= 0) give[to] = 1;
        if (n > 0 && of >= 0) take[of] = 1;
        if (n > 0) from = hd_slice(keys, 0, n - 1, 1, 1);
        status = hd__mpi_row_near(m, &keys, keys.type, n > 0 && of >= 0, last);
    }
    status = hd__mpi_exchange_all(m, status, hd_type_size(keys.type), from, give, *last, take);
    hd__mpi_drop(m, &counts);
    return status;
}

// Whether the first key goes on where the last one of lower ranks stopped: one run of both.
static hd_status look_back(hd_mpi *m, hd_view last, hd_view keys, const hd_comparison *comparison,
                           bool *goes_on)
{
    hd_view both = HD_EMPTY;
    int64_t runs = 2;
    *goes_on = false;
    if (last.shape[0] == 0) return HD_OK;
    hd_status status = hd__mpi_row_near(m, &keys, keys.type, 2, &both);
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_map(m->ctx, last, NULL, hd_slice(both, 0, 0, 1, 1), NULL));
    if (status == HD_OK)
        status = hd__mpi_failed(
            m, hd_map(m->ctx, hd_slice(keys, 0, 0, 1, 1), NULL, hd_slice(both, 0, 1, 1, 1), NULL));
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_unique(m->ctx, both, HD_EMPTY, HD_VIEW(&runs, 1),
                                             &(hd_unique_options){.comparison = comparison}));
    hd__mpi_drop(m, &both);
    *goes_on = runs == 1;
    return status;
}

hd_status hd__mpi_find_heads(hd_mpi *m, hd_status status, const int64_t *begin, hd_view keys,
                             const hd_comparison *comparison, hd_view *heads)
{
    hd_view last;
    int64_t runs = 0;
    bool goes_on = false;
    *heads = HD_EMPTY;
    status = fetch_last(m, status, begin, keys, &last);
    if (status == HD_OK) status = look_back(m, last, keys, comparison, &goes_on);
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, keys.shape[0] + 1, heads);
    if (status == HD_OK)
        status = hd__mpi_failed(
            m, hd_unique(m->ctx, keys, HD_EMPTY, HD_VIEW(&runs, 1),
                         &(hd_unique_options){.indices = heads, .comparison = comparison}));
    hd__mpi_drop(m, &last);
    if (status == HD_OK) *heads = hd_slice(*heads, 0, goes_on, runs - goes_on, 1);
    return hd__mpi_agree(m, status);
}
