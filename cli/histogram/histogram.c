// SPDX-License-Identifier: Apache-2.0
//
// heddle histogram: how many elements, or how much weight, fall into each bin. Which bins there are
// is histogram_bins.c's, what is printed histogram_print.c's.
#include "cli/command.h"
#include "histogram.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char name[] = "histogram";

static const arg_option options[] = {
    ARG_INT(0, "bins", "N", "so many even bins (10)", histogram_args, bins, 1, HD_MAX_BINS),
    ARG_TEXT(0, "range", "LO:HI",
             "they lie between these, HI included; else between the\n"
             "least and the greatest element",
             histogram_args, range),
    ARG_TEXT(0, "edges", "FILE", "bins between these numbers, each above the one before it",
             histogram_args, edges),
    ARG_FLAG(0, "integers", "one bin per value (the default for integers)", histogram_args,
             integers),
    ARG_INT(0, "first", "K", "the value of the first of those bins", histogram_args, first,
            INT64_MIN, INT64_MAX),
    ARG_PERHAPS("letters", "N", "the letters a to z of any file, either case, N to a bin (1)",
                histogram_args, letters, 1, 26),
    ARG_TEXT(0, "weights", "FILE", "sums of these instead of counts", histogram_args, weights),
    ARG_FLAG(0, "any-order", "float weights need not be summed in their order", histogram_args,
             any_order),
    ARG_FLAG(0, "clamp", "count values outside in the first or the last bin", histogram_args,
             clamp),
    ARG_FLAG(0, "outside", "print how many elements are in no bin, after the bins", histogram_args,
             outside),
    ARG_TEXT(0, "with", "FILE", "two axes: FILE chooses the row, this file the column",
             histogram_args, with),
    ARG_INT(0, "with-bins", "N", "as --bins, of the columns", histogram_args, with_bins, 1,
            HD_MAX_BINS),
    ARG_TEXT(0, "with-range", "LO:HI", "as --range", histogram_args, with_range),
    ARG_TEXT(0, "with-edges", "FILE", "as --edges", histogram_args, with_edges),
    ARG_INT(0, "with-first", "K", "as --first", histogram_args, with_first, INT64_MIN, INT64_MAX),
    ARG_TEXT(0, "out-type", "T", "i32, u32, i64, u64 (u64); of weights what sums of them have",
             histogram_args, out_type),
    ARG_OUTPUT('o', "output", "FILE",
               "write the counts: .npy, or the format of the suffix (.csv ...)", histogram_args,
               output),
    FILE_OPTION_ROWS(histogram_args, file),
    CONTEXT_OPTION_ROWS(histogram_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", histogram_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", histogram_args, hex),
    ARG_END,
};

const arg_spec histogram_spec = {
    name,
    "FILE",
    "counts the elements of an array that fall into each bin",
    "Prints a line for each bin: its value, its two edges or its letters, and the count; on a\n"
    "terminal a bar as well. Two axes print as a table.\n\n"
    "Examples:\n"
    "  printf 'Programming Massively Parallel Processors' | heddle histogram --letters=4 -\n"
    "                  prints a-d 5, e-h 5, i-l 6, m-p 10, q-t 10, u-x 1, y-z 1\n"
    "  heddle histogram x.npy --bins 100 --range 0:1 --weights w.npy -o sums.npy\n",
    options,
    1,
    1,
};

int histogram_check(const histogramming *h)
{
    const histogram_args *a = &h->args;
    const bool alone = a->with == NULL;
    if (alone && (a->with_bins.given || a->with_range || a->with_edges || a->with_first.given))
        return fail(EXIT_USAGE, name,
                    "--with-bins, --with-range, --with-edges, --with-first: "
                    "expected --with FILE too");
    if (!alone && a->letters.given)
        return fail(EXIT_USAGE, name, "--letters and --with exclude each other");
    if (a->any_order && a->weights == NULL)
        return fail(EXIT_USAGE, name, "--any-order: expected --weights FILE too");
    EXIT_TRY(options_one_pipe(name, h->file, a->with, a->weights));
    return options_one_pipe(name, h->file, a->edges, a->with_edges);
}

static int load(histogramming *h)
{
    const histogram_args *a = &h->args;
    io_read_options read;
    EXIT_TRY(options_file(name, &a->file, &read));
    if (a->letters.given)
        EXIT_TRY(histogram_text(name, h->file, &h->text, &h->in));
    else
        EXIT_TRY(workspace_load(&h->w, h->file, &read, &h->in));
    EXIT_TRY(workspace_load(&h->w, a->weights, NULL, &h->weights));
    EXIT_TRY(workspace_load(&h->w, a->with, NULL, &h->with));
    h->options.weights = &h->weights;
    h->options.second = &h->with;
    return EXIT_DONE;
}

