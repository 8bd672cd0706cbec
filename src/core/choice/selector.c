// SPDX-License-Identifier: Apache-2.0
// The choice of HD_AUTO for views of the host: kinds of calls, what they cost first, and what was
// seen of them.
#include "selector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double hd__clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

// ---- What was seen ------------------------------------------------------------------------------

static void note(hd__seen *seen, double factor)
{
    seen->last[seen->count % HD__SEEN_MAX] = factor;
    seen->count = seen->count < 2 * HD__SEEN_MAX - 1 ? seen->count + 1 : HD__SEEN_MAX;
}

static int32_t count_of(const hd__seen *seen)
{
    return seen->count < HD__SEEN_MAX ? seen->count : HD__SEEN_MAX;
}

// Calls after which a place is known. The first ones find threads asleep, caches cold and pages
// not there yet, which may add a millisecond: a call that takes many says as much at once. But one
// that takes far longer than expected may have compiled a kernel that only calls of its size need.
enum { SURE = 3, LONG_TIME = 4000000, FAR_OFF = 8 };

static bool is_sure(const hd__seen *seen)
{
    return seen->count >= SURE;
}

static void note_call(hd__seen *seen, double factor, double ns, double expected)
{
    do note(seen, factor);
    while (ns > LONG_TIME && ns < FAR_OFF * expected && !is_sure(seen));
}

static double least_of(const hd__seen *seen)
{
    double least = seen->last[0];
    for (int32_t k = 1; k < count_of(seen); k++)
        if (seen->last[k] < least) least = seen->last[k];
    return least;
}

// What times are over those of the rates: until they are known, no more than is guessed.
static double factor_of(const hd__seen *seen, double guess)
{
    const double least = seen->count > 0 ? least_of(seen) : guess;
    return is_sure(seen) || least < guess ? least : guess;
}

// The median: a kind whose kernels were at hand says as little of another one's as a hiccup does.
static double median_of(const hd__seen *seen)
{
    double sorted[HD__SEEN_MAX];
    const int32_t count = count_of(seen);
    for (int32_t k = 0, j; k < count; k++) {
        for (j = k; j > 0 && sorted[j - 1] > seen->last[k]; j--) sorted[j] = sorted[j - 1];
        sorted[j] = seen->last[k];
    }
    return sorted[count / 2];
}

// ---- The selector -------------------------------------------------------------------------------

static hd__selector *make_selector(hd_context *ctx, const hd__cost *cost)
{
    const hd__rates usual = hd__usual_rates(ctx->threads);
    if (hd__predict_cores(&usual, cost) < HD__CHOICE_TIME) return NULL;
    hd__selector *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL; // the cores need none
    const char *trouble;
    made->off = !hd__find_rates(ctx, &made->rates, &trouble);
    note(&made->kernels, (double)made->rates.kernel);
    if (trouble[0] != 0 && hd__is_traced(ctx)) hd__trace_line(ctx, "HEDDLE_RATES: %s", trouble);
    return ctx->state[HD_AUTO] = made;
}

void hd__selector_close(hd_context *ctx)
{
    free(hd__selector_of(ctx));
    ctx->state[HD_AUTO] = NULL;
}

// Names of users' operators may be gone by the next call: their hash stays (FNV-1a).
static uint64_t hash_of(const char *text)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *text != 0; text++) h = (h ^ (unsigned char)*text) * 0x100000001b3u;
    return h;
}

static hd__call_kind *kind_of(hd__selector *c, hd__pattern pattern, const hd__subject *s)
{
    const uint64_t what = hash_of(s->what);
    for (int32_t k = 0; k < c->kinds; k++)
        if (c->kind[k].what == what && c->kind[k].pattern == pattern && c->kind[k].type == s->type)
            return &c->kind[k];
    if (c->kinds < HD__KINDS_MAX) c->kinds++;
    hd__call_kind *kind = &c->kind[c->next];
    c->next = (c->next + 1) % HD__KINDS_MAX;
    *kind = (hd__call_kind){what, pattern, s->type, .forgone = 0};
    return kind;
}

static int size_of(const hd__cost *cost)
{
    int size = 0;
    double most = 4.0 * HD__SEEN_BYTES;
    for (; size + 1 < HD__SEEN_SIZES && cost->in + cost->out >= most; size++) most *= 4;
    return size;
}

// What calls of the nearest size that was seen took over the rates in a place; 1: none was.
static double guess_of(const hd__call_kind *kind, int size, bool on_device)
{
    for (int far = 1; far < HD__SEEN_SIZES; far++)
        for (int k = size - far; k <= size + far; k += 2 * far) {
            if (k < 0 || k >= HD__SEEN_SIZES) continue;
            const hd__seen *seen = on_device ? &kind->seen[k].device : &kind->seen[k].cores;
            if (seen->count > 0) return factor_of(seen, 1);
        }
    return 1;
}

// ---- The device ---------------------------------------------------------------------------------

static bool turn_off(hd_context *ctx, hd__selector *c, const char *why)
{
    c->off = true;
    if (hd__is_traced(ctx)) hd__trace_line(ctx, "auto stays on the cores: %s", why);
    ctx->error[0] = 0;
    return false;
}

