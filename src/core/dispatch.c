// SPDX-License-Identifier: Apache-2.0
// Which backend runs a call: the one the user named, or the first that does not decline; where the
// cores or a device may run it, the one that is predicted to be faster comes first.
#include "core/choice/selector.h"
#include "core/system/after_fork.h"
#include "core/system/float_state.h"
#include "core/system/tuning.h"

#include <string.h>

const hd__backend *hd__backend_of(hd_backend id)
{
    for (const hd__backend *const *b = hd__backends; *b != NULL; b++)
        if ((*b)->id == id) return *b;
    return NULL;
}

const char *hd_backend_name(hd_backend backend)
{
    if (backend == HD_AUTO) return "auto";
    const hd__backend *b = hd__backend_of(backend);
    return b != NULL ? b->name : "unknown";
}

int32_t hd_backend_named(const char *name)
{
    for (int k = 0; name != NULL && k < HD_BACKEND_COUNT; k++)
        if (strcmp(hd_backend_name((hd_backend)k), name) == 0) return k;
    return -1;
}

bool hd_backend_available(hd_backend backend, const char **why)
{
    const hd__backend *b = hd__backend_of(backend);
    const bool known = backend == HD_AUTO || b != NULL;
    if (why != NULL) *why = known ? "" : "no such backend";
    if (b == NULL || b->available == NULL) return known;
    return b->available(why);
}

// Whether a context may run a call on a backend: the one that was named, or any automatic one of
// the memory that the call's views are in.
static bool is_candidate(const hd_context *ctx, const hd__backend *b, bool on_device)
{
    if (ctx->backend != HD_AUTO) return b->id == ctx->backend;
    return b->automatic && (b->allocate != NULL) == on_device;
}

static const hd__backend *first_of(const hd_context *ctx, bool on_device)
{
    for (const hd__backend *const *b = hd__backends; *b != NULL; b++)
        if (is_candidate(ctx, *b, on_device)) return *b;
    return NULL;
}

void hd__set_backend(hd_context *ctx, hd_backend id)
{
    ctx->backend = id;
    ctx->first = first_of(ctx, false);
    const hd__backend *device = first_of(ctx, true);
    ctx->device_backend = device != NULL && device->allocate != NULL ? device : NULL;
}

hd_status hd__tune_backends(hd_context *ctx)
{
    const hd__tuning_table *tables[HD_BACKEND_COUNT] = {NULL};
    int32_t count = 0;
    char why[200];
    for (const hd__backend *const *b = hd__backends; *b != NULL; b++)
        if ((*b)->tuning != NULL) tables[count++] = (*b)->tuning;
    if (!hd__tuning_check(tables, count, why, sizeof why))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "hd_open: HEDDLE_TUNE: %s", why);
    for (const hd__backend *const *b = hd__backends; *b != NULL; b++)
        if ((*b)->tune != NULL) (*b)->tune();
    return HD_OK;
}

static const char *const pattern_names[HD__PATTERN_COUNT] = {
#define PATTERN(name, NAME) [HD__##NAME##_PATTERN] = #name,
#include "patterns.def"
#undef PATTERN
};

static void trace_choice(hd_context *ctx, hd__pattern pattern, const hd__subject *s,
                         const hd__backend *chosen, const hd__choice *choice, const char *skipped)
{
    char reason[HD__REASON_TEXT] = "";
    if (choice->device == NULL || choice->device == chosen) hd__reason(choice, reason);
    hd__trace_line(ctx, "%s%s%s of %lld %s: %s%s%s%s", pattern_names[pattern],
                   s->what[0] ? " " : "", s->what, (long long)s->n, hd_type_name(s->type),
                   chosen->name, reason, skipped[0] != 0 ? ", after a decline: " : "", skipped);
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
#define MIN_OWN_THREAD 4096

// In a forked process the calling thread may count on a team that is no more (after_fork.h): the
// call runs on a new thread, or without a team. The bits are the same.
static void run_after_fork(call *c, int64_t n)
{
    if (n >= MIN_OWN_THREAD && hd__on_new_thread(run_call, c)) return;
    const int32_t threads = c->ctx->threads;
    c->ctx->threads = 1;
    run_call(c);
    c->ctx->threads = threads;
}

static hd_status run_on(const hd__backend *backend, call c, int64_t n)
{
    if (backend->has_threads && c.ctx->threads > 1 && hd__was_forked())
        run_after_fork(&c, n);
    else
        run_call(&c);
    return c.status;
}

// Runs a call on one backend; what HD_AUTO chose by time is timed.
static hd_status run_timed(hd_context *ctx, const hd__backend *backend, const hd__choice *choice,
                           const call *c, int64_t n)
{
    if (choice->kind == NULL) return run_on(backend, *c, n);
    const double begin = hd__clock();
    hd__set_written(ctx, false);
    const hd_status status = run_on(backend, *c, n);
    const bool on_device = backend == choice->device;
    if (status == HD_OK) hd__learn(ctx, choice, on_device, hd__clock() - begin);
    if (!on_device || status == HD__DECLINED || !hd__falls_back(ctx, choice, status)) return status;
    *c->why = "it failed";
    return HD__DECLINED;
}

static hd_status dispatch(hd_context *ctx, hd__pattern pattern, const void *job,
                          const hd__subject *subject)
{
    const char *why = "", *skipped = "";
    const bool may_choose =
        ctx->backend == HD_AUTO && !ctx->on_device && subject->n >= HD__CHOICE_ELEMENTS;
    const hd__choice choice =
        may_choose ? hd__select_backend(ctx, pattern, job, subject) : (hd__choice){0};
    for (int k = choice.device != NULL ? -1 : 0; k < 0 || hd__backends[k] != NULL; k++) {
        const hd__backend *b = k < 0 ? choice.device : hd__backends[k];
        if (k >= 0 && !is_candidate(ctx, b, ctx->on_device)) continue;
        hd__run *run = b->run[pattern];
        if (run == NULL) why = "the backend does not have this pattern yet";
        const call c = {.run = run, .ctx = ctx, .job = job, .why = &why};
        const hd_status status =
            run != NULL ? run_timed(ctx, b, &choice, &c, subject->n) : HD__DECLINED;
        if (status == HD__DECLINED) {
            skipped = why;
            continue;
        }
        ctx->last = b->id;
        if (hd__is_traced(ctx)) trace_choice(ctx, pattern, subject, b, &choice, skipped);
        return status;
    }
    return hd__fail(ctx, HD_ERROR_BACKEND, "backend %s declined: %s: %s",
                    hd_backend_name(ctx->backend), pattern_names[pattern], why);
}

hd_status hd__dispatch(hd_context *ctx, hd__pattern pattern, const void *job,
                       const hd__subject *subject)
{
    if (ctx->progress == NULL || ctx->in_blocks) return dispatch(ctx, pattern, job, subject);
    HD_TRY(hd__poll(ctx, 0, subject->n));
    HD_TRY(dispatch(ctx, pattern, job, subject));
    return ctx->done < ctx->all ? hd__poll(ctx, ctx->all, ctx->all) : HD_OK;
}
