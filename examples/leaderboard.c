// SPDX-License-Identifier: Apache-2.0
//
// Players by their points, the best first; who has as many stays in the order of arrival. Names are
// structures: anything can be moved along with the keys.
#include <heddle.h>
#include <stdio.h>

typedef struct {
    char text[8];
} name;

int main(void)
{
    int32_t points[] = {310, 520, 470, 520, 90}, sorted[5];
    name names[] = {{"Ada"}, {"Blaise"}, {"Carl"}, {"Dorothy"}, {"Emmy"}}, ranked[5];
    const hd_type name_type = HD_STRUCT(name);
    hd_context *ctx;
    if (hd_open(&ctx, NULL) != HD_OK) return 1;
    const hd_status status =
        hd_sort(ctx, HD_VIEW(points, 5), HD_VIEW(sorted, 5),
                HD_VALUES(HD_VIEW_OF(name_type, names, 5), HD_VIEW_OF(name_type, ranked, 5)),
                &(hd_sort_options){.descending = true});
    if (status != HD_OK) fprintf(stderr, "%s\n", hd_error(ctx));
    for (int i = 0; i < 5 && status == HD_OK; i++) printf("%d %s\n", sorted[i], ranked[i].text);
    hd_close(ctx);
    return status != HD_OK;
}
