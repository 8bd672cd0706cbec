// SPDX-License-Identifier: Apache-2.0
//
// The argument parser: a command describes its options in a table, and the table also makes its
// help. Options are --name VALUE, --name=VALUE, -x VALUE, -xVALUE; "--" ends them; "-" is an
// operand (standard input or output). The parser prints nothing and never exits.
//
//     typedef struct { const char *output; arg_int axis; bool json; } my_args;
//     static const arg_option my_options[] = {
//         ARG_TEXT('o', "output", "FILE", "where to write", my_args, output),
//         ARG_INT(0, "axis", "K", "the axis", my_args, axis, -8, 7),
//         ARG_FLAG(0, "json", "one JSON document", my_args, json),
//         ARG_END};
//     const arg_spec my_spec = {"mine", "FILE", "does it", "heddle mine x.npy", my_options, 1, 1};
#ifndef HEDDLE_CLI_ARGS_ARGS_H
#define HEDDLE_CLI_ARGS_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum arg_kind {
    ARG_KIND_END,
    ARG_KIND_FLAG,
    ARG_KIND_TEXT,
    ARG_KIND_INT,
    ARG_KIND_PERHAPS,
    ARG_KIND_MANY,
    ARG_KIND_OUTPUT
} arg_kind;

// The field of an ARG_INT or ARG_PERHAPS; one of an ARG_TEXT or ARG_OUTPUT is a const char *, one
// of an ARG_FLAG a bool.
typedef struct arg_int {
    bool given;
    int64_t value;
} arg_int;

#define ARG_MAX_TEXTS 128

// The field of an ARG_MANY: every value that was given, in order.
typedef struct arg_texts {
    int count;
    const char *at[ARG_MAX_TEXTS + 1]; // NULL after the last
} arg_texts;

typedef struct arg_option {
    arg_kind kind;
    char letter;       // 0: none
    const char *name;  // without its dashes
    const char *value; // what the value is called in the help; "a|b|c" lists the only ones allowed
    const char *help;
    size_t field; // offset in the command's structure
    int64_t least, most;
} arg_option;

#define ARG_FLAG(letter, name, help, S, field)                                                     \
    {                                                                                              \
        ARG_KIND_FLAG, letter, name, NULL, help, offsetof(S, field), 0, 0                          \
    }
#define ARG_TEXT(letter, name, value, help, S, field)                                              \
    {                                                                                              \
        ARG_KIND_TEXT, letter, name, value, help, offsetof(S, field), 0, 0                         \
    }
// A text that names a file to write: what no format of arrays is called like is refused before any
// work.
#define ARG_OUTPUT(letter, name, value, help, S, field)                                            \
    {                                                                                              \
        ARG_KIND_OUTPUT, letter, name, value, help, offsetof(S, field), 0, 0                       \
    }
// An option that may be given again and again.
#define ARG_MANY(letter, name, value, help, S, field)                                              \
    {                                                                                              \
        ARG_KIND_MANY, letter, name, value, help, offsetof(S, field), 0, 0                         \
    }
#define ARG_INT(letter, name, value, help, S, field, least, most)                                  \
    {                                                                                              \
        ARG_KIND_INT, letter, name, value, help, offsetof(S, field), least, most                   \
    }
// A whole number that may be left out: --name is the least of them, --name=VALUE another.
#define ARG_PERHAPS(name, value, help, S, field, least, most)                                      \
    {                                                                                              \
        ARG_KIND_PERHAPS, 0, name, value, help, offsetof(S, field), least, most                    \
    }
#define ARG_END                                                                                    \
    {                                                                                              \
        ARG_KIND_END, 0, NULL, NULL, NULL, 0, 0, 0                                                 \
    }

typedef struct arg_spec {
    const char *command;       // "reduce"
    const char *operands;      // "FILE", or "" for none, as the usage line shows them
    const char *about;         // one line
    const char *details;       // more of the help: examples that work, what is printed
    const arg_option *options; // ends with ARG_END; --help is added by the parser
    int least, most;           // how many operands
} arg_spec;

typedef enum arg_status { ARG_OK, ARG_HELP, ARG_ERROR } arg_status;

#define ARG_MAX_OPERANDS 40

typedef struct arg_result {
    int count; // operands
    const char *operand[ARG_MAX_OPERANDS];
    char error[512]; // ARG_ERROR: which option, what was expected, what came
} arg_result;

// Reads argv[1] .. argv[argc - 1] into the zeroed structure at fields.
arg_status args_parse(const arg_spec *spec, int argc, char **argv, void *fields,
                      arg_result *result);

// What a command begins with: parses; on --help prints it on standard output; on an error prints
// it on standard error. Returns true to go on, else *exit_code is what to return.
bool args_begin(const arg_spec *spec, int argc, char **argv, void *fields, arg_result *result,
                int *exit_code);

void args_help(const arg_spec *spec, FILE *out);

// The name nearest to a mistyped one, or NULL if none is near. names(k, user) is the k-th, NULL
// after the last.
const char *args_nearest(const char *name, const char *(*names)(int k, const void *user),
                         const void *user);

#endif
