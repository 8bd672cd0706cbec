// SPDX-License-Identifier: Apache-2.0
// link: heddle_cli
//
// Mutation of the ladders: of every step that is right (and not the library's own, which
// test_gpu_mutation.c sees to), each barrier and each fence is taken out, one at a time. The model
// must find a hazard in what is left, unless a comment there says "redundant:" and why; then it
// must find none.
#include "tests/support/check.h"
#include "tests/support/mutants.h"

#include <stdio.h>
#include <stdlib.h>

#include "ladder/ladder.h"

static int mutants, redundant;

// With blocks as usual, or with small ones: then there are many, and few warps in each.
static bool finds(const ladder *l, const ladder_step *r, const char *text, bool small,
                  ladder_result *result)
{
    const stage_options how = {.threads = 1};
    ladder_case problem = {.n = l->default_n, .block = small ? 64 : l->default_block, .seed = 1};
    if (problem.n > 5000) problem.n = 5000;
    if (problem.n < l->min_n) problem.n = l->min_n;
    ladder_run(l, r, text, r->name, &problem, &how, result);
    CHECK(result->ran || result->status == HD_ERROR_DEVICE || result->status == HD_ERROR_BACKEND,
          "%s", result->error);
    return result->totals.finding_count > 0 || result->status == HD_ERROR_DEVICE;
}

static void mutate(const ladder *l, const ladder_step *r, int every)
{
    mutant_site sites[MUTANT_MAX_SITES];
    const char *text = ladder_source(l, r);
    const int count = mutant_sites(text, sites);
    for (int k = 0; k < count; k++) {
        if ((mutants + k) % every != 0) continue;
        ladder_result result;
        char *without = mutant_without(text, &sites[k]);
        const bool found = finds(l, r, without, false, &result) ||
                           (!l->fixed_block && finds(l, r, without, true, &result));
        CHECK(found == !sites[k].redundant, "ladder %s, %s, line %d: %s: %s", l->name, r->name,
              sites[k].line, sites[k].text,
              found ? "not redundant" : "nothing is found without it");
        redundant += !found;
        free(without);
    }
    mutants += count;
}

int main(void)
{
    setenv("HEDDLE_MODEL_STEPS", "3000000", 1); // mutants may wait for ever
    setenv("HEDDLE_PTXAS", "none", 1);
    ladder_result result;
    const ladder *first = ladder_number(0);
    finds(first, first->steps, ladder_source(first, first->steps), false, &result);
    if (result.status == HD_ERROR_BACKEND) {
        printf("%s\n", result.error);
        return CHECK_SKIP;
    }
    const int every = check_small() ? 9 : 1;
    for (int k = 0; ladder_number(k) != NULL; k++)
        for (int32_t j = 0; j < ladder_number(k)->step_count; j++)
            if (!(ladder_number(k)->steps[j].flags & STEP_WRONG) &&
                ladder_number(k)->steps[j].call == NULL)
                mutate(ladder_number(k), &ladder_number(k)->steps[j], every);
    CHECK(mutants >= 60, "%d mutants", mutants);
    printf("%d barriers and fences taken out, %d of them redundant\n", mutants, redundant);
    return check_finish();
}
