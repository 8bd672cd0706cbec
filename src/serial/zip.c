// SPDX-License-Identifier: Apache-2.0
// Structures to fields and back as it is defined: one structure after another, field by field.
#include "core/reader.h"
#include "patterns/move/transpose.h"
#include "serial.h"

#include <string.h>

hd_status hd__serial_zip(hd_context *ctx, const void *any, const char **why)
{
    const hd__zip_job *job = any;
    (void)ctx, (void)why;
    unsigned char structure[HD_MAX_ELEMENT], field[HD_MAX_ELEMENT];
    const int64_t n = hd_count(job->structures);
    for (int64_t i = 0; i < n; i++) {
        hd__gather(&job->structures, i, 1, structure);
        for (int k = 0; k < job->fields; k++) {
            const size_t size = hd__size_of(job->field[k].type);
            if (job->unzips) {
                memcpy(field, structure + job->offset[k], size);
                hd__scatter(&job->field[k], i, 1, field);
            } else {
                hd__gather(&job->field[k], i, 1, field);
                memcpy(structure + job->offset[k], field, size);
            }
        }
        if (!job->unzips) hd__scatter(&job->structures, i, 1, structure);
    }
    return HD_OK;
}
