// SPDX-License-Identifier: Apache-2.0
// Offsets of segments are checked where they lie; since they rise, those that fall among a rank's
// elements are a range of each rank's, and arrive in order.
#include "offsets.h"

int64_t hd__mpi_count_below(const int64_t *x, int64_t n, int64_t v, bool or_equal)
{
    int64_t low = 0;
    while (low < n) {
        const int64_t middle = low + (n - low) / 2;
        if (x[middle] < v || (or_equal && x[middle] == v))
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

// The greatest number of the ranks before this one, and of all; -1 where there is none.
static hd_status find_greatest(hd_mpi *m, hd_view row, int64_t *before, int64_t *last)
{
    const int64_t n = row.shape[0], mine = n > 0 ? ((const int64_t *)row.data)[n - 1] : -1;
    int64_t most = -1;
    hd_status status =
        hd__mpi_status(m, MPI_Exscan(&mine, &most, 1, MPI_INT64_T, MPI_MAX, m->comm));
    *before = m->rank > 0 ? most : -1; // Exscan leaves rank 0's alone
    if (status == HD_OK)
        status = hd__mpi_status(m, MPI_Allreduce(&mine, last, 1, MPI_INT64_T, MPI_MAX, m->comm));
    return status;
}

hd_status hd__mpi_find_greatest(hd_mpi *m, hd__mpi_offsets *o)
{
    return find_greatest(m, o->here, &o->before, &o->last);
}

// The one before the first is the last of lower ranks: where none of these fails it is the greatest
// of theirs, and where one does its text is the one that counts.
static hd_status check_values(hd_mpi *m, const char *call, const hd__mpi_offsets *o, int64_t before,
                              int64_t limit)
{
    const int64_t *offset = o->own.data;
    for (int64_t j = 0; j < o->own.shape[0]; j++) {
        if (offset[j] < 0 || offset[j] > limit)
            return hd__mpi_fail(m, HD_ERROR_VALUE,
                                "%s: segments: offset %lld is %lld; expected 0 to %lld", call,
                                (long long)(o->first + j), (long long)offset[j], (long long)limit);
        if (offset[j] < before)
            return hd__mpi_fail(m, HD_ERROR_VALUE,
                                "%s: segments: offset %lld is %lld, less than the one before, %lld",
                                call, (long long)(o->first + j), (long long)offset[j],
                                (long long)before);
        before = offset[j];
    }
    return HD_OK;
}

hd_status hd__mpi_check_offsets(hd_mpi *m, hd_status status, const char *call, const int64_t *begin,
                                hd__mpi_offsets *o)
{
    int64_t before = -1, last = -1;
    status = hd__mpi_layout(m, status, status == HD_OK ? o->own.shape[0] : 0, &o->first, &o->all);
    if (status != HD_OK) return status;
    status = find_greatest(m, o->own, &before, &last);
    if (status == HD_OK) status = check_values(m, call, o, before, begin[m->ranks]);
    return hd__mpi_agree(m, status);
}

// How many of this rank's offsets go to each rank: those up to where its elements end.
static void count_offsets(const hd_mpi *m, const int64_t *begin, bool ends, hd_view own,
                          int64_t *give)
{
    int64_t at = 0;
    for (int r = 0; r < m->ranks; r++) {
        const int64_t end = hd__mpi_count_below(own.data, own.shape[0], begin[r + 1], ends);
        give[r] = end - at;
        at = end;
    }
}

hd_status hd__mpi_send_offsets(hd_mpi *m, hd_status status, const int64_t *begin, bool ends,
                               hd__mpi_offsets *o)
{
    hd_view counts = HD_EMPTY;
    int64_t n = 0, *give = NULL, *take = NULL;
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, 2 * (int64_t)m->ranks, &counts);
    if (status == HD_OK) {
        give = counts.data, take = give + m->ranks;
        count_offsets(m, begin, ends, o->own, give);
    }
    status = hd__mpi_counts(m, status, give, take);
    for (int r = 0; status == HD_OK && r < m->ranks; r++) n += take[r];
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, n, &o->here);
    status = hd__mpi_exchange_all(m, status, sizeof(int64_t), o->own, give, o->here, take);
    hd__mpi_drop(m, &counts);
    return status != HD_OK ? status : hd__mpi_find_greatest(m, o);
}
