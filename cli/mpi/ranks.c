// SPDX-License-Identifier: Apache-2.0
//
// Ranks, checkpoints, and texts of errors on their way to rank 0.
#include "ranks.h"

#include <stdio.h>
#include <string.h>

#include "cli/mpi/cores.h"

// The error of this rank, or of all.
enum { TEXT = 4096, NAME = 64 };
static struct {
    char command[NAME], text[TEXT];
    int lines;
} kept;
static bool ended;   // ranks have agreed on a failure
static int end_code; // its exit code

static void keep(const char *command, const char *text, bool lines)
{
    if (kept.text[0] != 0) return;
    snprintf(kept.command, sizeof kept.command, "%s", command);
    snprintf(kept.text, sizeof kept.text, "%s", text);
    kept.lines = lines;
}

void ranks_begin(job *r)
{
    *r = (job){.size = 1};
    MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r->size);
    fail_to(keep);
}

// Where some ranks are well, the text names the one that is not; rank 0 speaks for all, as what it
// alone does (looking at a file) is for all.
static void name_rank(int rank)
{
    if (rank == 0) return;
    char named[TEXT];
    snprintf(named, sizeof named, "rank %d: %.*s", rank, TEXT - 32, kept.text);
    memcpy(kept.text, named, sizeof kept.text);
}

int ranks_agree(const job *r, int code)
{
    // The lowest rank that failed, and whether all have.
    int mine[2] = {code == EXIT_DONE ? r->size : r->rank, code != EXIT_DONE}, least[2];
    if (ended) return end_code;
    MPI_Allreduce(mine, least, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (least[0] == r->size) return EXIT_DONE;
    MPI_Bcast(&code, 1, MPI_INT, least[0], MPI_COMM_WORLD);
    MPI_Bcast(&kept, (int)sizeof kept, MPI_BYTE, least[0], MPI_COMM_WORLD);
    if (kept.text[0] != 0 && !least[1]) name_rank(least[0]);
    ended = true;
    end_code = code;
    return code;
}

bool ranks_failed(void)
{
    return ended;
}

int ranks_end(job *r, int code)
{
    code = ranks_agree(r, code);
    fail_to(NULL);
    if (r->rank == 0 && kept.text[0] != 0) fail_print(kept.command, kept.text, kept.lines);
    return code;
}

int ranks_mpi_failed(const char *command, int code, const char *what)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS) return EXIT_DONE;
    MPI_Error_string(code, text, &length);
    return fail(EXIT_IO, command, "%s: %s", what, text);
}

int ranks_tell(const job *r, void *bytes, size_t size)
{
    EXIT_TRY(ranks_agree(r, EXIT_DONE));
    return ranks_mpi_failed("", MPI_Bcast(bytes, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD),
                            "MPI_Bcast");
}

int ranks_open(job *r, const char *command, const context_options *options)
{
    context_options mine = *options;
    if (!mine.threads.given) mine.threads.value = cores_share();
    mine.trace = options->trace && r->rank == 0;
    EXIT_TRY(workspace_open(&r->w, command, &mine));
    EXIT_TRY(ranks_agree(r, EXIT_DONE));
    return ranks_call(r, hd_mpi_open(&r->mpi, r->w.ctx, MPI_COMM_WORLD));
}

void ranks_close(job *r)
{
    hd_mpi_close(r->mpi);
    workspace_close(&r->w);
}

int ranks_call(job *r, hd_status status)
{
    const char *text = r->mpi != NULL ? hd_mpi_error(r->mpi) : "";
    if (status == HD_OK) return workspace_call(&r->w, HD_OK);
    return fail_lines(options_exit_code(status), r->w.command, "%s",
                      *text ? text : hd_status_text(status));
}

int ranks_refuse(const char *command, const ranks_option *options, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (options[k].given)
            return fail(EXIT_USAGE, command,
                        "%s: not over several ranks (docs/howto/mpi.md lists what is)",
                        options[k].name);
    return EXIT_DONE;
}
