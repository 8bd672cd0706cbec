// SPDX-License-Identifier: Apache-2.0
// Roads between places: which hang together, the cheapest ones that still join them all, and that
// tree hung up at a place: how far the others are, what hangs behind them, where two ways part.
#include <heddle_algorithms.h>

#include <stdint.h>
#include <stdio.h>

enum { PLACES = 6, ROADS = 8 };

int main(void)
{
    const int32_t from[ROADS] = {0, 0, 1, 1, 2, 3, 3, 4}, to[ROADS] = {1, 2, 2, 3, 4, 4, 5, 5};
    const float cost[ROADS] = {4, 1, 2, 5, 8, 3, 6, 7};
    const float people[PLACES] = {10, 20, 30, 40, 50, 60};
    const int32_t a[2] = {4, 5}, b[2] = {5, 0};
    int32_t group[PLACES], kept[PLACES], u[PLACES], v[PLACES], parent[PLACES], links[PLACES];
    int32_t part[2];
    float behind[PLACES], total = 0;
    int64_t count = 0;
    const hd_view f = HD_VIEW(from, ROADS), t = HD_VIEW(to, ROADS), tree = HD_VIEW(parent, PLACES);

    hd_context *ctx;
    hd_status status = hd_open(&ctx, NULL);
    if (!status) status = hd_components(ctx, f, t, HD_VIEW(group, PLACES), NULL);
    if (!status)
        status = hd_spanning_forest(
            ctx, f, t, HD_VIEW(cost, ROADS), PLACES, HD_VIEW(kept, PLACES), HD_VIEW(&count, 1),
            &(hd_spanning_forest_options){.total = HD_REF(HD_VIEW(&total, 1))});
    // Both ends of the roads that are kept; all places hang together, so they are a tree.
    const hd_view roads = HD_VIEW(kept, count);
    if (!status) status = hd_gather(ctx, f, roads, HD_VIEW(u, count), NULL);
    if (!status) status = hd_gather(ctx, t, roads, HD_VIEW(v, count), NULL);
    if (!status) status = hd_tree_parents(ctx, HD_VIEW(u, count), HD_VIEW(v, count), 0, tree, NULL);
    if (!status)
        status = hd_tree_order(ctx, tree,
                               &(hd_tree_order_options){.depth = HD_REF(HD_VIEW(links, PLACES))});
    if (!status)
        status = hd_tree_reduce(ctx, tree, HD_VIEW(people, PLACES), HD_SUM, HD_VIEW(behind, PLACES),
                                NULL);
    if (!status)
        status = hd_tree_ancestors(ctx, tree, HD_VIEW(a, 2), HD_VIEW(b, 2), HD_VIEW(part, 2), NULL);
    if (status) fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    hd_close(ctx);
    if (status) return 1;
    printf("%d roads for %g\n", (int)count, (double)total);
    for (int i = 0; i < PLACES; i++)
        printf("%d: group %d, %d roads from 0, %g people behind\n", i, (int)group[i], (int)links[i],
               (double)behind[i]);
    printf("ways to %d and %d part at %d\n", (int)a[0], (int)b[0], (int)part[0]);
    return 0;
}
