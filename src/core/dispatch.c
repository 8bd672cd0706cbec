// SPDX-License-Identifier: Apache-2.0
// Which backend runs a call: the one the user named, or the first that does not decline.
#include "core/backend.h"

#include <string.h>

static const hd__backend *const backends[HD_BACKEND_COUNT] = {
    [HD_SERIAL] = &hd__serial_backend,
    [HD_CPU] = &hd__cpu_backend,
    [HD_CUDA] = &hd__cuda_backend,
    [HD_MODEL] = &hd__model_backend,
};

// Auto tries these in order; where a view is on the device, only that can reach it.
static const hd_backend on_host[] = {HD_CPU, HD_SERIAL}, on_device[] = {HD_CUDA};

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
    if (!known || backend == HD_AUTO || backends[backend]->here == NULL) return known;
    return backends[backend]->here(why);
}

const hd__backend *hd__first_backend(hd_backend wish)
{
    return backends[wish == HD_AUTO ? on_host[0] : wish];
}

static const char *const pattern_names[HD__PATTERN_COUNT] = {
#define PATTERN(name, NAME) [HD__##NAME##_PATTERN] = #name,
#include "core/patterns.def"
#undef PATTERN
};

static void narrate_choice(hd_context *ctx, hd__pattern pattern, const hd__subject *s,
                           hd_backend chosen, const char *skipped)
{
    hd__narrate(ctx, "%s%s%s of %lld %s: %s%s%s", pattern_names[pattern], s->what[0] ? " " : "",
                s->what, (long long)s->n, hd_type_name(s->type), hd_backend_name(chosen),
                skipped[0] != 0 ? ", after a decline: " : "", skipped);
}

hd_status hd__dispatch(hd_context *ctx, hd__pattern pattern, const void *job,
                       const hd__subject *subject)
{
    const char *why = "", *skipped = "";
    const bool named = ctx->backend != HD_AUTO;
    const hd_backend *preference = named ? &ctx->backend : ctx->on_device ? on_device : on_host;
    const int choices = named || ctx->on_device ? 1 : (int)(sizeof on_host / sizeof *on_host);
    for (int k = 0; k < choices; k++) {
        const hd_backend choice = preference[k];
        hd__run *run = backends[choice]->run[pattern];
        if (run == NULL) why = "the pattern is not on the GPU yet";
        const hd_status status = run != NULL ? run(ctx, job, &why) : HD__DECLINED;
        if (status == HD__DECLINED) {
            skipped = why;
            continue;
        }
        ctx->last = choice;
        if (hd__narrates(ctx)) narrate_choice(ctx, pattern, subject, choice, skipped);
        return status;
    }
    return hd__fail(ctx, HD_ERROR_BACKEND, "backend %s declined: %s: %s",
                    hd_backend_name(ctx->backend), pattern_names[pattern], why);
}
