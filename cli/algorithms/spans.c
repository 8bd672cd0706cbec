// SPDX-License-Identifier: Apache-2.0
//
// heddle spans: requests served from a pool, or from several: where each one's span begins, how
// long it is, who gets less than asked for, and what is left.
#include <heddle_algorithms.h>

#include <stdio.h>

#include "cli/command.h"
#include "cli/run/workspace.h"

static const char name[] = "spans";

typedef struct spans_args {
    arg_int pool;
    const char *pools, *segments, *policy, *output, *granted_out, *unmet_out;
    bool ends, counts, json;
    file_options file;
    context_options run;
} spans_args;

static const arg_option options[] = {
    ARG_INT('p', "pool", "N", "how much there is for all", spans_args, pool, 0, INT64_MAX),
    ARG_TEXT(0, "pools", "FILE", "several pools instead, with --segments", spans_args, pools),
    ARG_TEXT(0, "segments", "FILE", "offsets: which requests each pool serves", spans_args,
             segments),
    ARG_TEXT(0, "policy", "partial|in-order|skip|all",
             "where it is too little: the last one gets part (partial); whole\n"
             "requests up to the first that does not fit; all that fit; all\nor none",
             spans_args, policy),
    ARG_FLAG('e', "ends", "where spans end instead of where they begin", spans_args, ends),
    ARG_OUTPUT(0, "granted-out", "FILE", "where the lengths of the spans go", spans_args,
               granted_out),
    ARG_OUTPUT(0, "unmet-out", "FILE", "where the requests that get less than they want go",
               spans_args, unmet_out),
    ARG_FLAG(0, "counts", "print on standard error what is left and how many get less", spans_args,
             counts),
    OUTPUT_OPTION_ROW(spans_args, output),
    FILE_OPTION_ROWS(spans_args, file),
    CONTEXT_OPTION_ROWS(spans_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", spans_args, json),
    ARG_END,
};

const arg_spec spans_spec = {
    name,
    "WANTS",
    "serves requests from a pool: where each one's span begins",
    "WANTS are whole numbers, one a request. Spans lie one after another in the pool: bread for\n"
    "guests, places for tents, buffers for threads. Without -o a short result is printed, the\n"
    "begin of a span and its length a line.\n\n"
    "Examples:\n"
    "  echo 3 5 2 7 28 4 3 0 8 1 >wants.txt\n"
    "  heddle spans wants.txt --dtype i64 --pool 100 --ends --counts     39 left\n"
    "  heddle spans wants.txt --dtype i64 --pool 20 --policy skip\n"
    "  heddle spans wants.npy --pools free.npy --segments offsets.npy -o begins.npy\n",
    options,
    1,
    1,
};

typedef struct spans_run {
    const spans_args *a;
    hd_view wants, pools, segments, starts, granted, left, unmet, shown;
    int64_t pool, unmet_count, rounds;
} spans_run;

static int check_args(const spans_args *a)
{
    if (a->pool.given == (a->pools != NULL))
        return fail(EXIT_USAGE, name, "expected --pool N, or --pools FILE with --segments FILE");
    if ((a->pools != NULL) != (a->segments != NULL))
        return fail(EXIT_USAGE, name, "--pools and --segments: one needs the other");
    return EXIT_DONE;
}

static int load(workspace *w, spans_run *r, const char *file)
{
    io_read_options read;
    EXIT_TRY(options_file(name, &r->a->file, &read));
    EXIT_TRY(options_one_pipe(name, file, r->a->pools, r->a->segments));
    EXIT_TRY(workspace_load(w, file, &read, &r->wants));
    EXIT_TRY(workspace_load(w, r->a->pools, NULL, &r->pools));
    EXIT_TRY(workspace_load(w, r->a->segments, NULL, &r->segments));
    r->pool = r->a->pool.value;
    if (r->a->pools == NULL) r->pools = HD_VIEW(&r->pool, 1);
    if (r->wants.ndim > 1 && r->wants.stride[r->wants.ndim - 1] == 1) // text has rows
        r->wants = hd_read_only(hd_view_of(r->wants.type, r->wants.data, hd_count(r->wants)));
    return EXIT_DONE;
}

static int serve(workspace *w, spans_run *r)
{
    const int64_t n = hd_count(r->wants);
    EXIT_TRY(workspace_row(w, HD_I64, n, &r->starts));
    EXIT_TRY(workspace_row(w, HD_I64, n, &r->granted));
    EXIT_TRY(workspace_row(w, HD_I64, n, &r->unmet));
    EXIT_TRY(workspace_row(w, HD_I64, hd_count(r->pools), &r->left));
    int32_t policy = HD_SPANS_PARTIAL;
    if (r->a->policy != NULL) policy = hd_spans_policy_named(r->a->policy);
    const hd_spans_options how = {.policy = policy,
                                  .segments = &r->segments,
                                  .granted = &r->granted,
                                  .left = &r->left,
                                  .unmet = &r->unmet,
                                  .unmet_count = HD_REF(HD_VIEW(&r->unmet_count, 1)),
                                  .rounds = r->a->json ? HD_REF(HD_VIEW(&r->rounds, 1)) : NULL};
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_allocate_spans(w->ctx, r->wants, r->pools, r->starts, &how)));
    r->unmet.shape[0] = r->unmet_count;
    r->shown = r->starts;
    if (!r->a->ends) return EXIT_DONE;
    EXIT_TRY(workspace_row(w, HD_I64, n, &r->shown));
    const int64_t *start = r->starts.data, *granted = r->granted.data;
    for (int64_t i = 0; i < n; i++) ((int64_t *)r->shown.data)[i] = start[i] + granted[i];
    return EXIT_DONE;
}

static int64_t left_in_all(const spans_run *r)
{
    int64_t sum = 0;
    for (int64_t j = 0; j < hd_count(r->left); j++) {
        const int64_t left = ((const int64_t *)r->left.data)[j];
        sum = left > INT64_MAX - sum ? INT64_MAX : sum + left;
    }
    return sum;
}

static void add_counts(json *j, const void *user)
{
    const spans_run *r = user;
    json_int(j, "left", left_in_all(r));
    json_int(j, "unmet", r->unmet_count);
    json_int(j, "rounds", r->rounds);
}

static int run(workspace *w, const spans_args *a, const char *file)
{
    spans_run r = {.a = a};
    EXIT_TRY(check_args(a));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(load(w, &r, file));
    EXIT_TRY(serve(w, &r));
    if (a->granted_out) EXIT_TRY(result_write(name, a->granted_out, r.granted, false));
    if (a->unmet_out) EXIT_TRY(result_write(name, a->unmet_out, r.unmet, false));
    if (a->counts)
        fprintf(stderr, "%lld left, %lld of %lld get less than they want\n",
                (long long)left_in_all(&r), (long long)r.unmet_count, (long long)hd_count(r.wants));
    return workspace_emit(w, &(emission){.out = r.shown,
                                         .values = r.granted,
                                         .file = a->output,
                                         .input = file,
                                         .json = a->json,
                                         .more = add_counts,
                                         .user = &r});
}

int command_spans(int argc, char **argv)
{
    spans_args a = {.policy = NULL};
    arg_result files;
    workspace w = {0};
    int code;
    if (!args_begin(&spans_spec, argc, argv, &a, &files, &code)) return code;
    code = run(&w, &a, files.operand[0]);
    workspace_close(&w);
    return code;
}
