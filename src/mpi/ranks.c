// SPDX-License-Identifier: Apache-2.0
// What every call stands on: an error that all ranks share, scratch, and checks of rows.
#include "ranks.h"

#include "direct.h"
#include "stage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Errors -------------------------------------------------------------------------------------

void hd__mpi_begin(hd_mpi *m)
{
    m->text[0] = 0;
    m->passed_on = false;
    m->rows = m->stages = 0;
    m->staging = HD_OK;
    m->direct = m->there = false;
}

hd_status hd__mpi_fail(hd_mpi *m, hd_status status, const char *format, ...)
{
    if (m->text[0] != 0) return status;
    const int used = snprintf(m->text, sizeof m->text, "rank %d: ", m->rank);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(m->text + used, sizeof m->text - (size_t)used, format, arguments);
    va_end(arguments);
    return status;
}

hd_status hd__mpi_failed(hd_mpi *m, hd_status status)
{
    return status == HD_OK ? HD_OK : hd__mpi_fail(m, status, "%s", hd_error(m->ctx));
}

hd_status hd__mpi_status(hd_mpi *m, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS) return HD_OK;
    MPI_Error_string(code, text, &length);
    return hd__mpi_fail(m, HD_ERROR_DEVICE, "MPI: %s", text);
}

const char *hd_mpi_error(const hd_mpi *mpi)
{
    return mpi != NULL ? mpi->text : "";
}

// The lowest rank that failed tells the others; one whose error is that of another comes later.
static hd_status spread(hd_mpi *m, hd_status status)
{
    const int well = 2 * m->ranks;
    int mine = status == HD_OK ? well : m->passed_on ? m->ranks + m->rank : m->rank, worst;
    int told = status;
    hd_status sent = hd__mpi_status(m, MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MIN, m->comm));
    if (sent != HD_OK) return sent;
    if (worst == well) return HD_OK;
    const int teller = worst % m->ranks;
    sent = hd__mpi_status(m, MPI_Bcast(&told, 1, MPI_INT, teller, m->comm));
    if (sent != HD_OK) return sent;
    sent = hd__mpi_status(m, MPI_Bcast(m->text, HD__MPI_TEXT, MPI_CHAR, teller, m->comm));
    m->text[HD__MPI_TEXT - 1] = 0;
    return sent != HD_OK ? sent : (hd_status)told;
}

hd_status hd__mpi_agree(hd_mpi *m, hd_status status)
{
    return spread(m, status);
}

// What the device found while its views stayed there is this call's error.
static hd_status finish_device(hd_mpi *m, hd_status status)
{
    const hd_status ended = m->there ? hd__mpi_failed(m, hd_sync(m->ctx)) : HD_OK;
    return status != HD_OK ? status : ended;
}

static void give_back(hd_mpi *m, hd_view *row)
{
    const hd_status status =
        row->space == HD_DEVICE ? hd_free(m->ctx, row) : hd_free_scratch(m->ctx, row);
    if (status != HD_OK) *row = HD_EMPTY; // an empty one is no error
}

hd_status hd__mpi_end(hd_mpi *m, hd_status status)
{
    status = spread(m, finish_device(m, hd__mpi_unstage(m, status)));
    while (m->rows > 0) give_back(m, &m->row[--m->rows]);
    return status;
}

// Sizes and failures travel together: a failure is a count beyond all others.
hd_status hd__mpi_layout(hd_mpi *m, hd_status status, int64_t n, int64_t *first, int64_t *all)
{
    int64_t mine[2] = {status == HD_OK ? n : 0, status != HD_OK}, before[2] = {0, 0}, sum[2];
    hd_status sent = hd__mpi_status(m, MPI_Exscan(mine, before, 2, MPI_INT64_T, MPI_SUM, m->comm));
    if (sent == HD_OK)
        sent = hd__mpi_status(m, MPI_Allreduce(mine, sum, 2, MPI_INT64_T, MPI_SUM, m->comm));
    if (sent != HD_OK) return sent;
    *first = m->rank > 0 ? before[0] : 0; // Exscan leaves rank 0's alone
    *all = sum[0];
    return sum[1] > 0 ? spread(m, status) : HD_OK;
}

hd_status hd__mpi_same(hd_mpi *m, hd_status status, const char *call, const char *what,
                       int64_t number)
{
    int64_t mine[3] = {number, -number, status != HD_OK}, most[3];
    const hd_status sent =
        hd__mpi_status(m, MPI_Allreduce(mine, most, 3, MPI_INT64_T, MPI_MAX, m->comm));
    if (sent != HD_OK) return sent;
    if (most[2] != 0) return spread(m, status);
    if (most[0] == -most[1]) return HD_OK;
    return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: %s is %lld here, and %lld to %lld on the ranks",
                        call, what, (long long)number, (long long)-most[1], (long long)most[0]);
}

// ---- Scratch and views --------------------------------------------------------------------------