// Rates of another device, or of none in particular, become those of this one.
static hd_status measure(hd_context *ctx, const hd__backend *device, const char *name,
                         hd__rates *rates)
{
    const hd__rates usual = hd__usual_rates(ctx->threads);
    memcpy(rates->device, usual.device, sizeof rates->device);
    snprintf(rates->name, sizeof rates->name, "%s", name);
    HD_TRY(device->measure(ctx, rates, HD__RATE_LARGE / 16));
    const char *trouble = hd__keep_rates(ctx, rates);
    if (hd__is_traced(ctx))
        hd__trace_line(ctx, "the link to %s: %lld us a MiB there, %lld back%s%s", name,
                       (long long)rates->to_device.large / 1000,
                       (long long)rates->to_host.large / 1000,
                       trouble[0] != 0 ? "; not kept: " : "", trouble);
    return HD_OK;
}

static bool open_device(hd_context *ctx, hd__selector *c, const hd__backend *device)
{
    const char *why = "";
    char name[sizeof c->rates.name] = "";
    const double begin = hd__clock();
    if (device->available != NULL && !device->available(&why)) return turn_off(ctx, c, why);
    if (device->ready(ctx, name, sizeof name) != HD_OK) return turn_off(ctx, c, ctx->error);
    if (c->rates.is_given || strcmp(c->rates.name, name) == 0) return true;
    c->rates.start = (int64_t)(hd__clock() - begin);
    return measure(ctx, device, name, &c->rates) == HD_OK || turn_off(ctx, c, ctx->error);
}

// ---- The choice ---------------------------------------------------------------------------------

// The device that HD_AUTO may choose. Work on a stream of the caller's might be recorded.
static const hd__backend *candidate(const hd_context *ctx, hd__pattern pattern)
{
    const hd__backend *device = ctx->device_backend;
    const bool can = device != NULL && device->run[pattern] != NULL && device->measure != NULL;
    return can && ctx->stream == NULL ? device : NULL;
}

static void predict(hd__choice *choice, const hd__selector *c, const hd__cost *cost)
{
    const int size = size_of(cost);
    hd__seen_size *seen = choice->seen = &choice->kind->seen[size];
    choice->rated[0] = hd__predict_cores(&c->rates, cost);
    choice->rated[1] = hd__predict_device(&c->rates, cost);
    choice->cores = choice->rated[0] * factor_of(&seen->cores, guess_of(choice->kind, size, false));
    choice->on_device =
        choice->rated[1] * factor_of(&seen->device, guess_of(choice->kind, size, true));
}

// Whether the device is faster, and what comes first has paid. Calls that are not known on the
// cores run there first unless the device is faster by far.
static bool pays(const hd__choice *choice)
{
    enum { BY_FAR = 4 };
    const double saved = choice->cores - choice->on_device;
    if (saved <= 0 || choice->kind->refused) return false;
    if (!is_sure(&choice->seen->cores) && choice->cores < BY_FAR * choice->on_device) return false;
    return saved + choice->forgone >= choice->first;
}

// Whether the place that is thought to be slower is to be tried: once that costs a small part of
// what calls have taken since the last time; a larger one if they are not known there, as rates may
// be wrong by far. Nothing is opened for it. Short calls follow one another in a trial, so that the
// last ones find awake what the first ones have woken.
static bool is_trial_due(const hd__choice *choice, bool pays, bool is_open)
{
    enum { PART = 32, FAR_PART = 128, FIRST_PART = 4, FAR = 8, TOO_FAR = 64, FIRST_TOO_FAR = 1024 };
    const hd__seen_size *seen = choice->seen;
    const bool known = is_sure(pays ? &seen->cores : &seen->device);
    const double best = pays ? choice->on_device : choice->cores,
                 other = pays ? choice->cores : choice->on_device;
    if (!is_open || choice->kind->refused) return false;
    if (other > (known ? TOO_FAR : FIRST_TOO_FAR) * best) return false;
    const double calls = other > LONG_TIME ? 1 : SURE;
    const double cost = seen->trial_ns > calls * other ? seen->trial_ns : calls * other;
    const double part = !known ? FIRST_PART : other > FAR * best ? FAR_PART : PART;
    return seen->since >= part * cost + PART * (pays ? 0 : choice->first);
}

// Where the call runs: whether on the device. A trial ends with its calls, or once the place that
// it tries is thought to be the faster one.
static bool decide(hd__choice *choice, bool is_open)
{
    hd__seen_size *seen = choice->seen;
    const bool chosen = pays(choice);
    if (seen->trial > 0 && (chosen == seen->trial_on_device || choice->kind->refused))
        seen->trial = 0;
    if (seen->trial == 0 && is_trial_due(choice, chosen, is_open)) {
        seen->trial = (chosen ? choice->cores : choice->on_device) > LONG_TIME ? 1 : SURE;
        if (!chosen && !choice->kind->has_kernels) seen->trial++;
        seen->trial_on_device = !chosen;
        seen->trial_ns = seen->since = 0;
    }
    choice->is_trial = seen->trial > 0;
    return chosen != choice->is_trial;
}

