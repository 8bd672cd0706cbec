// SPDX-License-Identifier: Apache-2.0
// Moving elements: shuffled by an order, fetched by an index, sent to places and counted there.
#include <heddle.h>

#include <stdio.h>

HD_FUNCTION(decade, int32_t, HD_NO_SOURCE, (int32_t, age), { return age / 10; })

#define N 8

static void print(const char *what, const int32_t *x, int n)
{
    printf("%-10s", what);
    for (int i = 0; i < n; i++) printf(" %d", (int)x[i]);
    printf("\n");
}

int main(void)
{
    const int32_t ages[N] = {31, 24, 67, 8, 35, 29, 33, 61};
    int32_t mixed[N], back[N], tens[N], people[7] = {0};
    int64_t order[N], first = -1;

    hd_context *ctx;
    hd_status status = hd_open(&ctx, NULL);
    // A random order, the same on every machine; gather takes the elements in it, scatter undoes
    // it.
    if (!status) status = hd_shuffle(ctx, hd_iota(N), HD_VIEW(order, N), NULL);
    if (!status)
        status = hd_gather(ctx, HD_VIEW(ages, N), HD_VIEW(order, N), HD_VIEW(mixed, N), NULL);
    if (!status)
        status = hd_scatter(ctx, HD_VIEW(mixed, N), HD_VIEW(order, N), HD_VIEW(back, N), NULL);
    // How many people in each decade: ones summed up at the places the decades name.
    if (!status) status = hd_map(ctx, HD_VIEW(ages, N), decade, HD_VIEW(tens, N), NULL);
    const hd_scatter_options counts = {.combine = HD_SUM};
    if (!status)
        status = hd_scatter(ctx, hd_constant((int32_t)1, N), HD_VIEW(tens, N), HD_VIEW(people, 7),
                            &counts);
    const int32_t sixty_one = 61;
    const hd_find_options equal = {.value = &sixty_one};
    if (!status) status = hd_find(ctx, HD_VIEW(ages, N), HD_VIEW(&first, 1), &equal);
    if (status) fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    hd_close(ctx);
    if (status) return 1;
    print("mixed", mixed, N);
    print("back", back, N);
    print("by decade", people, 7);
    printf("%-10s %d\n", "61 is at", (int)first);
    return 0;
}
