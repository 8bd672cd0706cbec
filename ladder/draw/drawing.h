// SPDX-License-Identifier: Apache-2.0
//
// A method drawn step by step: the values after each step, which of them changed, and what was read
// for it. How a drawing is shown, as text or as a picture, is the program's business.
#ifndef HEDDLE_LADDER_DRAW_DRAWING_H
#define HEDDLE_LADDER_DRAW_DRAWING_H

#include <stdbool.h>
#include <stdint.h>

#define DRAWING_MAX_VALUES 32
#define DRAWING_MAX_STEPS  40

typedef struct drawing_step {
    char caption[96];
    int64_t value[DRAWING_MAX_VALUES];
    bool active[DRAWING_MAX_VALUES];    // its thread worked in this step
    int32_t from[DRAWING_MAX_VALUES];   // the other value that was read, or -1
    int32_t thread[DRAWING_MAX_VALUES]; // who worked on it; -1: nobody
} drawing_step;

typedef struct drawing {
    const char *method, *title;
    int32_t count, steps; // values; step 0 is what went in
    int64_t additions;
    const char *work; // what they are: "additions"
    bool pointers;    // the values are pointers to other places
    drawing_step step[DRAWING_MAX_STEPS];
} drawing;

typedef struct drawing_method {
    const char *name; // "brent-kung"
    const char *ladder, *title;
    const int64_t *usual; // the lectures' values
    int32_t usual_count;
    bool power_of_two;        // how many values it takes
    bool (*draw)(drawing *d); // from step 0 on; false: the values are not what it takes
    const char *takes;
} drawing_method;

// All methods, NULL name at the end.
extern const drawing_method drawing_methods[];

const drawing_method *drawing_named(const char *ladder, const char *name);

// Draws; values NULL: the usual ones. Returns NULL, or what is wrong with the values.
const char *drawing_make(const drawing_method *m, const int64_t *values, int32_t count, drawing *d);

#endif
