// SPDX-License-Identifier: Apache-2.0
// What the files of heddle grade share: a kernel that is judged in the place of a step.
#ifndef HEDDLE_CLI_GRADE_GRADE_H
#define HEDDLE_CLI_GRADE_GRADE_H

#include "io/json.h"
#include "cli/ladder/ladder.h"

#define MAX_TRIALS 24

typedef struct trial {
    int64_t n;
    uint64_t seed;
    ladder_values values;
    ladder_result result;
} trial;

typedef struct grading {
    const ladder *of;
    const ladder_step *as, *best; // best: may be NULL
    const char *file;
    char *text;
    stage_options how;
    int32_t block;
    int64_t n;
    int count;
    trial *trials;
    ladder_result mine, step, top; // at n
    const ladder_step *fastest;    // of the whole ladder there, or NULL
    double fastest_seconds;
    // On a card, if that was asked for and the model found nothing.
    bool card, ran_on_card;
    int64_t card_n;
    const char *card_wrong; // the first trial that came out wrong there, or NULL
    ladder_result card_mine, card_step, card_top;
} grading;

// Plays a text in the place of step r; on the problem of a trial.
void grade_run(const grading *g, const ladder_step *r, const char *text, const char *file,
               int64_t n, uint64_t seed, ladder_result *result);
void grade_try(const grading *g, const trial *t, ladder_result *result);

// On a card, once the model has found nothing: right at the same sizes, and its time beside the
// steps'. Returns the verdict, an exit code.
int grade_on_card(grading *g);
void grade_print_card(const grading *g);
void grade_json_card(const grading *g, json *j);

#endif
