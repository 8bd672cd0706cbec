// SPDX-License-Identifier: Apache-2.0
//
// The playing of a whole ladder, and what its results mean beside each other.
#include "ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "program.h"

static const char name[] = "ladder";

// ---- Results beside each other ------------------------------------------------------------------

int32_t ladder_before(const ladder_results *t, int32_t k)
{
    while (--k >= 0)
        if (t->results[k].ran && !(t->steps[k]->flags & STEP_WRONG)) return k;
    return -1;
}

int32_t ladder_first(const ladder_results *t)
{
    for (int32_t k = 0; k < t->count; k++)
        if (t->results[k].ran && !(t->steps[k]->flags & STEP_WRONG)) return k;
    return -1;
}

bool ladder_as_meant(const ladder_results *t, int32_t k)
{
    const ladder_step *step = t->steps[k];
    const ladder_result *r = &t->results[k];
    // A card finds nothing; what races may come out right there.
    if (t->cuda && step->flags & STEP_WRONG) return true;
    if (!(step->flags & STEP_WRONG)) return r->ran && r->right && r->totals.finding_count == 0;
    // Threads that wait for ever at a barrier end the launch.
    if (!r->ran) return r->status == HD_ERROR_DEVICE && step->hazard == HD_HAZARD_BARRIER;
    for (int32_t f = 0; f < r->totals.finding_count; f++)
        if (r->totals.findings[f].hazard == step->hazard) return true;
    return false;
}

const char *ladder_unplayed(const ladder_result *r)
{
    return r->status == HD_ERROR_DEVICE ? "did not end" : "did not run";
}

double ladder_seconds(const ladder_results *t, int32_t k)
{
    const stage_totals *s = &t->results[k].totals;
    return t->cuda ? s->device_seconds : s->predicted_seconds;
}

// Whether the starts of launches may be the reason. The model counts at a size at which they often
// are; on a card, at a larger one, only if they are half of what was measured.
static bool starts_count(const ladder_results *t, int32_t last, int32_t k)
{
    const double start = 5e-6; // docs/course/h200.md
    const int32_t fewer = t->counted[last].totals.launches - t->counted[k].totals.launches;
    return !t->cuda ||
           start * abs(fewer) >= 0.5 * fabs(ladder_seconds(t, last) - ladder_seconds(t, k));
}

void ladder_reason(const ladder_results *t, int32_t k, char *text, size_t room)
{
    const int32_t last = ladder_before(t, k);
    *text = 0;
    if (last < 0 || t->of->alike || t->steps[k]->flags & STEP_WRONG) return;
    if (t->counted[last].ran && t->counted[k].ran)
        ladder_why(&t->counted[last], &t->counted[k], starts_count(t, last, k), text, room);
}

double ladder_rate(const ladder_results *t, int32_t k)
{
    const double seconds = t->results[k].totals.device_seconds;
    return seconds > 0 ? (double)t->of->least_bytes(&t->problem) / seconds : 0;
}

// ---- Playing ------------------------------------------------------------------------------------

// The card's name and what its memory gives.
static int find_card(ladder_results *t)
{
    static char card[96];
    hd_context *ctx;
    hd__gpu_device *device;
    if (hd_open(&ctx, NULL) != HD_OK) return fail(EXIT_IO, name, "no memory");
    const hd_status status = hd__gpu_driver_cuda.open(ctx, 0, NULL, &device);
    int code = EXIT_DONE;
    if (status == HD_OK) {
        const hd__gpu_properties *p = hd__gpu_driver_cuda.properties(device);
        snprintf(card, sizeof card, "%s", p->name);
        t->card = card;
        t->peak = hd__model_architecture(p->arch)->dram_gb * 1e9;
        hd__gpu_driver_cuda.close(ctx, device);
        const double measured = ladder_peak_of(t->of->peak, t->of->least_bytes(&t->problem));
        if (measured > 0) t->peak = measured;
    } else {
        code = fail_lines(EXIT_BACKEND, name, "%s", hd_error(ctx));
    }
    hd_close(ctx);
    return code;
}

// What could hang a card, or break what others do on it, runs on the model alone.
static bool for_the_model(const ladder_step *r)
{
    return r->flags & STEP_WRONG &&
           (r->hazard == HD_HAZARD_BARRIER || r->hazard == HD_HAZARD_OUTSIDE);
}

static void run_step(const ladder_results *t, int32_t k, const ladder_case *problem,
                     const stage_options *how, ladder_result *result)
{
    char file[128];
    const ladder_step *r = t->steps[k];
    snprintf(file, sizeof file, "ladder/%s/%s.cu", t->of->name,
             r->source != NULL ? r->source : r->name);
    if (how->cuda && for_the_model(r))
        snprintf(result->error, sizeof result->error, "not on a card; the model shows it");
    else
        ladder_run(t->of, r, ladder_source(t->of, r), file, problem, how, result);
}

// What the model counts, for a card's reasons: at the ladder's own size, with nothing checked.
static void count(ladder_results *t, const stage_options *how)
{
    stage_options counting = *how;
    ladder_case problem = t->problem;
    counting.cuda = false;
    counting.checks = HD_MODEL_CACHES | (how->checks & HD_MODEL_SAMPLES);
    problem.n = t->of->default_n;
    for (int32_t k = 0; k < t->count; k++)
        if (!(t->steps[k]->flags & STEP_WRONG)) run_step(t, k, &problem, &counting, &t->counted[k]);
}

int ladder_climb(ladder_results *t, const stage_options *how)
{
    int code = EXIT_DONE;
    t->results = calloc((size_t)t->count, sizeof *t->results);
    t->counted = t->cuda ? calloc((size_t)t->count, sizeof *t->counted) : t->results;
    if (t->results == NULL || t->counted == NULL) return fail(EXIT_IO, name, "no memory");
    if (t->cuda) EXIT_TRY(find_card(t));
    for (int32_t k = 0; k < t->count; k++) {
        ladder_result *result = &t->results[k];
        run_step(t, k, &t->problem, how, result);
        if (result->status == HD_ERROR_BACKEND)
            return fail_lines(EXIT_BACKEND, name, "%s", result->error);
        if (result->status == HD_ERROR_COMPILE) code = EXIT_COMPILE;
        if (code == EXIT_DONE && !ladder_as_meant(t, k)) code = EXIT_CHECK;
    }
    if (t->cuda) count(t, how);
    return code;
}

void ladder_leave(ladder_results *t)
{
    if (t->counted != t->results) free(t->counted);
    free(t->results);
    t->results = t->counted = NULL;
}
