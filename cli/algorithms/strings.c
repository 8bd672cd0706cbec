// SPDX-License-Identifier: Apache-2.0
//
// heddle strings: lines of a text sorted, searched and compared with another text's.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/support/escaped.h"
#include "cli/run/workspace.h"
#include "heddle_algorithms.h"

static const char name[] = "strings";

typedef struct strings_args {
    const char *max_bytes, *output;
    const char *find, *compare;
    bool indices, json;
    context_options run;
} strings_args;

static const arg_option options[] = {
    ARG_TEXT('f', "find", "TEXT", "print the lines that have TEXT in them, with how often",
             strings_args, find),
    ARG_TEXT('c', "compare", "FILE",
             "compare each line with that of another file: print -1, 0 or 1", strings_args,
             compare),
    ARG_FLAG('i', "indices", "of lines in order, print where each one stood, not the line",
             strings_args, indices),
    ARG_OUTPUT('o', "output", "FILE", "write indices, counts or orders as numbers: .npy, .csv ...",
               strings_args, output),
    ARG_TEXT(0, "max-bytes", "SIZE", "memory that a text may take, as in 4G", strings_args,
             max_bytes),
    CONTEXT_OPTION_ROWS(strings_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", strings_args, json),
    ARG_END,
};

const arg_spec strings_spec = {
    name,
    "FILE",
    "sorts the lines of a text, searches them or compares them",
    "Without --find and --compare it sorts the lines by their bytes, stably.\n\n"
    "Examples:\n"
    "  printf 'pear\\napple\\nfig\\n' | heddle strings -           prints apple, fig, pear\n"
    "  printf 'pear\\napple\\nfig\\n' | heddle strings - --find p  prints 1 pear and 2 apple\n"
    "  heddle strings words.txt -i -o order.npy\n"
    "  heddle strings old.txt --compare new.txt\n",
    options,
    1,
    1,
};

// The lines of a text: their bytes without the ends of lines, and where each begins.
typedef struct lines {
    int64_t n;
    hd_view offsets, bytes;
} lines;

HD_FUNCTION(is_end, uint8_t, HD_NO_SOURCE, (uint8_t, byte), { return byte == '\n'; })
// The k-th end of a line has k before it that are taken out.
HD_FUNCTION(without_ends, int64_t, HD_NO_SOURCE, (int64_t, at, int64_t, k), { return at - k; })

static int load_lines(workspace *w, const char *file, lines *l)
{
    hd_view text, ends, part;
    int64_t count = 0, bytes = 0, zero = 0;
    const io_read_options read = {.type = HD_U8, .format = IO_BYTES};
    EXIT_TRY(workspace_load(w, file, &read, &text));
    const int64_t n = hd_count(text);
    EXIT_TRY(workspace_row(w, HD_U8, n, &l->bytes));
    EXIT_TRY(workspace_row(w, HD_I64, n + 2, &l->offsets));
    ends = hd_slice(l->offsets, 0, 1, n, 1);
    hd_status status = hd_compact(w->ctx, text, HD_EMPTY, HD_VIEW(&count, 1),
                                  &(hd_compact_options){.keep = is_end, .indices = &ends});
    part = hd_slice(l->offsets, 0, 1, count, 1);
    if (status == HD_OK)
        status = hd_map(w->ctx, part, without_ends, part,
                        &(hd_map_options){.with = HD_VIEWS(hd_iota(count))});
    if (status == HD_OK)
        status = hd_compact(w->ctx, text, l->bytes, HD_VIEW(&bytes, 1),
                            &(hd_compact_options){.keep = is_end, .invert = true});
    if (status == HD_OK)
        status = hd_map(w->ctx, hd_constant(zero, 1), NULL, hd_slice(l->offsets, 0, 0, 1, 1), NULL);
    if (status != HD_OK) return library_failed(name, w->ctx, status);
    int64_t *offset = l->offsets.data;
    l->n = count;
    if (offset[count] < bytes) offset[++l->n] = bytes; // a last line without an end
    l->offsets.shape[0] = l->n + 1, l->bytes.shape[0] = bytes;
    return EXIT_DONE;
}

// A line as it is to a file or a pipe; what a terminal would take for commands is escaped.
static void print_line(hd_view offsets, hd_view bytes, int64_t k)
{
    const int64_t *offset = offsets.data;
    const size_t length = (size_t)(offset[k + 1] - offset[k]);
    const char *line = length > 0 ? (const char *)bytes.data + offset[k] : ""; // no bytes at all

    if (isatty(STDOUT_FILENO)) {
        puts(shown_line(line, length));
        return;
    }
    if (length > 0) fwrite(line, 1, length, stdout);
    putchar('\n');
}

static int sort_lines(workspace *w, const strings_args *a, const lines *l, const char *file)
{
    hd_view order, offsets, bytes;
    const bool numbers = a->indices || a->output != NULL || a->json;
    EXIT_TRY(workspace_row(w, HD_I64, l->n, &order));
    EXIT_TRY(workspace_like(w, l->offsets, &offsets));
    EXIT_TRY(workspace_like(w, l->bytes, &bytes));
    workspace_begin(w);
    EXIT_TRY(
        workspace_call(w, hd_strings_sort(w->ctx, l->offsets, l->bytes,
                                          numbers ? HD_EMPTY : offsets, numbers ? HD_EMPTY : bytes,
                                          &(hd_strings_sort_options){.indices = &order})));
    if (numbers)
        return workspace_emit(
            w, &(emission){.out = order, .file = a->output, .input = file, .json = a->json});
    for (int64_t k = 0; k < l->n; k++) print_line(offsets, bytes, k);
    return EXIT_DONE;
}

static int find_lines(workspace *w, const strings_args *a, const lines *l, const char *file)
{
    hd_view counts;
    int64_t found = 0;
    const hd_view pattern = HD_VIEW((const unsigned char *)a->find, (int64_t)strlen(a->find));
    EXIT_TRY(workspace_row(w, HD_I64, l->n, &counts));
    workspace_begin(w);
    EXIT_TRY(workspace_call(
        w, hd_strings_find(w->ctx, l->bytes, pattern, HD_EMPTY, HD_VIEW(&found, 1),
                           &(hd_strings_find_options){.offsets = &l->offsets, .counts = &counts})));
    if (a->output != NULL || a->json)
        return workspace_emit(
            w, &(emission){.out = counts, .file = a->output, .input = file, .json = a->json});
    const int64_t *count = counts.data;
    for (int64_t k = 0; k < l->n; k++)
        if (count[k] > 0) {
            printf("%lld ", (long long)count[k]);
            print_line(l->offsets, l->bytes, k);
        }
    return EXIT_DONE;
}

static int compare_lines(workspace *w, const strings_args *a, const lines *l, const char *file)
{
    lines other;
    hd_view out;
    EXIT_TRY(load_lines(w, a->compare, &other));
    EXIT_TRY(workspace_row(w, HD_I8, l->n, &out));
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_strings_compare(w->ctx, l->offsets, l->bytes, other.offsets,
                                                  other.bytes, out, NULL)));
    return workspace_emit(
        w, &(emission){.out = out, .file = a->output, .input = file, .json = a->json});
}

static int run(workspace *w, const strings_args *a, const char *file)
{
    io_read_options ignored;
    lines l;
    if (a->find != NULL && a->compare != NULL)
        return fail(EXIT_USAGE, name, "expected --find or --compare, not both");
    EXIT_TRY(options_file(name, &(file_options){.max_bytes = a->max_bytes}, &ignored));
    EXIT_TRY(options_one_pipe(name, file, a->compare, NULL));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(load_lines(w, file, &l));
    if (a->find != NULL) return find_lines(w, a, &l, file);
    if (a->compare != NULL) return compare_lines(w, a, &l, file);
    return sort_lines(w, a, &l, file);
}

int command_strings(int argc, char **argv)
{
    strings_args a = {0};
    arg_result operands;
    workspace w = {0};
    int code;
    if (!args_begin(&strings_spec, argc, argv, &a, &operands, &code)) return code;
    code = run(&w, &a, operands.operand[0]);
    workspace_close(&w);
    return code;
}