int histogram_choose(histogramming *h, hd_view rows_of, hd_view columns_of)
{
    const histogram_args *a = &h->args;
    hd_histogram_options *o = &h->options;
    const bin_options rows = {"", a->range, a->edges, a->bins, a->first, a->integers, a->letters};
    const bin_options columns = {.prefix = "with-",
                                 .range = a->with_range,
                                 .edges = a->with_edges,
                                 .bins = a->with_bins,
                                 .first = a->with_first};
    EXIT_TRY(histogram_axis(&h->w, &rows, rows_of, &h->first));
    if (h->first.kind == BINS_EVEN)
        o->even = true, o->lower = h->first.lower, o->upper = h->first.upper;
    o->edges = &h->first.edges;
    o->first = h->first.first;
    o->letters = h->first.letters;
    if (a->with == NULL) return EXIT_DONE;
    EXIT_TRY(histogram_axis(&h->w, &columns, columns_of, &h->second));
    if (h->second.kind == BINS_EVEN)
        o->second_even = true, o->second_lower = h->second.lower, o->second_upper = h->second.upper;
    o->second_edges = &h->second.edges;
    o->second_first = h->second.first;
    return EXIT_DONE;
}

int histogram_allocate(histogramming *h)
{
    const histogram_args *a = &h->args;
    const int64_t shape[] = {h->first.bins, h->second.bins};
    hd_type type = a->weights ? hd_default_output(HD_SUM, h->weights.type) : HD_U64;
    if (a->out_type) EXIT_TRY(options_type(name, "out-type", a->out_type, &type));
    if (a->with && h->second.bins > HD_MAX_BINS / h->first.bins)
        return fail(EXIT_USAGE, name, "%lld times %lld bins; expected at most %lld",
                    (long long)shape[0], (long long)shape[1], (long long)HD_MAX_BINS);
    h->options.clamp = a->clamp;
    h->options.order = a->any_order ? HD_ANY_ORDER : 0;
    h->outside_view = HD_VIEW(&h->outside, 1);
    h->options.outside = &h->outside_view;
    return workspace_alloc(&h->w, type, a->with ? 2 : 1, shape, &h->out);
}

static void add_members(json *j, const void *user)
{
    const histogramming *h = user;
    const bin_axis *a = &h->first;
    json_int(j, "counted", h->counted);
    json_int(j, "outside", h->outside);
    if (a->kind == BINS_INTEGERS) json_int(j, "first", a->first);
    if (a->kind == BINS_EVEN) json_real(j, "lower", a->lower), json_real(j, "upper", a->upper);
    if (a->kind == BINS_LETTERS) json_int(j, "letters", a->letters);
}

int histogram_emit(histogramming *h, bool bars)
{
    const histogram_args *a = &h->args;
    const emission e = {.out = h->out,
                        .file = a->output,
                        .input = h->file,
                        .json = a->json,
                        .hex = a->hex,
                        .more = add_members,
                        .user = h};
    const bool lines = !a->with && !a->output && !a->json;
    if (!lines || h->first.bins > RESULT_MAX_PRINTED)
        EXIT_TRY(workspace_emit(&h->w, &e));
    else
        histogram_print(&h->first, h->out, a->hex, bars);
    if (a->outside && !a->json) printf("outside %lld\n", (long long)h->outside);
    return EXIT_DONE;
}

static int run(histogramming *h)
{
    EXIT_TRY(histogram_check(h));
    EXIT_TRY(workspace_open(&h->w, name, &h->args.run));
    EXIT_TRY(load(h));
    EXIT_TRY(histogram_choose(h, h->in, h->with));
    EXIT_TRY(histogram_allocate(h));
    workspace_begin(&h->w);
    EXIT_TRY(workspace_call(&h->w, hd_histogram(h->w.ctx, h->in, h->out, &h->options)));
    h->counted = hd_count(h->in);
    return histogram_emit(h, isatty(STDOUT_FILENO));
}

int command_histogram(int argc, char **argv)
{
    histogramming h;
    arg_result operands;
    int code;
    memset(&h, 0, sizeof h);
    if (!args_begin(&histogram_spec, argc, argv, &h.args, &operands, &code)) return code;
    h.file = operands.operand[0];
    code = run(&h);
    workspace_close(&h.w);
    free(h.text);
    return code;
}
