// SPDX-License-Identifier: Apache-2.0
// Items on their way to the owners of global indices: a stable partition by rank, and an exchange
// for each row of items.
#include "route.h"

#include "mpi/direct.h"
#include "mpi/layout.h"

// Ways of the partition: 0 are indices below 0, 1 + r those of rank r, ranks + 1 those beyond all.
static hd_status find_ways(hd_mpi *m, const int64_t *begin, hd_view index, hd_view *way)
{
    const hd_view begins = hd_view_of(HD_I64, begin, m->ranks + 1);
    const hd_status status = hd__mpi_row_near(m, &index, HD_I32, index.shape[0], way);
    if (status != HD_OK) return status;
    return hd__mpi_failed(
        m, hd_search(m->ctx, begins, index, *way, &(hd_search_options){.right = true}));
}

static hd_status prepare(hd_mpi *m, const int64_t *begin, hd_view index, hd__mpi_route *route)
{
    const int64_t n = index.shape[0], ways = m->ranks + 2;
    hd_view way = HD_EMPTY, counts = HD_EMPTY;
    hd_status status = find_ways(m, begin, index, &way);
    if (status == HD_OK) status = hd__mpi_row_near(m, &index, HD_I64, n, &route->all);
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, ways + m->ranks, &counts);
    if (status != HD_OK) return status;
    status = hd__mpi_failed(
        m, hd_partition(m->ctx, hd_iota(n), route->all, hd_slice(counts, 0, m->ranks, ways, 1),
                        &(hd_partition_options){.buckets = &way, .ways = ways}));
    hd__mpi_drop(m, &way);
    if (status != HD_OK) return status;
    route->take = counts.data;
    const int64_t *count = route->take + m->ranks;
    route->give = route->take + m->ranks + 1;
    route->order = hd_slice(route->all, 0, count[0], n - count[0] - count[m->ranks + 1], 1);
    return HD_OK;
}

hd_status hd__mpi_find_route(hd_mpi *m, hd_status status, const int64_t *begin, hd_view index,
                             hd__mpi_route *route)
{
    *route = (hd__mpi_route){.items = 0};
    if (status == HD_OK) status = prepare(m, begin, index, route);
    status = hd__mpi_counts(m, status, route->give, route->take);
    for (int r = 0; status == HD_OK && r < m->ranks; r++) route->items += route->take[r];
    return status;
}

hd_status hd__mpi_deliver(hd_mpi *m, hd_status status, const hd__mpi_route *route, hd_view items,
                          hd_view *came)
{
    hd_view packed = HD_EMPTY;
    *came = HD_EMPTY;
    if (status == HD_OK)
        status = hd__mpi_row_near(m, &items, items.type, route->order.shape[0], &packed);
    if (status == HD_OK) status = hd__mpi_row_near(m, &items, items.type, route->items, came);
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_gather(m->ctx, items, route->order, packed, NULL));
    status = hd__mpi_exchange_all(m, status, hd_type_size(items.type), packed, route->give, *came,
                                  route->take);
    hd__mpi_drop(m, &packed);
    return status;
}

hd_status hd__mpi_deliver_indices(hd_mpi *m, hd_status status, const hd__mpi_route *route,
                                  const int64_t *begin, hd_view index, hd_view *came)
{
    status = hd__mpi_deliver(m, status, route, index, came);
    return status != HD_OK ? status : hd__mpi_make_local(m, *came, begin[m->rank]);
}

void hd__mpi_drop_route(hd_mpi *m, hd__mpi_route *route)
{
    hd_view counts = hd_view_of(HD_I64, route->take, 2);
    hd__mpi_drop(m, &route->all);
    hd__mpi_drop(m, &counts);
    *route = (hd__mpi_route){.items = 0};
}
