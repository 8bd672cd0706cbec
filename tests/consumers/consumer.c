// SPDX-License-Identifier: Apache-2.0
// A user's program in C: the shortest call, an operator of its own, and a version that fits.
#include <heddle.h>

#include <stdio.h>
#include <string.h>

HD_SOURCE(
    geometry, typedef struct { float x, y, z; } point;
    static inline float norm2(point p) { return p.x * p.x + p.y * p.y + p.z * p.z; })
HD_OPERATOR(farther, point, geometry, HD_ASSOCIATIVE, { return norm2(a) >= norm2(b) ? a : b; })

int main(void)
{
    int32_t x[8] = {3, 1, 7, 0, 4, 1, 6, 3}, total = 0;
    point p[3] = {{1, 0, 0}, {0, -3, 0}, {1, 1, 1}}, far = {0, 0, 0};
    hd_context *ctx;
    hd_status status = hd_open(&ctx, NULL);
    if (!status) status = hd_reduce(ctx, HD_VIEW(x, 8), HD_SUM, HD_VIEW(&total, 1), NULL);
    if (!status) status = hd_scan(ctx, HD_VIEW(x, 8), HD_SUM, HD_VIEW(x, 8), NULL);
    if (!status)
        status = hd_reduce(ctx, HD_VIEW_OF(HD_TYPE(point), p, 3), farther,
                           HD_VIEW_OF(HD_TYPE(point), &far, 1), NULL);
    if (status) {
        fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
        hd_close(ctx);
        return 1;
    }
    hd_close(ctx);
    printf("C: heddle %s, total %d, last %d, farthest y %g\n", hd_version(), total, x[7],
           (double)far.y);
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", HD_VERSION_MAJOR, HD_VERSION_MINOR,
             HD_VERSION_PATCH);
    return total != 25 || x[7] != 25 || far.y != -3 || strcmp(version, hd_version()) != 0;
}
