// SPDX-License-Identifier: Apache-2.0
// Which backend runs a call: the one the user named, or the first that does not decline.
#include "core/backend.h"

#include <string.h>

static const hd__backend *const backends[HD_BACKEND_COUNT] = {
    [HD_SERIAL] = &hd__serial_backend,
    [HD_CPU] = &hd__cpu_backend,
};

// Auto tries these in order.
static const hd_backend preference[] = {HD_CPU, HD_SERIAL};

const char *hd_backend_name(hd_backend backend)
{
    if (backend == HD_AUTO) return "auto";
    return (int)backend > 0 && backend < HD_BACKEND_COUNT ? backends[backend]->name : "unknown";
}

hd_backend hd_backend_named(const char *name)
{
    for (int k = 0; name != NULL && k < HD_BACKEND_COUNT; k++)
        if (strcmp(hd_backend_name((hd_backend)k), name) == 0) return (hd_backend)k;
    return HD_BACKEND_COUNT;
}

bool hd_backend_available(hd_backend backend, const char **why)
{
    const bool known = (int)backend >= 0 && backend < HD_BACKEND_COUNT;
    if (why != NULL) *why = known ? "" : "no such backend";
    return known;
}

const hd__backend *hd__first_backend(hd_backend wish)
{
    return backends[wish == HD_AUTO ? preference[0] : wish];
}

static hd_status run(hd_context *ctx, const hd__backend *backend, const hd__reduce_job *reduce,
                     const hd__scan_job *scan, const char **why)
{
    return reduce != NULL ? backend->reduce(ctx, reduce, why) : backend->scan(ctx, scan, why);
}

static void narrate_choice(hd_context *ctx, const char *pattern, const hd__fold *fold, int64_t n,
                           hd_backend chosen, const char *skipped)
{
    const char *type = hd_type_name(fold->element);
    hd__narrate(ctx, "%s %s of %lld %s: %s%s%s", pattern, fold->asked->name, (long long)n, type,
                hd_backend_name(chosen), skipped[0] != 0 ? ", after a decline: " : "", skipped);
}

static hd_status dispatch(hd_context *ctx, const hd__reduce_job *reduce, const hd__scan_job *scan)
{
    const char *why = "", *skipped = "";
    const bool named = ctx->backend != HD_AUTO;
    const int choices = named ? 1 : (int)(sizeof preference / sizeof *preference);
    for (int k = 0; k < choices; k++) {
        const hd_backend choice = named ? ctx->backend : preference[k];
        const hd_status status = run(ctx, backends[choice], reduce, scan, &why);
        if (status == HD__DECLINED) {
            skipped = why;
            continue;
        }
        ctx->last = choice;
        if (hd__narrates(ctx))
            narrate_choice(ctx, reduce != NULL ? "reduce" : "scan",
                           reduce != NULL ? &reduce->fold : &scan->fold,
                           reduce != NULL ? reduce->in.n : scan->in.n, choice, skipped);
        return status;
    }
    return hd__fail(ctx, HD_ERROR_BACKEND, "backend %s declined: %s", hd_backend_name(ctx->backend),
                    why);
}

hd_status hd__dispatch_reduce(hd_context *ctx, const hd__reduce_job *job)
{
    return dispatch(ctx, job, NULL);
}

hd_status hd__dispatch_scan(hd_context *ctx, const hd__scan_job *job)
{
    return dispatch(ctx, NULL, job);
}