hd_status hd__mpi_row(hd_mpi *m, hd_type type, int64_t n, hd_view *row)
{
    if (m->rows == HD__MPI_ROWS)
        return hd__mpi_fail(m, HD_ERROR_MEMORY, "more than %d rows of scratch", HD__MPI_ROWS);
    const hd_status status = hd_alloc_scratch(m->ctx, type, n, &m->row[m->rows]);
    if (status != HD_OK) return hd__mpi_failed(m, status);
    *row = m->row[m->rows];
    m->rows += row->data != NULL;
    return HD_OK;
}

void hd__mpi_drop(hd_mpi *m, hd_view *row)
{
    int k = 0;
    while (k < m->rows && (m->row[k].data != row->data || m->row[k].space != row->space)) k++;
    *row = HD_EMPTY;
    if (k == m->rows) return; // no elements, no memory
    *row = m->row[k];
    m->row[k] = m->row[--m->rows];
    give_back(m, row);
}

hd_status hd__mpi_check_row(hd_mpi *m, const char *call, const char *name, const hd_view *v)
{
    if (hd_type_size(v->type) == 0)
        return hd__mpi_fail(m, HD_ERROR_TYPE, "%s: %s has no type", call, name);
    if (v->ndim != 1 || v->shape[0] < 0)
        return hd__mpi_fail(m, HD_ERROR_SHAPE, "%s: %s has %d dimensions; expected one", call, name,
                            (int)v->ndim);
    if (!hd__mpi_is_reachable(m, v) || (v->shape[0] > 1 && v->stride[0] != 1) ||
        (v->data == NULL && v->shape[0] > 0))
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT,
                            "%s: %s is not in host memory, one element behind the other", call,
                            name);
    return HD_OK;
}

hd_status hd__mpi_check_apart(hd_mpi *m, const char *call, const char *name, const hd_view *v,
                              const char *other, const hd_view *w)
{
    const uintptr_t a = (uintptr_t)v->data, b = (uintptr_t)w->data;
    const uintptr_t n = (uintptr_t)v->shape[0] * hd_type_size(v->type),
                    k = (uintptr_t)w->shape[0] * hd_type_size(w->type);
    if (v->space != w->space || n == 0 || k == 0 || a + n <= b || b + k <= a) return HD_OK;
    return hd__mpi_fail(m, HD_ERROR_ALIAS, "%s: %s overlaps %s; expected them apart", call, name,
                        other);
}

// ---- Open and close -----------------------------------------------------------------------------

static hd_status ask_about(hd_mpi *m, MPI_Comm comm)
{
    hd_status status = hd__mpi_status(m, MPI_Comm_dup(comm, &m->comm));
    if (status == HD_OK)
        status = hd__mpi_status(m, MPI_Comm_set_errhandler(m->comm, MPI_ERRORS_RETURN));
    if (status == HD_OK) status = hd__mpi_status(m, MPI_Comm_rank(m->comm, &m->rank));
    if (status == HD_OK) status = hd__mpi_status(m, MPI_Comm_size(m->comm, &m->ranks));
    return status;
}

hd_status hd_mpi_open(hd_mpi **mpi, hd_context *ctx, MPI_Comm comm)
{
    int running = 0, ended = 0, well, all = 0;
    hd_mpi *m = NULL;
    if (mpi != NULL) *mpi = NULL;
    if (MPI_Initialized(&running) != MPI_SUCCESS || !running ||
        MPI_Finalized(&ended) != MPI_SUCCESS || ended || comm == MPI_COMM_NULL)
        return hd_fail(ctx, HD_ERROR_ARGUMENT,
                       "hd_mpi_open: expected a communicator, between MPI_Init and MPI_Finalize");
    if (mpi != NULL && ctx != NULL) m = calloc(1, sizeof *m);
    well = m != NULL;
    if (MPI_Allreduce(&well, &all, 1, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS || !all) {
        free(m);
        const bool mine = mpi == NULL || ctx == NULL;
        return hd_fail(ctx, mine ? HD_ERROR_ARGUMENT : HD_ERROR_MEMORY,
                       mine ? "hd_mpi_open: mpi and ctx must not be NULL"
                            : "hd_mpi_open: this rank or another could not begin");
    }
    m->ctx = ctx;
    m->chunk = (int64_t)1 << 30; // MPI counts in int
    const hd_status status = ask_about(m, comm);
    if (status != HD_OK) {
        hd_fail(ctx, status, m->text);
        free(m);
        return status;
    }
    hd__mpi_find_awareness(m);
    *mpi = m;
    return HD_OK;
}

void hd_mpi_close(hd_mpi *mpi)
{
    if (mpi == NULL) return;
    MPI_Comm_free(&mpi->comm);
    free(mpi);
}

hd_status hd_mpi_layout(hd_mpi *mpi, int64_t n, int64_t *first, int64_t *all)
{
    int64_t before = 0, sum = 0;
    hd_status status = HD_OK;
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    if (n < 0 || first == NULL || all == NULL)
        status = hd__mpi_fail(mpi, HD_ERROR_ARGUMENT,
                              "hd_mpi_layout: n is %lld; expected 0 or more, and places for two "
                              "results",
                              (long long)n);
    status = hd__mpi_layout(mpi, status, n, &before, &sum);
    if (status != HD_OK) return status;
    *first = before, *all = sum;
    return HD_OK;
}