hd__choice hd__select_backend(hd_context *ctx, hd__pattern pattern, const void *job,
                              const hd__subject *subject)
{
    hd__choice choice = {0};
    const hd__backend *device = candidate(ctx, pattern);
    hd__selector *c = hd__selector_of(ctx);
    if (device == NULL || (c != NULL && c->off)) return choice;
    const hd__cost cost = hd__costs[pattern](job);
    if (c == NULL) c = make_selector(ctx, &cost);
    if (c == NULL || c->off) return choice;
    if (hd__predict_cores(&c->rates, &cost) < HD__CHOICE_TIME) return choice;
    const bool is_open = ctx->state[device->id] != NULL;
    choice.kind = kind_of(c, pattern, subject);
    choice.forgone = is_open ? choice.kind->forgone : c->forgone;
    choice.first = (is_open ? 0 : (double)c->rates.start) +
                   (choice.kind->has_kernels ? 0 : median_of(&c->kernels));
    predict(&choice, c, &cost);
    if (decide(&choice, is_open)) choice.device = device;
    if (choice.device != NULL && !is_open) {
        if (!open_device(ctx, c, device)) return (hd__choice){0};
        predict(&choice, c, &cost); // by rates that may be new
        if (choice.on_device >= choice.cores) choice.device = NULL;
    }
    if (choice.device == NULL && choice.on_device < choice.cores && !choice.kind->refused) {
        choice.kind->forgone += choice.cores - choice.on_device;
        c->forgone += choice.cores - choice.on_device;
    }
    return choice;
}

// ---- What became of a call ----------------------------------------------------------------------

// The first call on the device has the time of its kernels, too: how much that was shows the next.
// Whether this is a later one.
static bool note_device(hd__selector *c, const hd__choice *choice, double ns)
{
    hd__call_kind *kind = choice->kind;
    const double rated = choice->rated[1];
    if (!kind->has_kernels) {
        kind->has_kernels = true;
        kind->first_rated = rated, kind->first_ns = ns;
        return false;
    }
    if (kind->first_rated > 0) {
        const double beside = kind->first_ns - kind->first_rated * ns / rated;
        note(&c->kernels, beside > 0 ? beside : 0);
        kind->first_rated = 0;
    }
    note_call(&choice->seen->device, ns / rated, ns, choice->on_device);
    return true;
}

void hd__learn(hd_context *ctx, const hd__choice *choice, bool on_device, double ns)
{
    hd__selector *c = hd__selector_of(ctx);
    if (choice->kind == NULL || c == NULL) return;
    hd__seen_size *seen = choice->seen;
    bool counts = true;
    if (ns < 1) ns = 1; // factors stay above 0
    if (on_device)
        counts = note_device(c, choice, ns);
    else
        note_call(&seen->cores, ns / choice->rated[0], ns, choice->cores);
    if (choice->is_trial) {
        seen->trial_ns += counts ? ns : 0;
        seen->trial -= seen->trial > 0;
        return;
    }
    // The threads that have slept meanwhile belong to the trial, too.
    const double expected = on_device ? choice->on_device : choice->cores;
    if (seen->since == 0 && seen->trial_ns > 0 && ns > expected) seen->trial_ns += ns - expected;
    seen->since += ns;
}

bool hd__falls_back(hd_context *ctx, const hd__choice *choice, hd_status status)
{
    const double much = 1000; // times what is predicted: of calls that find no memory
    if (status == HD_OK || status == HD_ERROR_CANCELLED || hd__selector_of(ctx)->written)
        return false;
    if (hd__is_traced(ctx)) hd__trace_line(ctx, "after a failure of the device: %s", ctx->error);
    if (status == HD_ERROR_DEVICE) hd__selector_of(ctx)->off = true;
    for (int k = 0; k < HD__SEEN_MAX && status == HD_ERROR_MEMORY; k++)
        note(&choice->seen->device, much);
    if (status == HD_ERROR_COMPILE || status == HD_ERROR_OPERATOR || status == HD_ERROR_BACKEND)
        choice->kind->refused = true;
    ctx->error[0] = 0;
    return true;
}

// ---- In words -----------------------------------------------------------------------------------

void hd__reason(const hd__choice *choice, char text[HD__REASON_TEXT])
{
    const double ms = 1e-6;
    const char *trial = choice->is_trial ? "; a trial" : "";
    if (choice->kind == NULL)
        text[0] = 0;
    else if (choice->device != NULL)
        snprintf(text, HD__REASON_TEXT, " (%.2f ms predicted; cpu %.2f%s)", ms * choice->on_device,
                 ms * choice->cores, trial);
    else if (choice->on_device >= choice->cores || choice->first <= 0)
        snprintf(text, HD__REASON_TEXT, " (%.2f ms predicted; device %.2f%s)", ms * choice->cores,
                 ms * choice->on_device, trial);
    else
        snprintf(text, HD__REASON_TEXT,
                 " (%.2f ms predicted; device %.2f and %.0f to begin with, %.0f saved by now)",
                 ms * choice->cores, ms * choice->on_device, ms * choice->first,
                 ms * choice->forgone);
}
