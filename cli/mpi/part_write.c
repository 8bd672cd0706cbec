// SPDX-License-Identifier: Apache-2.0
//
// Parts of arrays on their way out: rank 0 makes the temporary file, all write, rank 0 renames.
#include "part.h"

#include <string.h>
#include <unistd.h>

#include "io/npy/npy_header.h"
#include "io/stream/temporary_file.h"
#include "io/support/cleanup.h"
#include "part_file.h"

static hd_view flat(hd_view v)
{
    return hd_view_of(v.type, v.data, hd_count(v));
}

int part_collect(job *r, const part_array *p, hd_view *whole)
{
    EXIT_TRY(workspace_row(&r->w, p->view.type, r->rank == 0 ? p->count : 0, whole));
    RANKS_CALL(r, hd_mpi_redistribute(r->mpi, flat(p->view), *whole, NULL));
    return EXIT_DONE;
}

// As all of it lies, or would lie, on rank 0.
static hd_view shaped(const part_array *p, void *data)
{
    if (p->ndim == 0) return hd_view_of(p->view.type, data, 1);
    return hd_view_nd(p->view.type, data, p->ndim, p->shape, NULL);
}

// ---- Files that all ranks write -----------------------------------------------------------------

// What rank 0 tells of an output.
typedef struct target {
    bool direct; // a file that all can write
    char path[PATH_MAX];
} target;

static int make_file(const job *r, const char *file, io_temporary_file *temporary, target *t)
{
    io_error error;
    io_format format;
    if (strcmp(file, "-") == 0)
        return fail(EXIT_USAGE, r->w.command, "-o -: over several ranks a file is expected");
    if (io_format_for_output(file, &format, &error) != IO_OK)
        return io_failed(r->w.command, &error);
    if (format != IO_NPY && format != IO_RAW && format != IO_BYTES) return EXIT_DONE;
    if (io_temporary_file_open(temporary, file, &error) != IO_OK)
        return io_failed(r->w.command, &error);
    t->direct = temporary->slot >= 0; // no pipe, no device
    if (t->direct)
        memcpy(t->path, temporary->path, sizeof t->path);
    else
        io_temporary_file_abandon(temporary);
    return EXIT_DONE;
}

// The header of an .npy file; none of a raw one.
static int64_t make_header(const char *file, const part_array *p, unsigned char *header)
{
    io_error error;
    io_format format = IO_NPY;
    if (io_format_for_output(file, &format, &error) != IO_OK || format != IO_NPY) return 0;
    return (int64_t)io_npy_write_header(header, p->view.type, p->ndim, p->shape);
}

static int write_part(const job *r, const char *file, const char *path, const part_array *p)
{
    unsigned char header[IO_NPY_HEADER_ROOM];
    const int64_t begin = make_header(file, p, header);
    const int64_t size = (int64_t)hd_type_size(p->view.type);
    if (r->rank == 0) EXIT_TRY(part_file_write(r, path, file, 0, header, begin));
    return part_file_write(r, path, file, begin + p->first * size, p->view.data,
                           hd_count(p->view) * size);
}

static int commit(const job *r, io_temporary_file *temporary)
{
    io_error error;
    if (r->rank != 0 || io_temporary_file_commit(temporary, &error) == IO_OK) return EXIT_DONE;
    return io_failed(r->w.command, &error);
}

// Whichever rank is ended by a signal removes the file, as rank 0 may be gone.
static int write_all(job *r, const char *file, const target *t, io_temporary_file *temporary,
                     const part_array *p)
{
    const int note = r->rank == 0 ? -1 : io_remove_on_signal(t->path);
    int code = ranks_agree(r, write_part(r, file, t->path, p));
    if (code == EXIT_DONE) code = ranks_agree(r, commit(r, temporary));
    io_remove_forget(note);
    return code;
}

// ---- Files that rank 0 writes -------------------------------------------------------------------

static int write_collected(job *r, const char *file, const part_array *p)
{
    hd_view whole;
    EXIT_TRY(part_collect(r, p, &whole));
    if (r->rank != 0) return EXIT_DONE;
    return result_write(r->w.command, file, shaped(p, whole.data), p->ndim == 0);
}

int part_write(job *r, const char *file, const part_array *p)
{
    target t;
    io_temporary_file temporary = {.fd = -1, .slot = -1};
    memset(&t, 0, sizeof t);
    if (r->rank == 0) EXIT_TRY(make_file(r, file, &temporary, &t));
    int code = ranks_tell(r, &t, sizeof t);
    if (code == EXIT_DONE)
        code = t.direct ? write_all(r, file, &t, &temporary, p) : write_collected(r, file, p);
    io_temporary_file_abandon(&temporary);
    return code == EXIT_DONE ? ranks_agree(r, EXIT_DONE) : code;
}

// ---- Results ------------------------------------------------------------------------------------

typedef struct members {
    const job *r;
    const emission *e;
} members;

static void add_members(json *j, const void *user)
{
    const members *m = user;
    json_int(j, "ranks", m->r->size);
    if (m->e->more != NULL) m->e->more(j, m->e->user);
}

static int collect(job *r, const part_array *p, hd_view *view)
{
    hd_view whole;
    *view = (hd_view){0};
    if (p == NULL) return EXIT_DONE;
    EXIT_TRY(part_collect(r, p, &whole));
    *view = shaped(p, whole.data);
    return EXIT_DONE;
}

int part_emit(job *r, const part_array *out, const part_array *values, const part_array *keys,
              const emission *e)
{
    const members m = {r, e};
    const double seconds = r->w.seconds; // of the pattern, not of what follows
    emission all = *e;
    all.out = shaped(out, NULL);
    all.single = out->ndim == 0;
    all.written = true;
    all.more = add_members, all.user = &m;
    if (e->file != NULL) {
        EXIT_TRY(part_write(r, e->file, out));
    } else {
        if (out->count > RESULT_MAX_PRINTED) return result_too_long(r->w.command, out->count);
        EXIT_TRY(collect(r, out, &all.out));
        EXIT_TRY(collect(r, values, &all.values));
        EXIT_TRY(collect(r, keys, &all.keys));
    }
    r->w.seconds = seconds;
    return r->rank == 0 ? workspace_emit(&r->w, &all) : EXIT_DONE;
}
