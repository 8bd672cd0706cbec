// SPDX-License-Identifier: Apache-2.0
// A sparse matrix times a vector: the products of a row are reduced as one segment, and elements
// of the vector are fetched by their columns on the way (hd_indexed), with no array in between.
#include <heddle.h>

#include <stdint.h>
#include <stdio.h>

enum { ROWS = 4, COLUMNS = 5, VALUES = 7 };

int main(void)
{
    // Row j has values offset[j] .. offset[j + 1] - 1; the third has none.
    const float value[VALUES] = {2, 1, 3, 4, -1, 5, 6};
    const int32_t column[VALUES] = {0, 3, 1, 0, 2, 4, 1};
    const int64_t offset[ROWS + 1] = {0, 2, 5, 5, 7};
    const float x[COLUMNS] = {1, 10, 100, 1000, 10000};
    float y[ROWS];

    const hd_view segments = HD_VIEW(offset, ROWS + 1);
    const hd_view fetched = hd_indexed(HD_VIEW(x, COLUMNS), HD_VIEW(column, VALUES));
    const hd_reduce_options options = {.segments = &segments, .with = HD_VIEWS(fetched)};

    hd_context *ctx;
    hd_status status = hd_open(&ctx, NULL);
    if (!status)
        status = hd_reduce(ctx, HD_VIEW(value, VALUES), HD_DOT, HD_VIEW(y, ROWS), &options);
    if (status) fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    hd_close(ctx);
    if (status) return 1;
    for (int j = 0; j < ROWS; j++) printf("row %d  %g\n", j, (double)y[j]);
    return 0;
}
