// SPDX-License-Identifier: Apache-2.0
#include "team.h"

#include "core/system/after_fork.h"
#include "core/system/float_state.h"

bool hd__team_serves(const hd_context *ctx, bool on_device)
{
    return !on_device && hd_last_backend(ctx) == HD_CPU;
}

int32_t hd__team_size(const hd_context *ctx)
{
    return hd__was_forked() ? 1 : hd_threads(ctx);
}

void hd__team_run(int32_t threads, int64_t tasks, void (*task)(void *user, int64_t k), void *user)
{
    if (threads == 1 || tasks < 2) {
        HD__FLOAT_STATE;
        for (int64_t k = 0; k < tasks; k++) task(user, k);
        return;
    }
#pragma omp parallel num_threads(threads < tasks ? threads : (int)tasks)
    {
        HD__FLOAT_STATE;
#pragma omp for schedule(dynamic, 1)
        for (int64_t k = 0; k < tasks; k++) task(user, k);
    }
}
