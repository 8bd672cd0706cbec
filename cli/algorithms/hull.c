// SPDX-License-Identifier: Apache-2.0
//
// heddle hull: the convex hull of points in the plane.
#include <heddle_algorithms.h>

#include <stdio.h>

#include "cli/command.h"
#include "cli/run/workspace.h"

static const char name[] = "hull";

typedef struct hull_args {
    const char *output;
    bool collinear, points, counts, json;
    file_options file;
    context_options run;
} hull_args;

static const arg_option options[] = {
    ARG_FLAG('c', "collinear", "points on the edges, too, not the corners alone", hull_args,
             collinear),
    ARG_FLAG('p', "points", "the coordinates of the corners instead of their indices", hull_args,
             points),
    ARG_FLAG(0, "counts", "say on standard error how many corners and steps there were", hull_args,
             counts),
    OUTPUT_OPTION_ROW(hull_args, output),
    FILE_OPTION_ROWS(hull_args, file),
    CONTEXT_OPTION_ROWS(hull_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", hull_args, json),
    ARG_END,
};

const arg_spec hull_spec = {
    name,
    "FILE",
    "the convex hull of points in the plane",
    "FILE has a row of x and y for each point. The result are the indices of the corners,\n"
    "counter-clockwise from the lowest one; every decision is exact. Without -o a short result is\n"
    "printed, one corner a line.\n\n"
    "Examples:\n"
    "  printf '0 0\\n2 0\\n1 1\\n2 2\\n0 2\\n' >points.txt\n"
    "  heddle hull points.txt                               prints 0 1 3 4\n"
    "  heddle hull points.npy --points -o corners.csv\n",
    options,
    1,
    1,
};

typedef struct hull_run {
    int64_t corners, steps;
} hull_run;

static void add_counts(json *j, const void *user)
{
    const hull_run *r = user;
    json_int(j, "corners", r->corners);
    json_int(j, "steps", r->steps);
}

static int run(workspace *w, const hull_args *a, const char *file)
{
    io_read_options read;
    hd_view in, out;
    hull_run r = {0};
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    if (in.ndim == 1 && in.shape[0] == 2) { // one point
        in.ndim = 2;
        in.shape[1] = 2, in.stride[1] = in.stride[0];
        in.shape[0] = 1, in.stride[0] = 2;
    }
    EXIT_TRY(workspace_row(w, HD_I64, in.ndim > 0 ? in.shape[0] : 0, &out));
    const hd_hull_options how = {.collinear = a->collinear, .steps = HD_REF(HD_VIEW(&r.steps, 1))};
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_convex_hull(w->ctx, in, out, HD_VIEW(&r.corners, 1), &how)));
    out.shape[0] = r.corners;
    if (a->points) {
        const hd_view index = out;
        const hd_gather_options rows = {.axis = HD_AXIS(0)};
        EXIT_TRY(workspace_alloc(w, in.type, 2, (int64_t[]){r.corners, 2}, &out));
        EXIT_TRY(workspace_call(w, hd_gather(w->ctx, in, index, out, &rows)));
    }
    if (a->counts)
        fprintf(stderr, "%lld corners, %lld steps\n", (long long)r.corners, (long long)r.steps);
    return workspace_emit(w, &(emission){.out = out,
                                         .file = a->output,
                                         .input = file,
                                         .json = a->json,
                                         .more = add_counts,
                                         .user = &r});
}

int command_hull(int argc, char **argv)
{
    hull_args a = {.output = NULL};
    arg_result files;
    workspace w = {0};
    int code;
    if (!args_begin(&hull_spec, argc, argv, &a, &files, &code)) return code;
    code = run(&w, &a, files.operand[0]);
    workspace_close(&w);
    return code;
}
