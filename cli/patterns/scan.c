// SPDX-License-Identifier: Apache-2.0
//
// heddle scan: the whole of an array chunk by chunk, or along an axis, within segments or runs of
// equal keys. Checking its own result is scan_check.c's.
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "io/support/memory.h"
#include "cli/run/read_ahead.h"
#include "cli/support/print.h"
#include "cli/support/progress.h"
#include "scan.h"

static const char name[] = "scan";

static const arg_option options[] = {
    ARG_TEXT(0, "op",
             "sum|product|min|max|argmin|argmax|and|or|xor|all|any|mean|variance|"
             "sum_compensated|sum_exact|norm2|gcd",
             "the operator (sum)", scan_args, op),
    ARG_FLAG('x', "exclusive", "each element is over those before it", scan_args, exclusive),
    ARG_FLAG('b', "backward", "from the last element to the first", scan_args, backward),
    ARG_FLAG(0, "monotone", "never falling: the greatest up to each, fit for heddle search",
             scan_args, monotone),
    ARG_TEXT(0, "init", "V", "a value combined on the left", scan_args, init),
    ARG_INT(0, "axis", "K", "scan along axis K; -1 is the last", scan_args, axis, -HD_MAX_DIMS,
            HD_MAX_DIMS - 1),
    ARG_TEXT(0, "segments", "FILE", "offsets: a new segment starts at each", scan_args, segments),
    ARG_TEXT(0, "keys", "FILE", "keys: a new segment starts where the key changes", scan_args,
             keys),
    ARG_INT(0, "ddof", "D", "variance divides by the count less D (0)", scan_args, ddof, 0,
            INT32_MAX),
    ARG_TEXT(0, "out-type", "T", "type of the result; integer sums are 64 bits wide by default",
             scan_args, out_type),
    ARG_TEXT(0, "accumulate", "f64", "sums, products and means are computed in f64, then rounded",
             scan_args, accumulate),
    ARG_FLAG(0, "residual", "with sum_compensated: also the rounding error of the result",
             scan_args, residual),
    ARG_FLAG(0, "bound", "with sums of floats: also a bound on the error", scan_args, bound),
    OUTPUT_OPTION_ROW(scan_args, output),
    ARG_TEXT(0, "values-out", "FILE",
             "with -o: where the values of argmin and argmax, residuals or bounds go", scan_args,
             values_out),
    ARG_FLAG(0, "verify", "check each element against the one before it and the input", scan_args,
             verify),
    FILE_OPTION_ROWS(scan_args, file),
    CONTEXT_OPTION_ROWS(scan_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", scan_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", scan_args, hex),
    ARG_END,
};

const arg_spec scan_spec = {
    name,
    "FILE",
    "scans an array: each element becomes the reduction of those up to it",
    "Without -o a short result is printed, one element a line. Whole arrays with -o are\n"
    "streamed: they may be larger than memory, or a pipe.\n\n"
    "Examples:\n"
    "  printf '\\3\\1\\7\\0\\4\\1\\6\\3' | heddle scan - --dtype u8      prints 3 4 11 11 15 16 22 "
    "25\n"
    "  heddle scan x.npy --exclusive --verify -o sums.npy\n",
    options,
    1,
    1,
};

static int file_failed(const io_error *error)
{
    return io_failed(name, error);
}

static int refuse(const char *option, const char *why)
{
    return fail(EXIT_USAGE, name, "--%s: %s", option, why);
}

static bool is_arg(const scan_run *s)
{
    return s->op == HD_ARGMIN || s->op == HD_ARGMAX;
}

// What stands beside each result: an extreme, a residual or a bound.
static bool has_second(const scan_run *s)
{
    return is_arg(s) || s->args.residual || s->args.bound;
}

static hd_type second_type(const scan_run *s)
{
    return is_arg(s) ? s->element : s->args.residual ? s->type : HD_F64;
}

static void set_second(scan_run *s, const hd_view *view)
{
    if (!has_second(s)) return;
    if (is_arg(s))
        s->options.values = view;
    else if (s->args.residual)
        s->options.residual = view;
    else
        s->options.bound = view;
}

static hd_view values_of(const scan_run *s)
{
    return s->options.values != NULL ? *s->options.values : HD_EMPTY;
}

int scan_check_args(const scan_args *a, const hd_operator *op, const char *file)
{
    const bool second = op == HD_ARGMIN || op == HD_ARGMAX || a->residual || a->bound;
    const int ways = a->axis.given + (a->segments != NULL) + (a->keys != NULL);
    const bool to_pipe = a->output != NULL && strcmp(a->output, "-") == 0;
    if (ways > 1) return fail(EXIT_USAGE, name, "--axis, --segments, --keys: expected one of them");
    EXIT_TRY(options_one_pipe(name, file, a->keys, a->segments));
    if (a->values_out && !(second && a->output))
        return refuse("values-out", "needs --op argmin or argmax, --residual or --bound, and -o");
    if (a->residual && a->bound) return refuse("bound", "not with --residual");
    if (a->accumulate && strcmp(a->accumulate, "f64") != 0)
        return refuse("accumulate", "expected f64");
    if (a->ddof.given && op != HD_VARIANCE) return refuse("ddof", "needs --op variance");
    if (to_pipe && a->json) return refuse("json", "standard output already has the array of -o -");
    if (a->verify && !verify_takes(op))
        return refuse("verify", "mean, variance, norm2, compensated and exact sums are no chains");
    if (a->verify && a->monotone)
        return refuse("verify", "the running maximum of --monotone is no chain");
    return EXIT_DONE;
}

