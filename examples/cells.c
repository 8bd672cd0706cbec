// SPDX-License-Identifier: Apache-2.0
// Cells in a picture: what is darker than its surroundings, each cell with a number of its own and
// how many elements it has; and a fence around all of them, the convex hull of their places.
#include <heddle_algorithms.h>
#include <stdio.h>

enum { HEIGHT = 8, WIDTH = 16 };

static const char *const picture[HEIGHT] = {
    "9999999999988888", "9922999999988888", "9922999992988888", "9999992229988888",
    "9999999299981188", "9999999999981888", "9922229999988888", "9999999999988888"};

int main(void)
{
    hd_context *ctx;
    uint8_t light[HEIGHT][WIDTH];
    bool dark[HEIGHT][WIDTH];
    int32_t label[HEIGHT][WIDTH], place[HEIGHT * WIDTH][2], corner[HEIGHT * WIDTH];
    uint32_t size[HEIGHT] = {0};
    int64_t cells = 0, corners = 0, places = 0;
    const int64_t shape[] = {HEIGHT, WIDTH};
    const hd_view labels = HD_VIEW_ND(HD_I32, label, 2, shape, NULL);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) light[y][x] = (uint8_t)(picture[y][x] - '0');

    hd_status status = hd_open(&ctx, NULL);
    if (!status)
        status = hd_threshold(
            ctx, HD_VIEW_ND(HD_U8, light, 2, shape, NULL),
            HD_VIEW_ND(HD_BOOL, dark, 2, shape, NULL),
            &(hd_threshold_options){.height = 7, .width = 7, .ratio = 0.5, .invert = true});
    if (!status)
        status = hd_label(ctx, HD_VIEW_ND(HD_BOOL, dark, 2, shape, NULL), labels,
                          &(hd_label_options){.count = HD_REF(HD_VIEW(&cells, 1))});
    if (!status) // one bin a value, from 1 on
        status =
            hd_histogram(ctx, labels, HD_VIEW(size, cells), &(hd_histogram_options){.first = 1});
    for (int y = 0; y < HEIGHT && !status; y++)
        for (int x = 0; x < WIDTH; x++)
            if (dark[y][x]) place[places][0] = x, place[places++][1] = y;
    const int64_t pairs[] = {places, 2};
    if (!status)
        status = hd_convex_hull(ctx, HD_VIEW_ND(HD_I32, place, 2, pairs, NULL),
                                HD_VIEW(corner, places), HD_VIEW(&corners, 1), NULL);
    if (status) fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    for (int y = 0; y < HEIGHT && !status; y++) {
        for (int x = 0; x < WIDTH; x++) putchar(label[y][x] ? '0' + label[y][x] : '.');
        putchar('\n');
    }
    for (int64_t k = 0; k < cells && !status; k++)
        printf("cell %d: %u\n", (int)k + 1, (unsigned)size[k]);
    for (int64_t k = 0; k < corners && !status; k++)
        printf("%s(%d, %d)%s", k ? " " : "fence ", (int)place[corner[k]][0],
               (int)place[corner[k]][1], k < corners - 1 ? "" : "\n");
    hd_close(ctx);
    return status != HD_OK;
}
