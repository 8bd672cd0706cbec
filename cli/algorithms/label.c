// SPDX-License-Identifier: Apache-2.0
//
// heddle label: the connected components of an image.
#include <heddle_algorithms.h>

#include <stdio.h>

#include "cli/command.h"
#include "gray.h"

static const char name[] = "label";

typedef struct label_args {
    const char *output, *out_type;
    bool diagonal, counts, json;
    file_options file;
    context_options run;
} label_args;

static const arg_option options[] = {
    ARG_FLAG('d', "diagonal", "the 8 elements around one are its neighbours, not just 4",
             label_args, diagonal),
    ARG_FLAG(0, "counts", "say on standard error how many components there are", label_args,
             counts),
    ARG_TEXT(0, "out-type", "T", "type of the labels (i32); u16 for a PNG", label_args, out_type),
    OUTPUT_OPTION_ROW(label_args, output),
    FILE_OPTION_ROWS(label_args, file),
    CONTEXT_OPTION_ROWS(label_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", label_args, json),
    ARG_END,
};

const arg_spec label_spec = {
    name,
    "FILE",
    "labels the connected components of an image",
    "Elements that are not 0 and touch each other have one label: 1, 2, ..., in the order of the\n"
    "components' first elements; 0 stays 0. Images of colours become gray first. Without -o a\n"
    "short result is printed.\n\n"
    "Examples:\n"
    "  printf '\\1\\0\\1\\1\\0\\1' | heddle label - --dtype u8 --shape 2,3     prints 1 0 2 and 1 "
    "0 "
    "2\n"
    "  heddle label letters.png --diagonal --out-type u16 -o labels.png --counts\n",
    options,
    1,
    1,
};

typedef struct label_run {
    int64_t components, rounds;
} label_run;

static void add_counts(json *j, const void *user)
{
    const label_run *r = user;
    json_int(j, "components", r->components);
    json_int(j, "rounds", r->rounds);
}

static int run(workspace *w, const label_args *a, const char *file)
{
    io_read_options read;
    hd_view in, out;
    hd_type type = HD_I32;
    label_run r = {0};
    EXIT_TRY(options_file(name, &a->file, &read));
    if (a->out_type != NULL) EXIT_TRY(options_type(name, "out-type", a->out_type, &type));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    EXIT_TRY(gray_image(w, in, &in));
    EXIT_TRY(workspace_alloc(w, type, in.ndim, in.shape, &out));
    const hd_label_options how = {.diagonal = a->diagonal,
                                  .count = HD_REF(HD_VIEW(&r.components, 1)),
                                  .rounds =
                                      a->counts || a->json ? HD_REF(HD_VIEW(&r.rounds, 1)) : NULL};
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_label(w->ctx, in, out, &how)));
    if (a->counts)
        fprintf(stderr, "%lld components, %lld rounds\n", (long long)r.components,
                (long long)r.rounds);
    return workspace_emit(w, &(emission){.out = out,
                                         .file = a->output,
                                         .input = file,
                                         .json = a->json,
                                         .more = add_counts,
                                         .user = &r});
}

int command_label(int argc, char **argv)
{
    label_args a = {.output = NULL};
    arg_result files;
    workspace w = {0};
    int code;
    if (!args_begin(&label_spec, argc, argv, &a, &files, &code)) return code;
    code = run(&w, &a, files.operand[0]);
    workspace_close(&w);
    return code;
}
