// SPDX-License-Identifier: Apache-2.0
//
// Files in memory, for the tests of formats.
#include "io_memory.h"

#include <string.h>

#include "io/support/memory.h"
#include "io/writer.h"

static io_error last;

const char *memory_error(void)
{
    return last.text;
}

io_status memory_status(void)
{
    return last.status;
}

bool memory_load(memory_file file, const char *name, const io_read_options *options,
                 io_array *array)
{
    io_reader reader;
    last = (io_error){.status = IO_OK};
    *array = (io_array){.mapped = false};
    if (io_reader_open_memory(&reader, name, file.bytes, file.size, options, &last) != IO_OK)
        return false;
    const bool well = io_array_read(array, &reader, &last) == IO_OK;
    io_reader_close(&reader);
    return well;
}

void check_refused(const char *path, int line, memory_file file, io_format format, io_status status,
                   const char *words)
{
    const io_read_options options = {.format = format};
    io_array array;
    if (memory_load(file, "file", &options, &array)) {
        io_array_release(&array);
        check_failed(path, line, "refused", "it was taken; expected: %s", words);
    } else if (last.status != status || strstr(last.text, words) == NULL) {
        check_failed(path, line, "refused", "expected %d '%s', got %d '%s'", (int)status, words,
                     (int)last.status, last.text);
    }
}

void check_loads(const char *path, int line, memory_file file, io_format format, hd_type type,
                 const void *elements, int32_t ndim, const int64_t *shape)
{
    const io_read_options options = {.format = format};
    io_array array;
    if (!memory_load(file, "file", &options, &array)) {
        check_failed(path, line, "loads", "%s", last.text);
        return;
    }
    const hd_view *v = &array.view;
    bool same = v->type == type && v->ndim == ndim;
    for (int32_t k = 0; k < ndim && same; k++) same = v->shape[k] == shape[k];
    if (!same)
        check_failed(path, line, "loads", "%s, %d dimensions, first %lld", hd_type_name(v->type),
                     (int)v->ndim, (long long)v->shape[0]);
    else
        check_same(path, line, type, v->data, elements, hd_count(*v), "elements");
    io_array_release(&array);
}

void check_without_memory(memory_file file, io_format format)
{
    const io_read_options options = {.format = format};
    io_array array;
    bool well = false;
    for (int64_t k = 0; k < 20 && !well; k++) {
        io_allocations_left = k;
        well = memory_load(file, "file", &options, &array);
        io_allocations_left = -1;
        if (well) {
            CHECK(k > 0, "format %d allocates nothing", (int)format);
            io_array_release(&array);
        } else {
            CHECK(last.status == IO_MEMORY && strstr(last.text, "no memory") != NULL, "%s",
                  last.text);
        }
    }
    CHECK(well, "format %d never loads", (int)format);
}

io_status memory_write(const char *name, hd_type type, int32_t ndim, const int64_t *shape,
                       const void *data, io_error *error)
{
    io_writer w;
    int64_t n = 1;
    for (int32_t k = 0; k < ndim; k++) n *= shape[k];
    IO_TRY(io_writer_open(&w, name, type, ndim, shape, error));
    io_status status = IO_OK;
    for (int64_t at = 0; at < n && status == IO_OK; at += 7)
        status = io_writer_put(&w, (const char *)data + (size_t)at * hd_type_size(type),
                               n - at < 7 ? n - at : 7, error);
    if (status == IO_OK) status = io_writer_commit(&w, error);
    io_writer_abandon(&w);
    return status;
}
