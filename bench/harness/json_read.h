// SPDX-License-Identifier: Apache-2.0
//
// A small JSON reader: a text becomes a tree of values. Strict (RFC 8259); nesting ends at 64.
#ifndef HEDDLE_BENCH_HARNESS_JSON_READ_H
#define HEDDLE_BENCH_HARNESS_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

typedef enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_TEXT,
    JSON_ARRAY,
    JSON_OBJECT
} json_kind;

typedef struct json_value {
    json_kind kind;
    char *key;  // in an object; UTF-8, ends with 0
    char *text; // JSON_TEXT
    double number;
    struct json_value *first, *next; // members of an array or object; the next of the same parent
} json_value;

// Reads `size` bytes. NULL if they are not JSON (or without memory): error says where and what.
json_value *json_read(const char *bytes, size_t size, char *error, size_t error_size);
void json_free(json_value *value); // NULL is allowed

// A member of an object by its key, or NULL (also if value is NULL or no object).
const json_value *json_get(const json_value *value, const char *key);
// The same as text or number, or the default.
const char *json_get_text(const json_value *value, const char *key, const char *otherwise);
double json_get_number(const json_value *value, const char *key, double otherwise);

#endif
