// SPDX-License-Identifier: Apache-2.0
// C++: a matrix of readings, one row a sensor. Mean, variance and median of each row, and for each
// row the least reading and where it is.
#include <heddle.h>

#include <cstdint>
#include <cstdio>
#include <vector>

int main()
{
    const int64_t shape[2] = {3, 8};
    const std::vector<double> readings = {3,  1, 7, 0,  4, 1,  6, 3, //
                                          10, 1, 8, -1, 0, -2, 3, 5, //
                                          2,  2, 2, 2,  2, 2,  2, 2};
    const double half = 0.5;
    double mean[3], variance[3], median[3], least[3];
    int64_t where[3];
    const hd_view in = HD_VIEW_ND(HD_F64, readings.data(), 2, shape, nullptr);

    hd_reduce_options rows = hd_reduce_options();
    rows.axis = HD_AXIS(1);
    hd_reduce_options rows_with_values = rows;
    const hd_view least_of_rows = HD_VIEW(least, 3);
    rows_with_values.values = &least_of_rows;

    const int64_t one_a_row[2] = {3, 1};
    const hd_view medians = HD_VIEW_ND(HD_F64, median, 2, one_a_row, nullptr);
    hd_quantiles_options quantile_rows = hd_quantiles_options();
    quantile_rows.axis = HD_AXIS(1);

    hd_context *ctx;
    hd_status status = hd_open(&ctx, nullptr);
    if (!status) status = hd_reduce(ctx, in, HD_MEAN, HD_VIEW(mean, 3), &rows);
    if (!status) status = hd_reduce(ctx, in, HD_VARIANCE, HD_VIEW(variance, 3), &rows);
    if (!status) status = hd_quantiles(ctx, in, HD_VIEW(&half, 1), medians, &quantile_rows);
    if (!status) status = hd_reduce(ctx, in, HD_ARGMIN, HD_VIEW(where, 3), &rows_with_values);
    if (status) std::fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    hd_close(ctx);
    if (status) return 1;

    for (int i = 0; i < 3; i++)
        std::printf("row %d: mean %g, variance %g, median %g, least %g at %d\n", i, mean[i],
                    variance[i], median[i], least[i], (int)where[i]);
    return 0;
}
