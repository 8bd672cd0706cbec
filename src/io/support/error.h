// SPDX-License-Identifier: Apache-2.0
//
// How src/io reports: a status, and a text that says what was wrong, where (file, byte), what was
// expected and what came. Nothing here prints; the text is safe to print (escape.h).
#ifndef HEDDLE_IO_SUPPORT_ERROR_H
#define HEDDLE_IO_SUPPORT_ERROR_H

typedef enum io_status {
    IO_OK = 0,
    IO_SYSTEM,   // the system refused: the text has its reason
    IO_FORMAT,   // the data are not what they claim to be, or not what they must be
    IO_ARGUMENT, // what the caller asked for does not fit the file
    IO_LIMIT,    // the array would take more memory than it may: limit.h
    IO_MEMORY
} io_status;

typedef struct io_error {
    io_status status;
    char text[768];
} io_error;

// Fills the error and returns its status. The system form appends ": " and the text of errno.
__attribute__((format(printf, 3, 4))) io_status io_fail(io_error *error, io_status status,
                                                        const char *format, ...);
__attribute__((format(printf, 2, 3))) io_status io_fail_system(io_error *error, const char *format,
                                                               ...);

#define IO_TRY(expression)                                                                         \
    do {                                                                                           \
        const io_status io_tried = (expression);                                                   \
        if (io_tried != IO_OK) return io_tried;                                                    \
    } while (0)

#endif
