// SPDX-License-Identifier: Apache-2.0
//
// What was seen on a tour, for the page at its end: figures, rows with their speed, ladders.
#ifndef HEDDLE_CLI_TOUR_TOUR_NOTES_H
#define HEDDLE_CLI_TOUR_TOUR_NOTES_H

#include "cli/ladder/ladder.h"
#include "tour.h"

typedef struct tour_note {
    const tour_stop *stop;
    const tour_example *example; // a figure, or
    const tour_row *row;         // a row
    char shown[256];
    bool right;
    tour_outcome outcome;
} tour_note;

typedef struct tour_notes {
    int32_t count, room;
    tour_note *list;
    int32_t ladder_count;
    ladder_results *ladders; // played, with their results
    char no_ladders[200];    // why there are none
    const char *isa;
    int32_t threads;
    int64_t elements;
    int wrong;
    double seconds;
} tour_notes;

// A new note; NULL: no memory, and then it is left out.
tour_note *tour_note_new(tour_notes *n, const tour_stop *stop);

// Plays ladder k on the model machine; false: there is nothing to play it with.
bool tour_climb(tour_notes *n, int32_t k);
// Right steps of a ladder from the first to the fastest: how many times as fast, and which it is.
double tour_gain(const ladder_results *t, int32_t *best);

void tour_notes_free(tour_notes *n);

// The page. Returns an exit code.
int tour_html(const tour_notes *n, const char *file);

#endif
