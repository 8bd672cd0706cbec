// SPDX-License-Identifier: Apache-2.0
// Memory of a device that goes to MPI as it is: whether the MPI takes it, scratch there, copies.
#include "direct.h"

#include <stdlib.h>
#include <string.h>

// ---- Whether the MPI takes it -------------------------------------------------------------------

// Of Open MPI and of MPICH, each of which may lack them: references that stay empty then. A library
// built with one MPI serves others of its binary interface.
extern int MPIX_Query_cuda_support(void) __attribute__((weak));
extern int MPIX_GPU_query_support(int type, int *supported) __attribute__((weak));

enum { SUPPORT_OF_CUDA = 0 }; // MPICH's MPIX_GPU_SUPPORT_CUDA

static bool mpi_says_so(void)
{
    int supported = 0;
    if (MPIX_GPU_query_support != NULL &&
        MPIX_GPU_query_support(SUPPORT_OF_CUDA, &supported) == MPI_SUCCESS && supported)
        return true;
    return MPIX_Query_cuda_support != NULL && MPIX_Query_cuda_support() == 1;
}

static bool has_device(hd_mpi *m)
{
    void *stream;
    return hd_stream(m->ctx, &stream) == HD_OK;
}

// The model machine's memory has addresses of its own, which no MPI knows. A copy tells where it
// was made.
static bool is_cuda(hd_mpi *m)
{
    int32_t number = 0;
    hd_view there = HD_EMPTY;
    const hd_view here = HD_VIEW(&number, 1);
    hd_status status = hd_alloc_device(m->ctx, HD_I32, 1, here.shape, &there);
    if (status == HD_OK) status = hd_map(m->ctx, here, NULL, there, NULL);
    const bool cuda = status == HD_OK && hd_last_backend(m->ctx) == HD_CUDA;
    if (hd_free(m->ctx, &there) != HD_OK) return false;
    return cuda;
}

void hd__mpi_find_awareness(hd_mpi *m)
{
    const char *given = getenv("HEDDLE_MPI_DEVICE");
    m->aware = false;
    if (given != NULL && strcmp(given, "0") == 0) return;
    if (!has_device(m)) return;
    m->aware = (given != NULL && *given != 0) || (mpi_says_so() && is_cuda(m));
}

bool hd_mpi_is_device_aware(const hd_mpi *mpi)
{
    return mpi != NULL && mpi->aware;
}

void hd__mpi_take_device(hd_mpi *m)
{
    m->direct = m->aware;
}

bool hd__mpi_is_reachable(const hd_mpi *m, const hd_view *v)
{
    return v->space == HD_HOST || (v->space == HD_DEVICE && m->direct);
}

// ---- Rows and copies ----------------------------------------------------------------------------

hd_status hd__mpi_row_near(hd_mpi *m, const hd_view *like, hd_type type, int64_t n, hd_view *row)
{
    if (like->space != HD_DEVICE) return hd__mpi_row(m, type, n, row);
    if (m->rows == HD__MPI_ROWS)
        return hd__mpi_fail(m, HD_ERROR_MEMORY, "more than %d rows of scratch", HD__MPI_ROWS);
    const hd_status status = hd_alloc_device(m->ctx, type, 1, &n, row);
    if (status != HD_OK) return hd__mpi_failed(m, status);
    m->row[m->rows] = *row;
    m->rows += row->data != NULL;
    return HD_OK;
}

hd_view hd__mpi_shaped(hd_view row, int32_t ndim, const int64_t *shape)
{
    hd_view v = hd_view_nd(row.type, row.data, ndim, shape, NULL);
    v.space = row.space, v.device = row.device, v.read_only = row.read_only;
    return v;
}

static hd_view bytes_of(hd_view v, int64_t at, int64_t n)
{
    v.data = (char *)v.data + at;
    v.type = HD_U8;
    return hd__mpi_shaped(v, 1, &n);
}

hd_status hd__mpi_copy_bytes(hd_mpi *m, hd_view to, int64_t to_at, hd_view from, int64_t at,
                             int64_t n)
{
    if (n <= 0) return HD_OK;
    if (to.space == HD_DEVICE || from.space == HD_DEVICE)
        return hd__mpi_failed(
            m, hd_map(m->ctx, bytes_of(from, at, n), NULL, bytes_of(to, to_at, n), NULL));
    memcpy((char *)to.data + to_at, (const char *)from.data + at, (size_t)n);
    return HD_OK;
}

hd_status hd__mpi_settle(hd_mpi *m, const hd_view *v)
{
    return v->space == HD_DEVICE ? hd__mpi_failed(m, hd_sync(m->ctx)) : HD_OK;
}