static int prepare(scan_run *s)
{
    const scan_args *a = &s->args;
    s->element = s->reader.header.dtype.type;
    const result_options wanted = {name, s->file, a->out_type, a->init};
    EXIT_TRY(options_result(&wanted, s->op, s->element, &s->type, s->init));
    s->options.init = a->init != NULL ? s->init : NULL;
    s->options.accumulate = a->accumulate != NULL ? HD_F64 : HD_NONE;
    s->options.ddof = (int32_t)a->ddof.value;
    s->options.exclusive = a->exclusive;
    s->options.backward = a->backward;
    s->options.monotone = a->monotone;
    if (a->axis.given) s->options.axis = HD_AXIS((int32_t)a->axis.value);
    verify_begin(&s->verifier, s->op, s->element, is_arg(s) ? s->element : s->type, a->exclusive,
                 s->options.init);
    return EXIT_DONE;
}

// ---- Chunk by chunk ------------------------------------------------------------------------

typedef struct stream {
    scan_run *s;
    chunks in;
    void *out, *values; // a chunk of each
    io_writer writer, values_writer;
} stream;

// Scans, checks and writes one chunk.
static int scan_chunk(stream *t, const void *data, int64_t n)
{
    scan_run *s = t->s;
    io_error error;
    const hd_view in = hd_view_of(s->element, data, n), out = hd_view_of(s->type, t->out, n);
    const hd_view second = hd_view_of(second_type(s), t->values, n);
    set_second(s, &second);
    const hd_status status = hd_scan(s->ctx, in, s->op, out, &s->options);
    if (status != HD_OK) return library_failed(name, s->ctx, status);
    if (s->args.verify) EXIT_TRY(scan_check(s, in, out, values_of(s)));
    if (io_writer_put(&t->writer, t->out, n, &error) != IO_OK) return file_failed(&error);
    if (s->args.values_out && io_writer_put(&t->values_writer, t->values, n, &error) != IO_OK)
        return file_failed(&error);
    s->count += n;
    return EXIT_DONE;
}

static int scan_chunks(stream *t)
{
    progress bar = progress_begin(name, t->s->reader.count);
    io_error error;
    const void *data;
    int64_t n = 1;
    int code = EXIT_DONE;
    while (n > 0 && code == EXIT_DONE) {
        if (chunks_next(&t->in, &data, &n, &error) != IO_OK) {
            progress_end(&bar);
            return file_failed(&error);
        }
        if (n > 0) code = scan_chunk(t, data, n);
        progress_step(&bar, t->s->count);
    }
    progress_end(&bar);
    return code;
}

// The output has the input's shape, or, where a raw pipe does not tell its length, one row.
static int open_writers(stream *t)
{
    const scan_run *s = t->s;
    const io_array_header *header = &s->reader.header;
    const int64_t unknown = -1;
    const int64_t *shape = s->reader.count < 0 ? &unknown : header->shape;
    io_error error;
    if (io_writer_open(&t->writer, s->args.output, s->type, header->ndim, shape, &error) != IO_OK)
        return file_failed(&error);
    if (s->args.values_out && io_writer_open(&t->values_writer, s->args.values_out, second_type(s),
                                             header->ndim, shape, &error) != IO_OK)
        return file_failed(&error);
    return EXIT_DONE;
}

static int commit_writers(stream *t)
{
    io_error error;
    if (t->s->args.values_out && io_writer_commit(&t->values_writer, &error) != IO_OK)
        return file_failed(&error);
    return io_writer_commit(&t->writer, &error) == IO_OK ? EXIT_DONE : file_failed(&error);
}

static int run_stream(stream *t)
{
    scan_run *s = t->s;
    io_error error;
    t->out = io_allocate((size_t)CHUNK_ELEMENTS * hd_type_size(s->type));
    if (has_second(s))
        t->values = io_allocate((size_t)CHUNK_ELEMENTS * hd_type_size(second_type(s)));
    if (t->out == NULL || (has_second(s) && t->values == NULL))
        return fail(EXIT_IO, name, "no memory for a chunk of the output");
    EXIT_TRY(open_writers(t));
    const hd_status status = hd_carry_open(s->ctx, &s->options.carry);
    if (status != HD_OK) return library_failed(name, s->ctx, status);
    if (chunks_open(&t->in, &s->reader, &error) != IO_OK) return file_failed(&error);
    EXIT_TRY(scan_chunks(t));
    return commit_writers(t);
}

