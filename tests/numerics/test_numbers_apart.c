// SPDX-License-Identifier: Apache-2.0
//
// Numbers that calls give through pointers (count, bad, steps, ...) may lie neither in a view of
// the call nor on each other: each such overlap is refused, and nothing is written.
#include <string.h>

#include <heddle_teaching.h>

#include "tests/support/check.h"
#include "tests/support/every_call/every_call.h"

static hd_context *ctx;

static void refused(const char *call, const char *what, hd_status status)
{
    CHECK(status == HD_ERROR_ALIAS && strstr(hd_error(ctx), "overlaps") != NULL,
          "%s: %s: status %d: %s", call, what, (int)status, hd_error(ctx));
}

static void try_each(const every_call *call)
{
    hd_view v[EVERY_SLOTS];
    int64_t number = 0;
    if (call->number == NULL) return;
    const int count = every_views(call, v);
    check_status(__FILE__, __LINE__, call->name, ctx, HD_OK, call->run(ctx, v, &number));
    for (int k = 0; k < count; k++) {
        every_views(call, v);
        int64_t before, *at = v[k].data;
        memcpy(&before, at, sizeof before);
        refused(call->name, call->slot[k].name, call->run(ctx, v, at));
        CHECK(memcmp(&before, at, sizeof before) == 0, "%s: %s was written to", call->name,
              call->slot[k].name);
    }
}

static void try_each_other(void)
{
    int32_t next[8], out[8];
    int64_t x;
    for (int i = 0; i < 8; i++) next[i] = i;
    const hd_view a = HD_VIEW(next, 8), b = HD_VIEW(out, 8);
    refused("hd_list_rank", "steps, work",
            hd_list_rank(ctx, a, b,
                         &(hd_list_options){.steps = HD_REF(HD_VIEW(&x, 1)),
                                            .work = HD_REF(HD_VIEW(&x, 1))}));
    refused("hd_list_rank", "work, lists",
            hd_list_rank(ctx, a, b,
                         &(hd_list_options){.work = HD_REF(HD_VIEW(&x, 1)),
                                            .lists = HD_REF(HD_VIEW(&x, 1))}));
    refused("hd_list_scan", "steps, lists",
            hd_list_scan(ctx, a, a, HD_SUM, b,
                         &(hd_list_options){.steps = HD_REF(HD_VIEW(&x, 1)),
                                            .lists = HD_REF(HD_VIEW(&x, 1))}));
    refused("hd_forest_roots", "steps, work",
            hd_forest_roots(ctx, a, b,
                            &(hd_forest_options){.steps = HD_REF(HD_VIEW(&x, 1)),
                                                 .work = HD_REF(HD_VIEW(&x, 1))}));
    refused("hd_quicksort", "steps, scans",
            hd_quicksort(ctx, a, b,
                         &(hd_steps_options){.steps = HD_REF(HD_VIEW(&x, 1)),
                                             .scans = HD_REF(HD_VIEW(&x, 1))}));
    hd_maximum_result result;
    refused("hd_maximum", "result", hd_maximum(ctx, HD_VIEW(&result.index, 1), &result, NULL));
}

int main(void)
{
    CHECK(hd_open(&ctx, &(hd_context_options){.backend = HD_CPU, .threads = 2}) == HD_OK, "%s",
          hd_error(ctx));
    for (int k = 0; every_call_at(k) != NULL; k++) try_each(every_call_at(k));
    try_each_other();
    hd_close(ctx);
    return check_finish();
}
