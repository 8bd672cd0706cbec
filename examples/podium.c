// SPDX-License-Identifier: Apache-2.0
// A comparison of one's own: players by score, the higher first, equals by name. The same
// comparison sorts, merges a second sorted list in, says where a newcomer would stand, and finds
// the first three without sorting.
#include <heddle.h>

#include <stdio.h>
#include <string.h>

HD_SOURCE(
    players, typedef struct {
        int score;
        char name[12];
    } player;)
HD_COMPARISON(ahead, player, players, {
    if (a.score != b.score) return a.score > b.score;
    return strcmp(a.name, b.name) < 0;
})

static hd_view row(player *p, int64_t n)
{
    return HD_VIEW_OF(HD_TYPE(player), p, n);
}

int main(void)
{
    player monday[] = {{310, "Ida"}, {420, "Otto"}, {310, "Ben"}, {150, "Eva"}};
    player tuesday[] = {{420, "Ada"}, {200, "Max"}}; // sorted already
    player both[6], newcomer = {310, "Cora"}, first[3];
    int64_t place = 0;

    hd_context *ctx;
    hd_status status = hd_open(&ctx, NULL);
    if (!status)
        status = hd_sort(ctx, row(monday, 4), row(monday, 4), HD_NO_VALUES,
                         &(hd_sort_options){.comparison = ahead});
    if (!status)
        status = hd_merge(ctx, row(monday, 4), row(tuesday, 2), row(both, 6), HD_NO_VALUES,
                          &(hd_merge_options){.comparison = ahead});
    if (!status)
        status = hd_search(ctx, row(both, 6), row(&newcomer, 1), HD_VIEW(&place, 1),
                           &(hd_search_options){.comparison = ahead});
    if (!status)
        status = hd_top_k(ctx, row(both, 6), 3, row(first, 3), HD_NO_VALUES,
                          &(hd_top_k_options){.comparison = ahead, .ascending = true});
    if (status) fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    hd_close(ctx);
    if (status) return 1;
    for (int k = 0; k < 6; k++) printf("%d %s\n", both[k].score, both[k].name);
    printf("%s would be number %d; the first is %s\n", newcomer.name, (int)place + 1,
           first[0].name);
    return 0;
}
