// SPDX-License-Identifier: Apache-2.0
// A kernel on a card, in the place of a step: only what the model found no fault in gets there.
#include "grade.h"

#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/support/escaped.h"

// Plays on the card: the same as grade_run, for a while.
static void run(grading *g, const ladder_step *r, const char *text, const char *file, int64_t n,
                uint64_t seed, ladder_result *result)
{
    g->how.cuda = true;
    grade_run(g, r, text, file, n, seed, result);
    g->how.cuda = false;
}

int grade_on_card(grading *g)
{
    g->ran_on_card = true;
    g->card_n = g->of->device_n;
    for (int k = 0; k < g->count; k++) {
        ladder_result *r = &g->card_mine;
        g->how.cuda = true;
        grade_try(g, &g->trials[k], r);
        g->how.cuda = false;
        if (r->ran && r->right) continue;
        g->card_n = g->trials[k].n;
        g->card_wrong = r->ran ? r->answer : r->error;
        return r->status == HD_ERROR_BACKEND ? EXIT_BACKEND : EXIT_CHECK;
    }
    run(g, g->as, g->text, g->file, g->card_n, 1, &g->card_mine);
    run(g, g->as, ladder_source(g->of, g->as), g->as->name, g->card_n, 1, &g->card_step);
    if (g->best != NULL)
        run(g, g->best, ladder_source(g->of, g->best), g->best->name, g->card_n, 1, &g->card_top);
    return g->card_mine.ran && g->card_mine.right ? EXIT_DONE : EXIT_CHECK;
}

static void print_row(const grading *g, const char *title, const ladder_result *r)
{
    const ladder_case problem = {.n = g->card_n, .block = g->block, .seed = 1};
    const double seconds = r->totals.device_seconds;
    if (r->ran && seconds > 0)
        printf("  %-28s %10.1f us %8.0f GB/s\n", title, seconds * 1e6,
               1e-9 * (double)g->of->least_bytes(&problem) / seconds);
    else
        printf("  %-28s %s\n", title, shown_lines(r->error));
}

void grade_print_card(const grading *g)
{
    if (!g->card) return;
    if (!g->ran_on_card) {
        printf("\nOn the card: not run, for what the model found could harm it.\n");
        return;
    }
    printf("\nOn the card, at n = %lld:\n", (long long)g->card_n);
    if (g->card_wrong != NULL) {
        printf("  wrong: %s\n", shown_lines(g->card_wrong));
        return;
    }
    print_row(g, "yours", &g->card_mine);
    print_row(g, g->as->name, &g->card_step);
    if (g->best != NULL && g->best != g->as) print_row(g, g->best->name, &g->card_top);
}

void grade_json_card(const grading *g, json *j)
{
    if (!g->ran_on_card) return;
    json_object(j, "card");
    json_int(j, "n", g->card_n);
    json_text(j, "wrong", g->card_wrong);
    json_real(j, "seconds", g->card_mine.totals.device_seconds);
    json_real(j, "step_seconds", g->card_step.totals.device_seconds);
    json_real(j, "best_seconds", g->card_top.totals.device_seconds);
    json_close(j);
}
