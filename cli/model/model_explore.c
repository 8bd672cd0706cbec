// SPDX-License-Identifier: Apache-2.0
//
// heddle model --explore: the plain schedule and N shuffled ones, each in a machine of its own, so
// that all begin alike. A result breaks if it is not what --compare expects, or, without that, not
// what the plain schedule gave.
#include "model_explore.h"

#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/support/print.h"
#include "cli/support/progress.h"

static const char name[] = "model";

static const model_argument *buffer_at(const exploration *x, int32_t k)
{
    const model_argument *a = &x->run->arguments.at[k];
    return model_value_is_buffer(&a->value) ? a : NULL;
}

// ---- What a schedule left behind ----------------------------------------------------------------

static int read_buffers(const exploration *x, hd_model *model, void **to)
{
    for (int32_t k = 0; k < x->run->signature.count; k++)
        if (buffer_at(x, k) != NULL) EXIT_TRY(model_buffer_get(model, buffer_at(x, k), &to[k]));
    return EXIT_DONE;
}

static void free_buffers(const exploration *x, void **buffers)
{
    for (int32_t k = 0; buffers != NULL && k < x->run->signature.count; k++) free(buffers[k]);
    free(buffers);
}

// FNV-1a over all bytes of all buffers; schedules that failed are one result of their own.
static uint64_t hash_buffers(const exploration *x, void *const *buffers, bool failed)
{
    uint64_t hash = failed ? 1 : 0xcbf29ce484222325u;
    for (int32_t k = 0; k < x->run->signature.count && !failed; k++) {
        const unsigned char *bytes = buffers[k];
        for (int64_t b = 0; bytes != NULL && b < buffer_at(x, k)->bytes; b++)
            hash = (hash ^ bytes[b]) * 0x100000001b3u;
    }
    return hash;
}

static void append(char *text, size_t room, const char *more)
{
    const size_t used = strlen(text);
    if (used + 1 < room) snprintf(text + used, room - used, "%s", more);
}

static const char *element_text(const model_argument *a, const void *bytes, int64_t k, char *text)
{
    return print_value(a->type, (const char *)bytes + (size_t)k * hd_type_size(a->type), text);
}

// "counter = 2", of buffers of a few elements.
static void describe_all(const exploration *x, void *const *buffers, char *text, size_t room)
{
    char number[PRINT_ROOM], called[80];
    text[0] = '\0';
    for (int32_t k = 0; k < x->run->signature.count; k++) {
        const model_argument *a = buffer_at(x, k);
        if (a == NULL) continue;
        if (text[0] != '\0') append(text, room, ", ");
        append(text, room, model_argument_name(&x->run->arguments, a, called, sizeof called));
        append(text, room, " =");
        for (int64_t e = 0; e < a->count; e++) {
            append(text, room, " ");
            append(text, room, element_text(a, buffers[k], e, number));
        }
    }
}

// The first element of any buffer that the plain schedule has otherwise.
static bool describe_change(const exploration *x, void *const *buffers, char *text, size_t room)
{
    char got[PRINT_ROOM], was[PRINT_ROOM], called[80];
    for (int32_t k = 0; k < x->run->signature.count; k++) {
        const model_argument *a = buffer_at(x, k);
        int64_t first, n = 0;
        if (a != NULL)
            n = model_differs(a->type, buffers[k], x->plain[k], a->count, x->run->tolerance,
                              &first);
        if (n == 0) continue;
        model_argument_name(&x->run->arguments, a, called, sizeof called);
        snprintf(text, room, "%s[%lld] = %s, plain schedule %s; %lld of %lld differ", called,
                 (long long)first, element_text(a, buffers[k], first, got),
                 element_text(a, x->plain[k], first, was), (long long)n, (long long)a->count);
        return true;
    }
    return false;
}

static void describe(const exploration *x, void *const *buffers, char *text, size_t room)
{
    int64_t elements = 0;
    for (int32_t k = 0; k < x->run->signature.count; k++)
        if (buffer_at(x, k) != NULL) elements += buffer_at(x, k)->count;
    if (elements <= 8)
        describe_all(x, buffers, text, room);
    else if (!describe_change(x, buffers, text, room))
        snprintf(text, room, "as the plain schedule%s",
                 x->run->tolerance > 0 ? ", within the tolerance" : "");
}

// ---- One schedule -------------------------------------------------------------------------------

// Whether the result is not the one that is wanted, and how.
static int judge(exploration *x, hd_model *model, void *const *buffers, bool *breaks, char *how,
                 size_t room)
{
    static model_differences d;
    if (x->expected->count == 0) {
        *breaks = describe_change(x, buffers, how, room);
        return EXIT_DONE;
    }
    EXIT_TRY(model_compare(x->run, model, x->expected, &d));
    *breaks = d.any;
    for (int k = 0; k < d.count; k++)
        if (d.at[k].count > 0) {
            snprintf(how, room, "%s[%lld] is %s, expected %s", d.at[k].name,
                     (long long)d.at[k].first, d.at[k].have, d.at[k].want);
            break;
        }
    return EXIT_DONE;
}

