// SPDX-License-Identifier: Apache-2.0
// Views as the calls of this library take them: made rows without gaps, or checked to be that.
#include "views.h"

#include "direct.h"

static bool is_integer(hd_type type)
{
    return type >= HD_I8 && type <= HD_U64;
}

hd_status hd__mpi_check_size(hd_mpi *m, const char *call, size_t given, size_t known)
{
    if (given == 0 || given == known) return HD_OK;
    return hd__mpi_fail(m, HD_ERROR_ARGUMENT,
                        "%s: options.size is %zu; expected 0, or %zu, or more with zeros behind",
                        call, given, known);
}

// ---- Rows ---------------------------------------------------------------------------------------

hd_status hd__mpi_dense(hd_mpi *m, const char *call, const char *name, const hd_view *v,
                        hd_view *row)
{
    const hd_view from = *v; // which row may be
    const bool implicit = v->space != HD_HOST && v->space != HD_DEVICE;
    const bool as_is = !implicit && (v->shape[0] <= 1 || v->stride[0] == 1);
    *row = from;
    if (as_is || (!implicit && !hd__mpi_is_reachable(m, v)) || v->ndim != 1 || v->shape[0] < 0 ||
        hd_type_size(v->type) == 0)
        return hd__mpi_check_row(m, call, name, &from);
    const hd_status status = hd__mpi_row_near(m, &from, from.type, from.shape[0], row);
    return status != HD_OK ? status : hd__mpi_failed(m, hd_map(m->ctx, from, NULL, *row, NULL));
}

hd_status hd__mpi_integers(hd_mpi *m, const char *call, const char *name, const hd_view *v,
                           hd_view *row)
{
    if (!is_integer(v->type))
        return hd__mpi_fail(m, HD_ERROR_TYPE, "%s: %s is %s; expected an integer type", call, name,
                            hd_type_name(v->type));
    const hd_view from = *v; // which row may be
    if (from.type == HD_I64) return hd__mpi_dense(m, call, name, &from, row);
    if (from.ndim != 1 || from.shape[0] < 0 || (from.space == HD_DEVICE && !m->direct))
        return hd__mpi_check_row(m, call, name, &from);
    const hd_status status = hd__mpi_row_near(m, &from, HD_I64, from.shape[0], row);
    return status != HD_OK ? status : hd__mpi_failed(m, hd_map(m->ctx, from, NULL, *row, NULL));
}

hd_status hd__mpi_filled(hd_mpi *m, int64_t n, int64_t number, hd_view *row)
{
    const hd_status status = hd__mpi_row(m, HD_I64, n, row);
    if (status != HD_OK) return status;
    return hd__mpi_failed(m, hd_map(m->ctx, hd_constant(number, n), NULL, *row, NULL));
}

hd_status hd__mpi_gathered(hd_mpi *m, hd_view in, hd_view index, hd_view *out)
{
    const hd_status status = hd__mpi_row_near(m, &in, in.type, index.shape[0], out);
    return status != HD_OK ? status : hd__mpi_failed(m, hd_gather(m->ctx, in, index, *out, NULL));
}

hd_status hd__mpi_copy(hd_mpi *m, const hd_view *v, hd_type type, hd_view *copy)
{
    const hd_view from = *v; // which copy may be
    const int64_t n = hd_count(from);
    const hd_status status = hd__mpi_row(m, type, n < 0 ? 0 : n, copy);
    if (status != HD_OK) return status;
    *copy = hd_view_nd(type, copy->data, from.ndim, from.shape, NULL);
    return hd__mpi_failed(m, hd_map(m->ctx, from, NULL, *copy, NULL));
}

// ---- Arrays of rows -----------------------------------------------------------------------------

static bool has_gaps(const hd_view *v)
{
    int64_t next = 1;
    for (int axis = v->ndim - 1; axis >= 0; axis--) {
        if (v->shape[axis] > 1 && v->stride[axis] != next) return true;
        next *= v->shape[axis];
    }
    return false;
}

hd_status hd__mpi_check_array(hd_mpi *m, const char *call, const char *name, const hd_view *v)
{
    const int64_t n = hd_count(*v);
    if (hd_type_size(v->type) == 0)
        return hd__mpi_fail(m, HD_ERROR_TYPE, "%s: %s has no type", call, name);
    if (v->ndim < 1 || v->ndim > HD_MAX_DIMS || n < 0)
        return hd__mpi_fail(m, HD_ERROR_SHAPE, "%s: %s has %d dimensions; expected 1 to %d", call,
                            name, (int)v->ndim, HD_MAX_DIMS);
    if (!hd__mpi_is_reachable(m, v) || (n > 0 && (v->data == NULL || has_gaps(v))))
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT,
                            "%s: %s is not in host memory, row-major without gaps", call, name);
    return HD_OK;
}

static int64_t row_elements(const hd_view *v)
{
    int64_t n = 1;
    for (int axis = 1; axis < v->ndim; axis++) n *= v->shape[axis];
    return n;
}

int64_t hd__mpi_row_bytes(const hd_view *v)
{
    return row_elements(v) * (int64_t)hd_type_size(v->type);
}

hd_view hd__mpi_flat(const hd_view *v)
{
    const int64_t n = hd_count(*v);
    return hd__mpi_shaped(*v, 1, &n);
}

hd_status hd__mpi_rows_like(hd_mpi *m, const hd_view *v, hd_type type, int64_t n, hd_view *rows)
{
    int64_t shape[HD_MAX_DIMS];
    for (int axis = 0; axis < v->ndim; axis++) shape[axis] = axis == 0 ? n : v->shape[axis];
    const hd_status status = hd__mpi_row_near(m, v, type, n * row_elements(v), rows);
    if (status == HD_OK) *rows = hd__mpi_shaped(*rows, v->ndim, shape);
    return status;
}

// ---- Numbers ------------------------------------------------------------------------------------

hd_status hd__mpi_check_number(hd_mpi *m, const char *call, const char *name, const hd_view *v)
{
    if (v == NULL || v->type == HD_NONE) return HD_OK;
    if (v->type == HD_I64 && hd_count(*v) == 1 && v->space == HD_HOST && v->data != NULL &&
        (uintptr_t)v->data % sizeof(int64_t) == 0 && v->read_only == 0)
        return HD_OK;
    return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: %s is not one i64 in host memory", call, name);
}

void hd__mpi_give_number(const hd_view *v, int64_t number)
{
    if (v != NULL && v->type != HD_NONE) *(int64_t *)v->data = number;
}

hd_status hd__mpi_check_holds(hd_mpi *m, const char *call, const char *name, const hd_view *v,
                              int64_t n)
{
    const int bits = 8 * (int)hd_type_size(v->type) - (v->type <= HD_I64);
    if (is_integer(v->type) && (bits >= 63 || n - 1 < (int64_t)1 << bits)) return HD_OK;
    return hd__mpi_fail(m, HD_ERROR_TYPE, "%s: %s is %s; expected an integer type that holds %lld",
                        call, name, hd_type_name(v->type), n > 0 ? (long long)n - 1 : 0);
}
