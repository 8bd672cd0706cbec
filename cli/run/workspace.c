// SPDX-License-Identifier: Apache-2.0
//
// Whole arrays in, a call, whole arrays out.
#include "workspace.h"

#include <string.h>

#include "cli/support/progress.h"

int workspace_open(workspace *w, const char *command, const context_options *options)
{
    w->command = command;
    return options_open(command, options, &w->ctx);
}

void workspace_close(workspace *w)
{
    for (int k = 0; k < w->owned_count; k++) hd_free(w->ctx, &w->owned[k]);
    for (int k = 0; k < w->loaded_count; k++) io_array_release(&w->loaded[k]);
    hd_close(w->ctx);
    *w = (workspace){0};
}

static int too_many(const workspace *w)
{
    return fail(EXIT_USAGE, w->command, "more than %d arrays", WORKSPACE_MAX);
}

int workspace_load(workspace *w, const char *file, const io_read_options *how, hd_view *view)
{
    io_error error;
    *view = (hd_view){0};
    if (file == NULL) return EXIT_DONE;
    if (w->loaded_count == WORKSPACE_MAX) return too_many(w);
    io_array *array = &w->loaded[w->loaded_count];
    if (io_array_load(array, file, how, &error) != IO_OK) return io_failed(w->command, &error);
    w->loaded_count++;
    *view = array->view;
    return EXIT_DONE;
}

int workspace_alloc(workspace *w, hd_type type, int32_t ndim, const int64_t *shape, hd_view *view)
{
    if (w->owned_count == WORKSPACE_MAX) return too_many(w);
    hd_view *own = &w->owned[w->owned_count];
    const hd_status status = hd_alloc(w->ctx, type, ndim, shape, own);
    if (status != HD_OK) return library_failed(w->command, w->ctx, status);
    w->owned_count++;
    *view = *own;
    return EXIT_DONE;
}

int workspace_row(workspace *w, hd_type type, int64_t n, hd_view *view)
{
    return workspace_alloc(w, type, 1, &n, view);
}

int workspace_like(workspace *w, hd_view other, hd_view *view)
{
    return workspace_alloc(w, other.type, other.ndim, other.shape, view);
}

void workspace_begin(workspace *w)
{
    w->called = seconds_now();
}

int workspace_call(workspace *w, hd_status status)
{
    w->seconds = seconds_now() - w->called;
    return status == HD_OK ? EXIT_DONE : library_failed(w->command, w->ctx, status);
}

// Whether the view is of a file whose array has no dimensions.
static bool is_single(const workspace *w, const hd_view *view)
{
    bool single = false;
    for (int k = 0; k < w->loaded_count && view->type != HD_NONE; k++)
        single |= w->loaded[k].single && w->loaded[k].view.data == view->data;
    return single;
}

static void emit_json(const workspace *w, const emission *e)
{
    const result r = {e->out, e->values, e->keys, e->single, e->places, e->second};
    json j = json_begin(stdout);
    json_text(&j, "command", w->command);
    if (e->input != NULL) json_text(&j, "file", e->input);
    const bool as_out = e->element == HD_NONE;
    json_text(&j, "element_type", hd_type_name(as_out ? e->out.type : e->element));
    json_int(&j, "elements", as_out ? hd_count(e->out) : e->elements);
    options_json(&j, w->ctx, w->seconds);
    if (e->more != NULL) e->more(&j, e->user);
    if (e->file != NULL)
        json_text(&j, "output", e->file);
    else
        result_json(&j, &r, e->hex);
    json_end(&j);
}

static int emit(workspace *w, const emission *e)
{
    const int64_t n = hd_count(e->out);
    if (e->file == NULL && n > RESULT_MAX_PRINTED) return result_too_long(w->command, n);
    if (e->json && e->file != NULL && strcmp(e->file, "-") == 0)
        return fail(EXIT_USAGE, w->command,
                    "--json: standard output already has the array of -o -");
    if (e->file != NULL && !e->written)
        EXIT_TRY(result_write(w->command, e->file, e->out, e->single));
    if (e->json) {
        emit_json(w, e);
    } else if (e->file == NULL) {
        const result r = {e->out, e->values, e->keys, e->single, e->places, e->second};
        result_print(stdout, &r, e->hex);
    }
    return EXIT_DONE;
}

int workspace_emit(workspace *w, const emission *e)
{
    emission shaped = *e;
    shaped.single |= hd_count(e->out) == 1 && is_single(w, &e->like);
    return emit(w, &shaped);
}
