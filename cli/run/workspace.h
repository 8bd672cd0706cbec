// SPDX-License-Identifier: Apache-2.0
//
// What a command that takes whole arrays works with: a context, arrays of files, arrays of its own,
// and the way of a result out. Everything is given back by workspace_close. Functions that can fail
// return an exit code, having printed what went wrong.
//
//     static int run_sort(workspace *w, const sort_args *a, const char *file)
//     {
//         hd_view in, out;
//         EXIT_TRY(workspace_open(w, name, &a->run));
//         EXIT_TRY(workspace_load(w, file, &read, &in));
//         EXIT_TRY(workspace_like(w, in, &out));
//         EXIT_TRY(workspace_call(w, hd_sort(w->ctx, in, out, ...)));
//         return workspace_emit(w, &(emission){.out = out, .file = a->output, .json = a->json});
//     }
#ifndef HEDDLE_CLI_RUN_WORKSPACE_H
#define HEDDLE_CLI_RUN_WORKSPACE_H

#include "cli/support/exit.h"
#include "io/array.h"
#include "cli/args/options.h"
#include "result.h"

#define WORKSPACE_MAX 16

typedef struct workspace {
    const char *command;
    hd_context *ctx;
    io_array loaded[WORKSPACE_MAX];
    hd_view owned[WORKSPACE_MAX];
    int loaded_count, owned_count;
    double seconds; // of the last call
    double called;  // when it began: workspace_begin
} workspace;

// Begins with a workspace of zeros.
int workspace_open(workspace *w, const char *command, const context_options *options);
void workspace_close(workspace *w);

// The array of a file; how may be NULL. A NULL file gives an unset view.
int workspace_load(workspace *w, const char *file, const io_read_options *how, hd_view *view);

// An array of its own, not cleared: of a shape, of one row, or of the type and shape of another.
int workspace_alloc(workspace *w, hd_type type, int32_t ndim, const int64_t *shape, hd_view *view);
int workspace_row(workspace *w, hd_type type, int64_t n, hd_view *view);
int workspace_like(workspace *w, hd_view other, hd_view *view);

// Around the library's call: begin notes the time, call turns the status into an exit code.
void workspace_begin(workspace *w);
int workspace_call(workspace *w, hd_status status);

// A result on its way out: to a file if one is named, else printed (if it is short enough), and
// where JSON is asked for as one document with the context, the time and the result or the file's
// name. `more` may add members to the document.
typedef struct emission {
    hd_view out;
    hd_view values, keys; // printed beside out; may be unset
    const char *file;     // NULL: printed
    const char *input;    // the input's name, for the document; may be NULL
    bool json, hex, single;
    bool written;       // the file is there already
    bool places;        // as in result.h
    hd_type element;    // the document's: what was read,
    int64_t elements;   // and how much, where that is not what out has
    const char *second; // as in result.h
    hd_view like; // the input whose shape out has, or unset: a number without dimensions gives one
    void (*more)(json *j, const void *user);
    const void *user;
} emission;
int workspace_emit(workspace *w, const emission *e);

#endif
