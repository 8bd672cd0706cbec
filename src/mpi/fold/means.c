// SPDX-License-Identifier: Apache-2.0
// A mean is a sum in the type that hd_scan sums it in, divided by a count in that type, and then
// made the output's: two scans of the same segments.
#include "means.h"

#include <math.h>

#include "mpi/direct.h"
#include "part.h"
#include "scan_segments.h"

// Of no elements it is no number, whatever 0 / 0 gives here.
HD_FUNCTION_STATE(mean_of_f32, float, HD_NO_SOURCE, (float, sum, int64_t, count), float,
                  { return count > 0 ? sum / (float)count : *state; })
HD_FUNCTION_STATE(mean_of_f64, double, HD_NO_SOURCE, (double, sum, int64_t, count), double,
                  { return count > 0 ? sum / (double)count : *state; })

// What hd_scan says of these arguments.
static hd_status check(hd_mpi *m, hd_view in, hd_view out, const hd_scan_options *o)
{
    const hd__mpi_fold f = {.m = m, .in = in, .with = o->with};
    hd__mpi_part part;
    hd__mpi_take_part(&f, 0, 0, &part);
    return hd__mpi_failed(m, hd_scan(m->ctx, part.in, HD_MEAN, hd_slice(out, 0, 0, 0, 1),
                                     &(hd_scan_options){.exclusive = o->exclusive,
                                                        .map = o->map,
                                                        .with = part.with,
                                                        .ddof = o->ddof,
                                                        .accumulate = o->accumulate,
                                                        .init = o->init,
                                                        .values = o->values}));
}

// Integers are summed in f64, floats in f32 unless they, the output or the call are of f64.
static hd_type type_of_sums(hd_view in, hd_view out, const hd_scan_options *o)
{
    const hd_type element = o->map != NULL ? o->map->result : in.type;
    const bool narrow = element == HD_F32 || element == HD_F16 || element == HD_BF16;
    return narrow && out.type != HD_F64 && o->accumulate != HD_F64 ? HD_F32 : HD_F64;
}

static hd_status divide(hd_mpi *m, hd_view sums, hd_view counts, hd_view out)
{
    const float none = NAN;
    const double wide_none = NAN;
    const bool narrow = sums.type == HD_F32;
    const hd_map_options by_count = {.with = HD_VIEWS(counts)};
    hd_status status = hd__mpi_failed(m, hd_map(m->ctx, sums,
                                                narrow ? HD_WITH_STATE(mean_of_f32, &none)
                                                       : HD_WITH_STATE(mean_of_f64, &wide_none),
                                                sums, &by_count));
    return status != HD_OK ? status : hd__mpi_failed(m, hd_map(m->ctx, sums, NULL, out, NULL));
}

hd_status hd__mpi_scan_means(hd_mpi *m, hd_status status, hd_view in, hd_view out,
                             const hd_scan_options *o)
{
    hd_view sums = HD_EMPTY, counts = HD_EMPTY;
    const int64_t one = 1;
    hd_scan_options of_sums = {.exclusive = o->exclusive,
                               .segments = o->segments,
                               .keys = o->keys,
                               .comparison = o->comparison};
    const hd_scan_options of_counts = of_sums;
    of_sums.map = o->map, of_sums.with = o->with;
    if (status == HD_OK) status = check(m, in, out, o);
    const int64_t n = status == HD_OK ? in.shape[0] : 0;
    if (status == HD_OK) status = hd__mpi_row_near(m, &out, type_of_sums(in, out, o), n, &sums);
    if (status == HD_OK) status = hd__mpi_row_near(m, &out, HD_I64, n, &counts);
    status = hd__mpi_scan_slices(m, status, in, HD_SUM, sums, &of_sums);
    status =
        hd__mpi_scan_slices(m, status, hd_constant_of(HD_I64, &one, n), HD_SUM, counts, &of_counts);
    if (status == HD_OK) status = divide(m, sums, counts, out);
    hd__mpi_drop(m, &sums);
    hd__mpi_drop(m, &counts);
    return status;
}
