// SPDX-License-Identifier: Apache-2.0
//
// A queue of people, each of whom knows only who stands behind: at which place does everyone stand,
// how long until it is their turn, and who is the ancestor of whom.
#include <heddle.h>
#include <stdio.h>

int main(void)
{
    // 3 stands first, then 0, 4, 1, 2.
    const int32_t behind[5] = {4, 2, 2, 0, 1};
    const float minutes[5] = {1.5f, 2, 0.5f, 4, 3};
    // 0 and 4 have no parents here.
    const int32_t parent[5] = {0, 0, 1, 4, 4};
    int32_t place[5], ancestor[5];
    float waits[5];
    hd_context *ctx;
    hd_status status = hd_open(&ctx, NULL);
    if (!status)
        status = hd_list_rank(ctx, HD_VIEW(behind, 5), HD_VIEW(place, 5),
                              &(hd_list_options){.from_head = true});
    if (!status)
        status = hd_list_scan(ctx, HD_VIEW(behind, 5), HD_VIEW(minutes, 5), HD_SUM,
                              HD_VIEW(waits, 5), &(hd_list_options){.exclusive = true});
    if (!status) status = hd_forest_roots(ctx, HD_VIEW(parent, 5), HD_VIEW(ancestor, 5), NULL);
    if (status) fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    for (int i = 0; !status && i < 5; i++)
        printf("%d: place %d, waits %g minutes, descends from %d\n", i, (int)place[i],
               (double)waits[i], (int)ancestor[i]);
    hd_close(ctx);
    return status != HD_OK;
}
