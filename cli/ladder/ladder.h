// SPDX-License-Identifier: Apache-2.0
// What the files of heddle ladder share: a ladder that was played, and how it is told.
#ifndef HEDDLE_CLI_LADDER_LADDER_H
#define HEDDLE_CLI_LADDER_LADDER_H

#include "ladder/ladder.h"
#include "io/json.h"

#define LADDER_MAX_STEPS 32

typedef struct ladder_results {
    const ladder *of;
    ladder_case problem;
    int32_t count; // of steps that were played
    const ladder_step *steps[LADDER_MAX_STEPS];
    ladder_result *results; // count of them
    ladder_result
        *counted;     // those of the model: results, or on a card others of the ladder's own size
    bool cuda;        // on a card
    const char *card; // its name
    double peak;      // its peak bandwidth, measured: bytes a second
} ladder_results;

// The step that result k is compared with: the last right one before it; -1: none.
int32_t ladder_before(const ladder_results *t, int32_t k);
// The first right one; -1: none.
int32_t ladder_first(const ladder_results *t);
// Whether result k is what the ladder says: right, or wrong in the way that was meant.
bool ladder_as_meant(const ladder_results *t, int32_t k);

// Plays all steps, on a card also on the model for what it counts. An exit code.
int ladder_climb(ladder_results *t, const stage_options *how);
void ladder_leave(ladder_results *t); // frees the results

// Why step k is faster than the one before it, or ""; the seconds it took or is predicted to take.
void ladder_reason(const ladder_results *t, int32_t k, char *text, size_t room);
double ladder_seconds(const ladder_results *t, int32_t k);
// On a card: bytes that any method must move, a second.
double ladder_rate(const ladder_results *t, int32_t k);

// Of a step that has no answer: whether it began and never ended, or did not run at all.
const char *ladder_unplayed(const ladder_result *r);

void ladder_print(const ladder_results *t);
void ladder_json(const ladder_results *t);

// "warnings": of all launches, in a document.
void ladder_json_warnings(json *j, const stage_totals *t);

#endif
