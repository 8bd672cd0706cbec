// SPDX-License-Identifier: Apache-2.0
// Several reductions of the same elements as they are defined: one after another.
#include "serial.h"
#include "patterns/reduce/reduce_many.h"
#include "patterns/scan/head_flags.h"

hd_status hd__serial_reduce_many(hd_context *ctx, const void *any, const char **why)
{
    const hd__reduce_many_job *job = any;
    HD_TRY(hd__check_many_segments(ctx, job->each, job->count));
    for (int64_t k = 0; k < job->count; k++) HD_TRY(hd__serial_reduce(ctx, &job->each[k], why));
    return HD_OK;
}
