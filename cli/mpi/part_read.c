// SPDX-License-Identifier: Apache-2.0
//
// Parts of files on their way in: rank 0 looks at the file, all read.
#include "part.h"

#include <string.h>

#include "io/support/limit.h"
#include "part_file.h"

// What rank 0 tells of a file: plain bytes, so that all have the same.
typedef struct told {
    io_array_header header;
    int64_t count;
    int64_t offset, length; // of the first element, and of the file
    bool direct;            // all read it; else rank 0 has it
} told;

// Elements that lie in the file as they do in the whole, of a file that others can open.
static bool is_direct(const io_reader *reader)
{
    const io_format f = reader->format;
    return (f == IO_NPY || f == IO_RAW || f == IO_BYTES) && reader->source.fd >= 0 &&
           reader->source.length >= 0 && io_array_header_is_row_major(&reader->header);
}

static int refuse_pipe(const job *r, const char *file)
{
    return fail(EXIT_USAGE, r->w.command, "%s: over several ranks a file is expected, not a pipe",
                file);
}

// Rank 0: opens the file and, where it must be read as a whole, reads it.
static int look(job *r, const char *file, const io_read_options *how, told *t, hd_view *whole)
{
    io_reader reader;
    io_error error;
    if (strcmp(file, "-") == 0) return refuse_pipe(r, file);
    if (io_reader_open(&reader, file, how, &error) != IO_OK) return io_failed(r->w.command, &error);
    int code = EXIT_DONE;
    memset(t, 0, sizeof *t); // its gaps are sent, too
    t->header = reader.header, t->count = reader.count;
    t->offset = reader.source.position, t->length = reader.source.length;
    t->direct = is_direct(&reader);
    if (!t->direct) {
        io_array *array = &r->w.loaded[r->w.loaded_count];
        if (r->w.loaded_count == WORKSPACE_MAX)
            code = fail(EXIT_USAGE, r->w.command, "more than %d arrays", WORKSPACE_MAX);
        else if (io_array_read(array, &reader, &error) != IO_OK)
            code = io_failed(r->w.command, &error);
        else
            r->w.loaded_count++, *whole = array->view;
        t->header.ndim = reader.header.ndim; // of a pipe: known now
        memcpy(t->header.shape, reader.header.shape, sizeof t->header.shape);
        if (code == EXIT_DONE) t->count = hd_count(*whole);
    }
    io_reader_close(&reader);
    return code;
}

// Where rank k's part begins, in elements.
static int64_t begin_of(const part_array *p, part_cut cut, int k, int ranks)
{
    if (cut == PART_ELEMENTS || p->ndim < 2) return hd_mpi_even(p->count, k, ranks);
    const int64_t rows = p->shape[0];
    return rows == 0 ? 0 : hd_mpi_even(rows, k, ranks) * (p->count / rows);
}

// This rank's share, as one row of n elements or as rows of the array.
static int make(job *r, hd_type type, part_cut cut, part_array *p)
{
    const int64_t end = begin_of(p, cut, r->rank + 1, r->size);
    int64_t shape[HD_MAX_DIMS];
    p->first = begin_of(p, cut, r->rank, r->size);
    if (cut == PART_ELEMENTS || p->ndim < 2)
        return workspace_row(&r->w, type, end - p->first, &p->view);
    memcpy(shape, p->shape, sizeof shape);
    shape[0] =
        hd_mpi_even(p->shape[0], r->rank + 1, r->size) - hd_mpi_even(p->shape[0], r->rank, r->size);
    return workspace_alloc(&r->w, type, p->ndim, shape, &p->view);
}

static hd_view flat(hd_view v)
{
    return hd_view_of(v.type, v.data, hd_count(v));
}

static int read_direct(job *r, const char *file, const told *t, hd_view to, int64_t first)
{
    const int64_t size = (int64_t)hd_type_size(to.type), n = hd_count(to);
    io_error error;
    if (io_limit_check(file, "a rank's part of the array", n * size, t->length, &error) != IO_OK)
        return io_failed(r->w.command, &error);
    EXIT_TRY(part_file_read(r, file, t->offset + first * size, to.data, n * size));
    if (t->header.dtype.swap) io_dtype_swap(to.data, (size_t)size, n);
    return EXIT_DONE;
}

// What rank 0 has goes to all.
static int hand_out(job *r, hd_view whole, hd_view to)
{
    hd_view all = hd_view_of(to.type, NULL, 0);
    if (r->rank == 0) {
        EXIT_TRY(workspace_like(&r->w, whole, &all)); // without gaps, whatever the file's order
        EXIT_TRY(workspace_call(&r->w, hd_map(r->w.ctx, whole, NULL, all, NULL)));
    }
    RANKS_CALL(r, hd_mpi_redistribute(r->mpi, flat(all), flat(to), NULL));
    return EXIT_DONE;
}

int part_load(job *r, const char *file, const io_read_options *how, part_cut cut, part_array *p)
{
    told t;
    hd_view whole = {0};
    memset(p, 0, sizeof *p);
    memset(&t, 0, sizeof t);
    if (file == NULL) return EXIT_DONE;
    if (r->rank == 0) EXIT_TRY(look(r, file, how, &t, &whole));
    EXIT_TRY(ranks_tell(r, &t, sizeof t));
    p->ndim = t.header.ndim, p->count = t.count;
    memcpy(p->shape, t.header.shape, sizeof p->shape);
    EXIT_TRY(make(r, t.header.dtype.type, cut, p));
    return t.direct ? read_direct(r, file, &t, p->view, p->first) : hand_out(r, whole, p->view);
}

int part_like(job *r, const part_array *other, hd_type type, part_array *p)
{
    *p = *other;
    return workspace_alloc(&r->w, type, other->view.ndim, other->view.shape, &p->view);
}

int part_new(job *r, hd_type type, int32_t ndim, const int64_t *shape, part_cut cut, part_array *p)
{
    *p = (part_array){.count = 1, .ndim = ndim};
    for (int32_t k = 0; k < ndim; k++) p->count *= p->shape[k] = shape[k];
    return make(r, type, cut, p);
}

int part_of(job *r, hd_view row, part_array *p)
{
    *p = (part_array){.view = row, .ndim = 1};
    RANKS_CALL(r, hd_mpi_layout(r->mpi, hd_count(row), &p->first, &p->count));
    p->shape[0] = p->count;
    return EXIT_DONE;
}