static int find_result(exploration *x, uint64_t hash)
{
    for (int k = 0; k < x->result_count; k++)
        if (x->results[k].hash == hash) return k;
    if (x->result_count == EXPLORE_MAX_RESULTS) {
        x->more_results = true;
        return -1;
    }
    x->results[x->result_count] = (explored_result){.hash = hash};
    return x->result_count++;
}

static int take_result(exploration *x, hd_model *model, uint64_t seed, hd_status status,
                       const hd_model_report *report, void **buffers)
{
    const bool failed = status != HD_OK;
    bool breaks = failed;
    char how[256] = "the launch failed";
    char failure[1024];
    snprintf(failure, sizeof failure, "%s", hd_model_error(model));
    EXIT_TRY(read_buffers(x, model, buffers));
    const int k = find_result(x, hash_buffers(x, buffers, failed));
    if (x->plain == NULL) x->plain = buffers;
    if (!failed) EXIT_TRY(judge(x, model, buffers, &breaks, how, sizeof how));
    if (k >= 0 && x->results[k].times++ == 0) {
        x->results[k].seed = seed, x->results[k].breaks = breaks;
        if (failed)
            snprintf(x->results[k].text, sizeof x->results[k].text, "failed: %.200s", failure);
        else
            describe(x, buffers, x->results[k].text, sizeof x->results[k].text);
    }
    if (breaks && !x->broken) {
        x->broken = true, x->breaking_seed = seed;
        snprintf(x->broken_text, sizeof x->broken_text, "%s", how);
    }
    explore_order(x, report, seed, k);
    return EXIT_DONE;
}

// Keeps the first machine that found something, and the first that warned; true if it does.
static bool keep_hazard(exploration *x, hd_model *model, hd_status status,
                        const hd_model_report *report, uint64_t seed, const char *failure)
{
    if (status == HD_OK && report->finding_count == 0) {
        if (report->warning_count == 0 || x->warned != NULL) return false;
        x->warned = model, x->warned_report = report;
        return true;
    }
    if (x->hazardous++ > 0) return false;
    x->hazard_seed = seed;
    x->kept = model, x->kept_report = report, x->kept_status = status;
    snprintf(x->kept_failure, sizeof x->kept_failure, "%s", failure);
    return true;
}

static int run_schedule(exploration *x, uint64_t seed)
{
    model_run *r = x->run;
    hd_model *model = NULL;
    hd_model_module *module;
    const hd_model_report *report;
    hd_status status;
    const char *ptx = hd_model_ptx(r->module);
    const hd_model_load_options how = {.name = r->file, .ptx = true};
    hd_model_options o = r->options;
    // One host thread and a seed: the same schedule whenever it is asked for.
    o.seed = seed, o.threads = 1, o.max_events = EXPLORE_TRACED;
    o.checks &= ~(uint32_t)HD_MODEL_SAMPLES;
    o.print = NULL;
    void **buffers = calloc(MODEL_MAX_PARAMETERS, sizeof *buffers);
    if (buffers == NULL) return fail(EXIT_IO, name, "no memory");
    status = hd_model_open(&model, &o);
    if (status == HD_OK)
        status = hd_model_load_text(model, ptx, (int64_t)strlen(ptx), &how, &module);
    int code = status == HD_OK ? EXIT_DONE : model_failed(model, status);
    if (code == EXIT_DONE) code = model_launch(r, model, module, &status, &report);
    bool kept = false;
    if (code == EXIT_DONE) {
        char failure[1024];
        snprintf(failure, sizeof failure, "%s", hd_model_error(model));
        kept = keep_hazard(x, model, status, report, seed, failure);
        code = take_result(x, model, seed, status, report, buffers);
    }
    if (!kept) hd_model_close(model);
    if (buffers != x->plain) free_buffers(x, buffers);
    return code;
}

static int run_all(exploration *x)
{
    int code = run_schedule(x, 0);
    progress bar = progress_begin(name, x->schedules);
    for (int64_t k = 0; k < x->schedules && code == EXIT_DONE; k++) {
        code = run_schedule(x, x->first_seed + (uint64_t)k);
        progress_step(&bar, k + 1);
    }
    progress_end(&bar);
    return code;
}

int model_explore(model_run *r, const model_expectations *e)
{
    static exploration x;
    if (r->args->out.count > 0 || r->args->html != NULL)
        return fail(EXIT_USAGE, name, "--explore: run one schedule (--seed) for --out and --html");
    x = (exploration){.run = r, .expected = e, .schedules = r->args->explore.value};
    x.first_seed = r->args->seed.value > 0 ? (uint64_t)r->args->seed.value : 1;
    int code = run_all(&x);
    if (code == EXIT_DONE) {
        (r->args->json ? explore_print_json : explore_print)(&x);
        code = x.hazardous > 0 ? EXIT_HAZARD : x.broken ? EXIT_CHECK : EXIT_DONE;
    }
    free_buffers(&x, x.plain);
    hd_model_close(x.kept);
    hd_model_close(x.warned);
    return code;
}
