// SPDX-License-Identifier: Apache-2.0
// Which backend runs a call: the one the user named, or the first that does not decline.
#include "core/system/after_fork.h"
#include "backend.h"
#include "core/system/float_state.h"
#include "core/system/tuning.h"

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

hd_status hd__tune_backends(hd_context *ctx)
{
    const hd__tuning_table *tables[HD_BACKEND_COUNT];
    int32_t count = 0;
    char why[200];
    for (int k = 0; k < HD_BACKEND_COUNT; k++)
        if (backends[k] != NULL && backends[k]->tuning != NULL)
            tables[count++] = backends[k]->tuning;
    if (!hd__tuning_check(tables, count, why, sizeof why))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "hd_open: HEDDLE_TUNE: %s", why);
    for (int k = 0; k < HD_BACKEND_COUNT; k++)
        if (backends[k] != NULL && backends[k]->tune != NULL) backends[k]->tune();
    return HD_OK;
}

static const char *const pattern_names[HD__PATTERN_COUNT] = {
#define PATTERN(name, NAME) [HD__##NAME##_PATTERN] = #name,
#include "patterns.def"
#undef PATTERN
};

static void trace_choice(hd_context *ctx, hd__pattern pattern, const hd__subject *s,
                         hd_backend chosen, const char *skipped)
{
    hd__trace_line(ctx, "%s%s%s of %lld %s: %s%s%s", pattern_names[pattern], s->what[0] ? " " : "",
                   s->what, (long long)s->n, hd_type_name(s->type), hd_backend_name(chosen),
                   skipped[0] != 0 ? ", after a decline: " : "", skipped);
}

typedef struct call {
    hd__run *run;
    hd_context *ctx;
    const void *job;
    const char **why;
    hd_status status;
} call;

static void run_call(void *any)
{
    call *c = any;
    HD__FLOAT_STATE;
    c->status = c->run(c->ctx, c->job, c->why);
}

// Elements from which a thread of the call's own is worth its start, about 20 us.
#define LEAST_OWN_THREAD 4096

// In a forked process the calling thread may count on a team that is no more (after_fork.h): the call
// runs on a new thread, or without a team. The bits are the same.
static void run_after_fork(call *c, int64_t n)
{
    if (n >= LEAST_OWN_THREAD && hd__on_new_thread(run_call, c)) return;
    const int32_t threads = c->ctx->threads;
    c->ctx->threads = 1;
    run_call(c);
    c->ctx->threads = threads;
}

static hd_status run_on(hd_backend choice, call c, int64_t n)
{
    if (choice == HD_CPU && c.ctx->threads > 1 && hd__was_forked())
        run_after_fork(&c, n);
    else
        run_call(&c);
    return c.status;
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
        const call c = {.run = run, .ctx = ctx, .job = job, .why = &why};
        const hd_status status = run != NULL ? run_on(choice, c, subject->n) : HD__DECLINED;
        if (status == HD__DECLINED) {
            skipped = why;
            continue;
        }
        ctx->last = choice;
        if (hd__is_traced(ctx)) trace_choice(ctx, pattern, subject, choice, skipped);
        return status;
    }
    return hd__fail(ctx, HD_ERROR_BACKEND, "backend %s declined: %s: %s",
                    hd_backend_name(ctx->backend), pattern_names[pattern], why);
}
