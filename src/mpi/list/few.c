// SPDX-License-Identifier: Apache-2.0
// The few nodes that contraction leaves: rank 0 gets them all, follows each list from its last node
// back, and sends the ranks to where the nodes are.
#include "few.h"

#include "mpi/layout.h"
#include "mpi/views.h"

typedef struct record {
    int64_t node, next, before, weight, last;
} record;

static int64_t find_node(const record *list, int64_t n, int64_t node)
{
    int64_t low = 0;
    while (low < n) {
        const int64_t middle = low + (n - low) / 2;
        if (list[middle].node < node)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

// From each last node to the first one. Nodes rise in the list.
static void rank_records(const record *list, int64_t n, int64_t *rank, int64_t *last)
{
    for (int64_t k = 0; k < n; k++) rank[k] = last[k] = -1;
    for (int64_t k = 0; k < n; k++) {
        if (list[k].next != list[k].node) continue;
        int64_t sum = 0;
        for (int64_t at = k;;) {
            sum += list[at].weight;
            rank[at] = sum;
            last[at] = list[k].last;
            if (list[at].before < 0) break;
            at = find_node(list, n, list[at].before);
        }
    }
}

static hd_status write_records(const hd__mpi_list *l, hd_view active, hd_view weights,
                               hd_view lasts, hd_view *records)
{
    hd_mpi *m = l->m;
    const int64_t n = active.shape[0];
    hd_view node = HD_EMPTY, next = HD_EMPTY, before = HD_EMPTY, weight = HD_EMPTY, last = HD_EMPTY;
    hd_status status = hd__mpi_row(m, HD_STRUCT(record), n, records);
    if (status == HD_OK) status = hd__mpi_copy(m, &active, HD_I64, &node);
    if (status == HD_OK) status = hd__mpi_make_local(m, node, -l->begin[m->rank]);
    if (status == HD_OK) status = hd__mpi_gathered(m, l->next, active, &next);
    if (status == HD_OK) status = hd__mpi_gathered(m, l->before, active, &before);
    if (status == HD_OK) status = hd__mpi_gathered(m, weights, active, &weight);
    if (status == HD_OK && lasts.type != HD_NONE)
        status = hd__mpi_gathered(m, lasts, active, &last);
    if (status == HD_OK)
        status = hd__mpi_failed(
            m, hd_zip(m->ctx,
                      HD_VIEWS(node, next, before, weight, lasts.type != HD_NONE ? last : node),
                      *records, NULL));
    hd__mpi_drop(m, &last);
    hd__mpi_drop(m, &node);
    hd__mpi_drop(m, &next);
    hd__mpi_drop(m, &before);
    hd__mpi_drop(m, &weight);
    return status;
}

hd_status hd__mpi_rank_few(const hd__mpi_list *l, hd_status status, hd_view active, hd_view weight,
                           hd_view rank, hd_view last)
{
    hd_mpi *m = l->m;
    hd_view records = HD_EMPTY, came = HD_EMPTY, ranks = HD_EMPTY, lasts = HD_EMPTY,
            mine = HD_EMPTY, counts;
    int64_t n = 0, *give = NULL, *take = NULL;
    if (status == HD_OK) status = write_records(l, active, weight, last, &records);
    if (status == HD_OK) status = hd__mpi_filled(m, 2 * (int64_t)m->ranks, 0, &counts);
    if (status == HD_OK) {
        give = counts.data, take = give + m->ranks;
        give[0] = active.shape[0];
    }
    status = hd__mpi_counts(m, status, give, take);
    for (int r = 0; status == HD_OK && r < m->ranks; r++) n += take[r];
    if (status == HD_OK) status = hd__mpi_row(m, HD_STRUCT(record), n, &came);
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, n, &ranks);
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, n, &lasts);
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, active.shape[0], &mine);
    status = hd__mpi_exchange_all(m, status, sizeof(record), records, give, came, take);
    if (status != HD_OK) return status;
    rank_records(came.data, n, ranks.data, lasts.data);
    status = hd__mpi_exchange(m, sizeof(int64_t), ranks, take, mine, give);
    if (status == HD_OK) status = hd__mpi_failed(m, hd_scatter(m->ctx, mine, active, rank, NULL));
    if (last.type == HD_NONE) return status;
    status = hd__mpi_exchange_all(m, status, sizeof(int64_t), lasts, take, mine, give);
    return status != HD_OK ? status
                           : hd__mpi_failed(m, hd_scatter(m->ctx, mine, active, last, NULL));
}
