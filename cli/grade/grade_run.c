// SPDX-License-Identifier: Apache-2.0
//
// One run of a ladder's problem with a kernel in the place of a step's.
#include "grade.h"

void grade_run(const grading *g, const ladder_step *r, const char *text, const char *file,
               int64_t n, uint64_t seed, ladder_result *result)
{
    const ladder_case problem = {.n = n, .block = g->block, .seed = seed};
    ladder_run(g->of, r, text, file, &problem, &g->how, result);
}

void grade_try(const grading *g, const trial *t, ladder_result *result)
{
    const ladder_case problem = {
        .n = t->n, .block = g->block, .seed = t->seed, .values = t->values};
    stage_options how = g->how;
    how.seed = t->seed > 100 ? t->seed : 0; // other schedules too
    ladder_run(g->of, g->as, g->text, g->file, &problem, &how, result);
}
