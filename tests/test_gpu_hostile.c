// SPDX-License-Identifier: Apache-2.0
//
// Calls with hostile data on the GPU's kernels, by the model machine with its checks or on a card:
// see hostile.h.
#include "hostile.h"

#include <stdlib.h>
#include <string.h>

static void test(hd_backend which)
{
    const char *cases = getenv("HEDDLE_TEST_CASES");
    const int64_t n = cases ? strtoll(cases, NULL, 0) : which == HD_CUDA ? 300 : 40;
    check_target targets[2] = {{check_open(HD_SERIAL, 1, NULL), "serial"},
                               {check_open(which, 0, NULL), ""}};
    strcpy(targets[1].name, hd_backend_name(which));
    for (int64_t k = 0; k < n; k++) {
        hostile h = {.state = check_seed() * 1000003 + (uint64_t)k,
                     .targets = targets,
                     .target_count = 2,
                     .tried = 1,
                     .largest = which == HD_CUDA ? 400000
                                : k % 8 == 7     ? 20000
                                                 : 3000,
                     .gpu = true};
        hostile_case(&h);
    }
    for (int t = 0; t < 2; t++) hd_close(targets[t].ctx);
}

int main(void)
{
    return check_on_gpus(test);
}
