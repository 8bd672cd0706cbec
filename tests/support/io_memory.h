// SPDX-License-Identifier: Apache-2.0
//
// Files in memory, for the tests of formats: loading them, the errors they must give, and what
// happens when there is no memory.
#ifndef HEDDLE_TESTS_SUPPORT_IO_MEMORY_H
#define HEDDLE_TESTS_SUPPORT_IO_MEMORY_H

#include "check.h"
#include "io/array.h"

typedef struct memory_file {
    const void *bytes;
    size_t size;
} memory_file;
#define TEXT(s) ((memory_file){(s), sizeof(s) - 1})

// Loads bytes as a file called `name`; options may be NULL. The error's text is kept for
// memory_error() if it fails.
bool memory_load(memory_file file, const char *name, const io_read_options *options,
                 io_array *array);
const char *memory_error(void);
io_status memory_status(void);

// The file must be refused with this status and words.
#define CHECK_REFUSED(file, format, status, words)                                                 \
    check_refused(__FILE__, __LINE__, (file), (format), (status), (words))
void check_refused(const char *path, int line, memory_file file, io_format format, io_status status,
                   const char *words);

// The file must have this type and shape (ndim lengths after it) and these elements.
#define CHECK_LOADS(file, format, type, elements, ndim, ...)                                       \
    check_loads(__FILE__, __LINE__, (file), (format), (type), (elements), (ndim),                  \
                (const int64_t[]){__VA_ARGS__})
void check_loads(const char *path, int line, memory_file file, io_format format, hd_type type,
                 const void *elements, int32_t ndim, const int64_t *shape);

// Loads with the first allocation failing, then the second, and so on until it succeeds.
void check_without_memory(memory_file file, io_format format);

// Writes a row-major array in pieces of seven elements.
io_status memory_write(const char *name, hd_type type, int32_t ndim, const int64_t *shape,
                       const void *data, io_error *error);

#endif
