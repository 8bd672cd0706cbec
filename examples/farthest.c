// SPDX-License-Identifier: Apache-2.0
// The farthest of many points in space. The operator is written once, over a structure of the
// user's; ties go to the one that comes first. Before it is used, Heddle looks for three points for
// which grouping matters.
#include <heddle.h>

#include <stdio.h>

HD_SOURCE(
    geometry, typedef struct { float x, y, z; } point;
    static inline float norm2(point p) { return p.x * p.x + p.y * p.y + p.z * p.z; })
HD_OPERATOR(farther, point, geometry, HD_ASSOCIATIVE, { return norm2(a) >= norm2(b) ? a : b; })

#define N 100000

static point cloud[N];

int main(void)
{
    // Points on a long spiral that rises and then falls back.
    for (int i = 0; i < N; i++) {
        const float t = (float)(i < 70000 ? i : 140000 - i);
        cloud[i].x = t * (float)(i % 3 - 1);
        cloud[i].y = t * (float)(i % 5 - 2);
        cloud[i].z = t / 2;
    }
    const hd_view points = HD_VIEW_OF(HD_TYPE(point), cloud, N);
    const hd_check_options fields = {.field = HD_F32};
    point far = {0, 0, 0};

    hd_context *ctx;
    hd_status status = hd_open(&ctx, NULL);
    if (!status) status = hd_check_operator(ctx, farther, points, &fields);
    if (!status)
        status = hd_reduce(ctx, points, farther, HD_VIEW_OF(HD_TYPE(point), &far, 1), NULL);
    if (status) fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    hd_close(ctx);
    if (status) return 1;
    printf("farthest of %d points: %g %g %g\n", N, (double)far.x, (double)far.y, (double)far.z);
    return 0;
}
