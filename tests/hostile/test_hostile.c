// SPDX-License-Identifier: Apache-2.0
//
// Calls with hostile data on the cores: see hostile.h. HEDDLE_TEST_SEED and HEDDLE_TEST_CASES draw
// other cases and more of them. One case that was once written outside its output is played as it
// was found.
#include "hostile.h"

#include <stdlib.h>

// Half of the sources go far outside, one a little: their minima and maxima must not become bounds.
static void test_scatter_past_the_end(const check_target *targets, int count)
{
    enum { N = 1 << 18, LIMIT = 1000 };
    check_array in = check_new(HD_F32, N, CHECK_DENSE, false),
                at = check_new(HD_I32, N, CHECK_DENSE, false),
                out = check_new(HD_F32, LIMIT, CHECK_DENSE, true);
    float *x = in.view.data;
    int32_t *index = at.view.data;
    for (int i = 0; i < N; i++) x[i] = 1, index[i] = i < N / 2 ? 5000 : i % LIMIT;
    index[N / 2 + 100] = LIMIT + 7;
    for (int t = 0; t < count; t++) {
        int64_t bad = -7;
        CHECK_OK(targets[t].ctx,
                 hd_scatter(targets[t].ctx, in.view, at.view, out.view,
                            &(hd_scatter_options){.bad = HD_REF(HD_VIEW(&bad, 1))}));
        CHECK(check_slack(&out), "%s: wrote past the end", targets[t].name);
        CHECK(bad == 0, "%s: the first bad index is %lld", targets[t].name, (long long)bad);
    }
    check_drop(&in), check_drop(&at), check_drop(&out);
}

int main(void)
{
    const check_target *targets;
    const int count = check_targets(&targets);
    const char *cases = getenv("HEDDLE_TEST_CASES");
    test_scatter_past_the_end(targets, count);
    const int64_t n = cases ? strtoll(cases, NULL, 0) : check_small() ? 150 : 600;
    for (int64_t k = 0; k < n; k++) {
        hostile h = {.state = check_seed() * 1000003 + (uint64_t)k,
                     .targets = targets,
                     .target_count = count,
                     .tried = 3,
                     .largest = k % 50 == 49 ? (int64_t)3 << 20
                                : k % 4 == 3 ? 300000
                                             : 60000};
        if (check_small() && h.largest > 300000) h.largest = 300000;
        hostile_case(&h);
    }
    return check_finish();
}
