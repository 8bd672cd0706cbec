// SPDX-License-Identifier: Apache-2.0
// Parallel allocation: everyone says how much they want, and one scan says where each begins. Bread
// for guests, stalls along a street of which not all fit, and buffers that eight threads take from
// the channels of a memory, each channel a pool of its own.
#include <heddle_algorithms.h>

#include <stdio.h>

static void show(const char *what, const int64_t *x, int n)
{
    printf("%-8s", what);
    for (int i = 0; i < n; i++) printf(" %3lld", (long long)x[i]);
    printf("\n");
}

static hd_status bread(hd_context *ctx)
{
    const int32_t wants[10] = {3, 5, 2, 7, 28, 4, 3, 0, 8, 1};
    const int64_t loaf = 100;
    int64_t start[10], left;
    const hd_status status =
        hd_allocate_spans(ctx, HD_VIEW(wants, 10), HD_VIEW(&loaf, 1), HD_VIEW(start, 10),
                          &(hd_spans_options){.left = HD_REF(HD_VIEW(&left, 1))});
    if (status) return status;
    show("pieces", start, 10);
    printf("left     %3lld\n", (long long)left);
    return status;
}

static hd_status stalls(hd_context *ctx)
{
    const int32_t metres[6] = {4, 9, 3, 12, 2, 3};
    const int64_t street = 20;
    for (int policy = 0; policy < HD_SPANS_POLICIES; policy++) {
        int64_t start[6], gets[6];
        const hd_status status = hd_allocate_spans(
            ctx, HD_VIEW(metres, 6), HD_VIEW(&street, 1), HD_VIEW(start, 6),
            &(hd_spans_options){.policy = policy, .granted = HD_REF(HD_VIEW(gets, 6))});
        if (status) return status;
        show(hd_spans_policy_name((hd_spans_policy)policy), gets, 6);
    }
    return HD_OK;
}

static hd_status buffers(hd_context *ctx)
{
    // Threads 0 to 2 use channel 0, 3 to 6 channel 1, 7 channel 2; each channel has 64 KiB of the
    // memory, one after another.
    const int64_t kib[8] = {16, 8, 32, 24, 24, 24, 8, 64};
    const int64_t threads[4] = {0, 3, 7, 8}, channel[3] = {64, 64, 64}, origin[3] = {0, 64, 128};
    int64_t start[8], unmet[8], count;
    const hd_status status =
        hd_allocate_spans(ctx, HD_VIEW(kib, 8), HD_VIEW(channel, 3), HD_VIEW(start, 8),
                          &(hd_spans_options){.policy = HD_SPANS_SKIP,
                                              .segments = HD_REF(HD_VIEW(threads, 4)),
                                              .origins = HD_REF(HD_VIEW(origin, 3)),
                                              .unmet = HD_REF(HD_VIEW(unmet, 8)),
                                              .unmet_count = HD_REF(HD_VIEW(&count, 1))});
    if (status) return status;
    show("buffers", start, 8);
    show("without", unmet, (int)count);
    return status;
}

int main(void)
{
    hd_context *ctx;
    hd_status status = hd_open(&ctx, NULL);
    if (!status) status = bread(ctx);
    if (!status) status = stalls(ctx);
    if (!status) status = buffers(ctx);
    if (status) fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    hd_close(ctx);
    return status != HD_OK;
}
