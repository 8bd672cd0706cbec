// SPDX-License-Identifier: Apache-2.0
//
// A small JSON writer: commas, indentation and escapes are its business, values the caller's.
// Inside an object every call takes a key; inside an array the key is NULL.
#ifndef HEDDLE_IO_JSON_H
#define HEDDLE_IO_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_MAX_DEPTH 16

typedef struct json {
    FILE *out;
    int depth;
    bool filled[JSON_MAX_DEPTH];  // whether the open object or array has a member yet
    bool flat[JSON_MAX_DEPTH];    // whether its members stay on one line
    char bracket[JSON_MAX_DEPTH]; // what closes it
} json;

json json_begin(FILE *out); // opens the document's object
void json_end(json *j);     // closes it and ends the line

void json_object(json *j, const char *key); // opens an object; json_close closes it
void json_array(json *j, const char *key);  // opens an array, kept on one line
void json_list(json *j, const char *key);   // opens an array, one member a line
void json_close(json *j);

void json_text(json *j, const char *key, const char *text); // NULL: null
void json_int(json *j, const char *key, int64_t value);
void json_uint(json *j, const char *key, uint64_t value);
void json_real(json *j, const char *key, double value); // reads back exactly; "nan", "inf" as text
void json_bool(json *j, const char *key, bool value);
// A number already written as text, such as one print.c made.
void json_number(json *j, const char *key, const char *digits);

#endif