static int scan_stream(scan_run *s)
{
    stream t = {.s = s};
    t.writer.temporary.fd = t.writer.temporary.slot = -1;
    t.values_writer.temporary.fd = t.values_writer.temporary.slot = -1;
    const int code = run_stream(&t);
    chunks_close(&t.in);
    io_writer_abandon(&t.writer);
    io_writer_abandon(&t.values_writer);
    hd_carry_close(s->ctx, s->options.carry);
    s->options.carry = NULL;
    free(t.out);
    free(t.values);
    return code;
}

// ---- At once -------------------------------------------------------------------------------

static int load(io_array *array, const char *file)
{
    io_error error;
    return io_array_load(array, file, NULL, &error) == IO_OK ? EXIT_DONE : file_failed(&error);
}

static int allocate(scan_run *s, int slot, hd_type type, hd_view *view)
{
    const hd_view *in = &s->in.view;
    const hd_status status = hd_alloc(s->ctx, type, in->ndim, in->shape, &s->owned[slot]);
    *view = s->owned[slot];
    return status == HD_OK ? EXIT_DONE : library_failed(name, s->ctx, status);
}

static int scan_whole(scan_run *s)
{
    io_error error;
    if (io_array_read(&s->in, &s->reader, &error) != IO_OK) return file_failed(&error);
    s->count = hd_count(s->in.view);
    if (s->args.output == NULL && s->count > RESULT_MAX_PRINTED)
        return result_too_long(name, s->count);
    if (s->args.segments != NULL) EXIT_TRY(load(&s->segments, s->args.segments));
    if (s->args.keys != NULL) EXIT_TRY(load(&s->keys, s->args.keys));
    s->options.segments = &s->segments.view;
    s->options.keys = &s->keys.view;
    s->result.single = s->reader.header.ndim == 0;
    EXIT_TRY(allocate(s, 0, s->type, &s->result.out));
    if (has_second(s)) EXIT_TRY(allocate(s, 1, second_type(s), &s->result.values));
    set_second(s, &s->result.values);
    s->result.places = is_arg(s);
    s->result.second = s->args.residual ? "residual" : s->args.bound ? "bound" : NULL;
    const hd_status status = hd_scan(s->ctx, s->in.view, s->op, s->result.out, &s->options);
    if (status != HD_OK) return library_failed(name, s->ctx, status);
    return s->args.verify ? scan_check(s, s->in.view, s->result.out, values_of(s)) : EXIT_DONE;
}

static int write_whole(const scan_run *s)
{
    const scan_args *a = &s->args;
    const result *r = &s->result;
    if (a->values_out) EXIT_TRY(result_write(name, a->values_out, r->values, r->single));
    return result_write(name, a->output, r->out, r->single);
}

static void report_json(const scan_run *s)
{
    json j = json_begin(stdout);
    json_text(&j, "command", name);
    json_text(&j, "file", s->file);
    json_text(&j, "op", s->args.op);
    json_text(&j, "element_type", hd_type_name(s->element));
    json_int(&j, "elements", s->count);
    options_json(&j, s->ctx, s->seconds);
    if (s->args.verify) json_bool(&j, "verified", true);
    if (s->args.output != NULL)
        json_text(&j, "output", s->args.output);
    else
        result_json(&j, &s->result, s->args.hex);
    json_end(&j);
}

static int run_scan(scan_run *s)
{
    const scan_args *a = &s->args;
    io_error error;
    EXIT_TRY(options_file(name, &a->file, &s->read));
    EXIT_TRY(scan_check_args(a, s->op, s->file));
    EXIT_TRY(options_open(name, &a->run, &s->ctx));
    if (io_reader_open(&s->reader, s->file, &s->read, &error) != IO_OK) return file_failed(&error);
    EXIT_TRY(prepare(s));
    const bool stream = a->output && !a->axis.given && !a->segments && !a->keys && !a->backward &&
                        io_array_header_is_row_major(&s->reader.header);
    if (!a->output && s->reader.count > RESULT_MAX_PRINTED)
        return result_too_long(name, s->reader.count);
    const double start = seconds_now();
    EXIT_TRY(stream ? scan_stream(s) : scan_whole(s));
    s->seconds = seconds_now() - start;
    if (a->output && !stream) EXIT_TRY(write_whole(s));
    if (a->json)
        report_json(s);
    else if (a->output == NULL)
        result_print(stdout, &s->result, a->hex);
    return EXIT_DONE;
}

int command_scan(int argc, char **argv)
{
    scan_run s = {.args = {.op = NULL}};
    arg_result operands;
    int code;
    if (!args_begin(&scan_spec, argc, argv, &s.args, &operands, &code)) return code;
    s.file = operands.operand[0];
    if (s.args.op == NULL) s.args.op = "sum";
    s.op = hd_operator_named(s.args.op);
    code = run_scan(&s);
    io_reader_close(&s.reader);
    io_array_release(&s.in);
    io_array_release(&s.segments);
    io_array_release(&s.keys);
    for (int k = 0; k < 2; k++) hd_free(s.ctx, &s.owned[k]);
    hd_close(s.ctx);
    return code;
}
