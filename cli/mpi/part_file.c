// SPDX-License-Identifier: Apache-2.0
//
// Chunks of a file. Each rank opens it on its own (MPI_COMM_SELF): parts are contiguous, so that
// collective calls have nothing to put together, and who cannot open it keeps nobody waiting.
#include "part_file.h"

#include "cli/support/progress.h"

// Far below what an int counts, and often enough for a progress bar.
#define CHUNK ((int64_t)1 << 26)

static int64_t chunk_of(int64_t left)
{
    return left < CHUNK ? left : CHUNK;
}

static progress begin_progress(const job *r, int64_t n)
{
    progress bar = progress_begin(r->w.command, n);
    bar.wanted = bar.wanted && r->rank == 0;
    bar.steps = true;
    return bar;
}

static int open_file(const job *r, const char *path, const char *name, int mode, MPI_File *file)
{
    char what[4200];
    snprintf(what, sizeof what, "%s: cannot open for %s", name,
             mode == MPI_MODE_RDONLY ? "reading" : "writing");
    return ranks_mpi_failed(r->w.command,
                            MPI_File_open(MPI_COMM_SELF, path, mode, MPI_INFO_NULL, file), what);
}

// A file that became shorter gives fewer bytes than were asked for.
static int check_got(const job *r, const char *file, MPI_Status *status, int64_t offset, int want)
{
    int got = 0;
    if (MPI_Get_count(status, MPI_BYTE, &got) == MPI_SUCCESS && got == want) return EXIT_DONE;
    return fail(EXIT_DATA, r->w.command,
                "%s: byte %lld: the file ends too early: expected %d bytes, got %d", file,
                (long long)offset, want, got);
}

static int read_chunks(const job *r, MPI_File f, const char *file, int64_t offset, char *bytes,
                       int64_t n)
{
    progress bar = begin_progress(r, n);
    int code = EXIT_DONE;
    for (int64_t done = 0; done < n && code == EXIT_DONE; done += CHUNK) {
        const int size = (int)chunk_of(n - done);
        MPI_Status status;
        code = ranks_mpi_failed(
            r->w.command, MPI_File_read_at(f, offset + done, bytes + done, size, MPI_BYTE, &status),
            file);
        if (code == EXIT_DONE) code = check_got(r, file, &status, offset + done, size);
        progress_step(&bar, done + size);
    }
    progress_end(&bar);
    return code;
}

int part_file_read(const job *r, const char *file, int64_t offset, void *bytes, int64_t n)
{
    MPI_File f;
    if (n == 0) return EXIT_DONE;
    EXIT_TRY(open_file(r, file, file, MPI_MODE_RDONLY, &f));
    const int code = read_chunks(r, f, file, offset, bytes, n);
    MPI_File_close(&f);
    return code;
}

static int write_chunks(const job *r, MPI_File f, const char *name, int64_t offset,
                        const char *bytes, int64_t n)
{
    progress bar = begin_progress(r, n);
    int code = EXIT_DONE;
    for (int64_t done = 0; done < n && code == EXIT_DONE; done += CHUNK) {
        const int size = (int)chunk_of(n - done);
        MPI_Status status;
        int got = 0;
        code = ranks_mpi_failed(
            r->w.command,
            MPI_File_write_at(f, offset + done, bytes + done, size, MPI_BYTE, &status), name);
        if (code == EXIT_DONE) MPI_Get_count(&status, MPI_BYTE, &got);
        if (code == EXIT_DONE && got != size)
            code = fail(EXIT_IO, r->w.command, "%s: byte %lld: wrote %d of %d bytes", name,
                        (long long)(offset + done), got, size);
        progress_step(&bar, done + size);
    }
    progress_end(&bar);
    return code;
}

int part_file_write(const job *r, const char *path, const char *name, int64_t offset,
                    const void *bytes, int64_t n)
{
    MPI_File f;
    if (n == 0) return EXIT_DONE;
    EXIT_TRY(open_file(r, path, name, MPI_MODE_WRONLY, &f));
    int code = write_chunks(r, f, name, offset, bytes, n);
    if (code == EXIT_DONE) code = ranks_mpi_failed(r->w.command, MPI_File_sync(f), name);
    const int closed = MPI_File_close(&f);
    return code != EXIT_DONE ? code : ranks_mpi_failed(r->w.command, closed, name);
}
