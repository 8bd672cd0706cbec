// SPDX-License-Identifier: Apache-2.0
//
// What a pattern gave, on its way out: as text, as JSON, or as files.
#ifndef HEDDLE_CLI_RUN_RESULT_H
#define HEDDLE_CLI_RUN_RESULT_H

#include <stdio.h>

#include "heddle.h"
#include "io/json.h"

// More elements than this are not printed: they want a file.
#define RESULT_MAX_PRINTED 100000
int result_too_long(const char *command, int64_t elements); // prints that, returns the exit code

typedef struct result {
    hd_view out;        // row-major
    hd_view values;     // beside out, or unset: what argmin and argmax found, or what second says
    hd_view keys;       // before out, or unset
    bool single;        // one value, not a row of one: written without dimensions
    bool places;        // out are places, as argmin's are: of -1 there is no value
    const char *second; // what values are where out is the result itself: "residual", "bound"
} result;

// Text, as numpy.savetxt has it: one element a line; of two dimensions and more, one row a line
// and an empty line between planes. Keys come before their element, values after it.
void result_print(FILE *out, const result *r, bool hex);

// The members "shape", "values" (or "value"), "keys", and the bits where they are asked for.
void result_json(json *j, const result *r, bool hex);

// Writes a row-major view as a file. Returns an exit code, having printed what went wrong.
int result_write(const char *command, const char *name, hd_view view, bool single);

#endif
