// SPDX-License-Identifier: Apache-2.0
#include "indices.h"

#include <inttypes.h>

HD_FUNCTION_STATE(is_outside, bool, HD_NO_SOURCE, (int64_t, i), int64_t,
                  { return i < 0 || i >= *state; })

hd_type hd__frame_index_type(int64_t n)
{
    return n <= INT32_MAX ? HD_I32 : HD_I64;
}

// Names the first one; what is no i64 shows as a negative number.
static hd_status name_first(hd__frame *f, const char *what, hd_view indices, int64_t n)
{
    hd_view row;
    int64_t at = -1, value = 0;
    hd_status status = hd__frame_dense(f, indices, HD_I64, &row);
    if (!status)
        status = hd_find(f->ctx, row, HD_VIEW(&at, 1),
                         &(hd_find_options){.map = HD_WITH_STATE(is_outside, &n)});
    if (!status && at >= 0) status = hd__frame_read(f, row, at, &value);
    if (status) return status;
    if (at < 0) return HD_OK;
    return hd__frame_fail(f, HD_ERROR_VALUE,
                          "%s %" PRId64 " is %" PRId64 "; expected 0 .. %" PRId64, what, at, value,
                          n - 1);
}

static bool is_integer(hd_type type)
{
    return type >= HD_I8 && type <= HD_U64;
}

hd_status hd__frame_indices_check(hd__frame *f, const char *what, hd_view indices, int64_t n)
{
    uint64_t end[2] = {0, 0}; // room for any integer
    int64_t least = 0, most = 0;
    if (!is_integer(indices.type))
        return hd__frame_fail(f, HD_ERROR_TYPE, "%s is of %s; expected integers", what,
                              hd_type_name(indices.type));
    hd_status status = hd__frame_check(f, what, indices);
    if (status || hd_count(indices) == 0) return status;
    const hd_view first = hd_view_of(indices.type, &end[0], 1);
    const hd_view last = hd_view_of(indices.type, &end[1], 1);
    status =
        hd_reduce_many(f->ctx, indices, HD_OPERATORS(HD_MIN, HD_MAX), HD_VIEWS(first, last), NULL);
    if (!status) status = hd_map(f->ctx, first, NULL, HD_VIEW(&least, 1), NULL);
    if (!status) status = hd_map(f->ctx, last, NULL, HD_VIEW(&most, 1), NULL);
    if (status) return status;
    return least < 0 || most < 0 || most >= n ? name_first(f, what, indices, n) : HD_OK;
}

hd_status hd__frame_indices(hd__frame *f, const char *what, hd_view indices, int64_t n,
                            hd_view *row)
{
    const hd_type type = hd__frame_index_type(n);
    const hd_status status = hd__frame_indices_check(f, what, indices, n);
    if (status) return status;
    // Below 2^31 (2^63) the bits of both kinds are the same.
    if (indices.type == HD_U32 && type == HD_I32) indices.type = HD_I32;
    if (indices.type == HD_U64 && type == HD_I64) indices.type = HD_I64;
    return hd__frame_dense(f, indices, type, row);
}

hd_status hd__frame_indices_hold(hd__frame *f, const char *what, hd_view out, int64_t n)
{
    const int bits = 8 * (int)hd_type_size(out.type) - (out.type <= HD_I64);
    if (!is_integer(out.type) || (bits < 63 && n - 1 >= (int64_t)1 << bits))
        return hd__frame_fail(f, HD_ERROR_TYPE, "%s is of %s; expected integers that hold %" PRId64,
                              what, hd_type_name(out.type), n > 0 ? n - 1 : 0);
    return HD_OK;
}
