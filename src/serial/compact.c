// SPDX-License-Identifier: Apache-2.0
// Compaction as it is defined: each selected element goes to the next index of out.
#include "patterns/select/compact.h"
#include "serial.h"

hd_status hd__serial_compact(hd_context *ctx, const void *any, const char **why)
{
    const hd__compact_job *job = any;
    const int64_t room = hd__room(&job->out), index_room = hd__room(&job->indices);
    _Alignas(HD__ALIGNMENT) unsigned char element[HD_MAX_ELEMENT];
    int64_t kept = 0;
    (void)ctx, (void)why; // never fails, never declines
    for (int64_t i = 0; i < job->n; i++) {
        if (!hd__is_chosen(&job->flags, i)) continue;
        hd__gather(&job->in, i, 1, element);
        if (kept < room) hd__scatter(&job->out, kept, 1, element);
        if (kept < index_room) hd__put_indices(&job->indices, kept, 1, &i);
        kept++;
    }
    *job->count = kept;
    return HD_OK;
}
