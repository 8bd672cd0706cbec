// SPDX-License-Identifier: Apache-2.0
// How a sequence lies on the ranks: beginnings by one gathering of sizes, numbers that all must
// pass alike by one reduction, and the first index out of range.
#include "layout.h"

#include <inttypes.h>
#include <stdio.h>

// ---- Beginnings ---------------------------------------------------------------------------------

static hd_status sum_up(hd_mpi *m, int64_t *begin)
{
    const int64_t most = (int64_t)1 << 62;
    begin[0] = 0;
    for (int r = 0; r < m->ranks; r++) {
        if (begin[r + 1] < 0 || begin[r + 1] > most - begin[r])
            return hd__mpi_fail(m, HD_ERROR_SHAPE, "the ranks have more than 2^62 elements");
        begin[r + 1] += begin[r];
    }
    return HD_OK;
}

hd_status hd__mpi_begins(hd_mpi *m, hd_status status, int64_t n, const int64_t **begin)
{
    hd_view row = HD_EMPTY;
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, m->ranks + 1, &row);
    status = hd__mpi_agree(m, status);
    if (status != HD_OK) return status;
    int64_t *at = row.data;
    *begin = at;
    status = hd__mpi_status(m, MPI_Allgather(&n, 1, MPI_INT64_T, at + 1, 1, MPI_INT64_T, m->comm));
    return status != HD_OK ? status : sum_up(m, at);
}

// ---- Numbers ------------------------------------------------------------------------------------

hd_status hd__mpi_same_numbers(hd_mpi *m, hd_status status, const char *call,
                               const hd__mpi_number *number, int count)
{
    int64_t mine[2 * HD__MPI_NUMBERS + 1], most[2 * HD__MPI_NUMBERS + 1];
    for (int k = 0; k < count; k++) {
        mine[2 * k] = number[k].value;
        mine[2 * k + 1] = -number[k].value;
    }
    mine[2 * count] = status != HD_OK;
    const hd_status sent =
        hd__mpi_status(m, MPI_Allreduce(mine, most, 2 * count + 1, MPI_INT64_T, MPI_MAX, m->comm));
    if (sent != HD_OK) return sent;
    if (most[2 * count] != 0) return hd__mpi_agree(m, status);
    for (int k = 0; k < count; k++)
        if (most[2 * k] != -most[2 * k + 1]) // on every rank
            return hd__mpi_fail(m, HD_ERROR_ARGUMENT,
                                "%s: %s: %" PRId64 " here, %" PRId64 " to %" PRId64 " on the ranks",
                                call, number[k].what, number[k].value, -most[2 * k + 1],
                                most[2 * k]);
    return HD_OK;
}

// ---- Indices ------------------------------------------------------------------------------------

HD_FUNCTION_STATE(is_outside, bool, HD_NO_SOURCE, (int64_t, i), int64_t,
                  { return i < 0 || i >= *state; })
HD_FUNCTION_STATE(less, int64_t, HD_NO_SOURCE, (int64_t, i), int64_t, { return i - *state; })

hd_status hd__mpi_first_bad(hd_mpi *m, hd_status status, hd_view index, int64_t limit, int64_t *bad,
                            int64_t *here)
{
    int64_t first = 0, all = 0, lowest = INT64_MAX;
    *here = -1;
    if (status == HD_OK)
        status = hd__mpi_failed(
            m, hd_find(m->ctx, index, HD_VIEW(here, 1),
                       &(hd_find_options){.map = HD_WITH_STATE(is_outside, &limit)}));
    status = hd__mpi_layout(m, status, status == HD_OK ? index.shape[0] : 0, &first, &all);
    if (status != HD_OK) return status;
    const int64_t mine = *here >= 0 ? first + *here : INT64_MAX;
    status = hd__mpi_status(m, MPI_Allreduce(&mine, &lowest, 1, MPI_INT64_T, MPI_MIN, m->comm));
    *bad = lowest == INT64_MAX ? -1 : lowest;
    if (mine != lowest) *here = -1;
    return status;
}

hd_status hd__mpi_fail_bad(hd_mpi *m, const char *call, const char *what, const hd_view *was,
                           int64_t bad, int64_t here, int64_t limit)
{
    int64_t value = 0;
    char text[32], range[48];
    const hd_status status = hd__mpi_failed(
        m, hd_map(m->ctx, hd_slice(*was, 0, here, 1, 1), NULL, HD_VIEW(&value, 1), NULL));
    if (status != HD_OK) return status;
    snprintf(text, sizeof text, was->type == HD_U64 ? "%" PRIu64 : "%" PRId64, value);
    snprintf(range, sizeof range, "; expected 0 to %" PRId64, limit - 1);
    return hd__mpi_fail(m, HD_ERROR_VALUE, "%s: %s %" PRId64 " is %s%s", call, what, bad, text,
                        limit > 0 ? range : ", and there is no element");
}

hd_status hd__mpi_make_local(hd_mpi *m, hd_view index, int64_t begin)
{
    return hd__mpi_failed(m, hd_map(m->ctx, index, HD_WITH_STATE(less, &begin), index, NULL));
}
