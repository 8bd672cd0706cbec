// SPDX-License-Identifier: Apache-2.0
//
// The exit codes of the program, and the one way to report an error.
#ifndef HEDDLE_CLI_SUPPORT_EXIT_H
#define HEDDLE_CLI_SUPPORT_EXIT_H

#include <stdbool.h>

// The exit codes, as `heddle --help` prints them.
#define EXIT_CODE_MAP(ROW)                                                                         \
    ROW(EXIT_DONE, 0, "done")                                                                      \
    ROW(EXIT_CHECK, 1, "a check failed")                                                           \
    ROW(EXIT_USAGE, 2, "the command line is wrong, or the arrays do not go with it")               \
    ROW(EXIT_COMPILE, 3, "a kernel did not compile")                                               \
    ROW(EXIT_BACKEND, 4, "the backend is not available, or its device failed")                     \
    ROW(EXIT_HAZARD, 5, "a hazard was found")                                                      \
    ROW(EXIT_IO, 6, "a file could not be read or written, or memory ran out")                      \
    ROW(EXIT_DATA, 7, "the data are wrong: damaged, out of range, not a number, too large")

#define EXIT_CODE_ENUM(name, value, text) name = value,
enum { EXIT_CODE_MAP(EXIT_CODE_ENUM) };
#undef EXIT_CODE_ENUM

// Leaves the function with the exit code of a step that did not end well.
#define EXIT_TRY(step)                                                                             \
    do {                                                                                           \
        const int exit_tried = (step);                                                             \
        if (exit_tried != EXIT_DONE) return exit_tried;                                            \
    } while (0)

// Prints "heddle COMMAND: message" on standard error and returns the exit code it was given:
//     return fail(EXIT_USAGE, "reduce", "--axis %d: expected ...", axis);
__attribute__((format(printf, 3, 4))) int fail(int exit_code, const char *command,
                                               const char *format, ...);

// The same for a text that has lines of its own, such as a compiler's.
__attribute__((format(printf, 3, 4))) int fail_lines(int exit_code, const char *command,
                                                     const char *format, ...);

// Where such texts go in the place of standard error; NULL: there again. fail_print prints one as
// the others are.
void fail_to(void (*sink)(const char *command, const char *text, bool lines));
void fail_print(const char *command, const char *text, bool lines);

#endif
