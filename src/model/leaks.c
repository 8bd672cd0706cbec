// SPDX-License-Identifier: Apache-2.0
//
// What is left when all is done: allocations that nobody freed, and bytes that the host read and
// nobody had written.
#include "model.h"
#include "model/exec/valid_bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hd__model_host_reads(allocation *a, uint64_t at, int64_t bytes)
{
    if (a->shadow == NULL || bytes <= 0 || a->host_read_bytes > 0) return;
    const uint64_t first = valid_until(a->shadow, at, (uint64_t)bytes);
    if (first == at + (uint64_t)bytes) return;
    a->host_read_at = (int64_t)first;
    for (uint64_t k = first; k < at + (uint64_t)bytes; k++)
        a->host_read_bytes += valid_until(a->shadow, k, 1) == k;
}

static bool add(hd_model_report *r, hd_model_finding *all, hd_model_hazard hazard,
                const char *format, long long a, long long b, long long c)
{
    char *text = malloc(200);
    if (text == NULL) return false;
    snprintf(text, 200, format, a, b, c);
    all[r->finding_count++] =
        (hd_model_finding){.hazard = hazard, .text = text, .times = 1, .follows = -1};
    return true;
}

hd_status hd_model_check_leaks(hd_model *model, const hd_model_report **report)
{
    if (model == NULL || !model->usable) return HD_ERROR_ARGUMENT;
    hd_model_report *r = &model->report;
    const device_memory *m = &model->memory;
    model->error[0] = 0;
    hd__model_report_free(r);
    hd_model_finding *all = calloc(2 * (size_t)m->count + 1, sizeof *all);
    bool done = all != NULL;
    r->findings = all;
    for (int32_t k = 0; done && k < m->count; k++) {
        const allocation *a = m->all[k];
        if (a->number >= 0 && a->host_read_bytes > 0)
            done = add(r, all, HD_HAZARD_UNINITIALISED,
                       "the host read %lld bytes of allocation %lld, from byte %lld on, which "
                       "nobody wrote",
                       a->host_read_bytes, a->number, a->host_read_at);
    }
    for (int32_t k = 0; done && k < m->count; k++) {
        const allocation *a = m->all[k];
        if (a->number >= 0 && !a->freed && (model->options.checks & HD_MODEL_MEMORY))
            done = add(r, all, HD_HAZARD_LEAK, "allocation %lld of %lld bytes was never freed",
                       a->number, a->bytes, 0);
    }
    if (report != NULL) *report = r;
    if (done) return HD_OK;
    hd__model_report_free(r);
    return hd__model_fail(model, HD_ERROR_MEMORY, "no memory for the report of leaks");
}
