// SPDX-License-Identifier: Apache-2.0
//
// heddle reduce: the whole of an array chunk by chunk, or by axis, segments or keys.
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "command_options.h"
#include "io/array.h"
#include "cli/run/read_ahead.h"
#include "cli/support/print.h"
#include "cli/support/progress.h"
#include "cli/run/result.h"
#include "cli/args/options.h"

static const char name[] = "reduce";

static const arg_option options[] = {
    ARG_TEXT(0, "op",
             "sum|product|min|max|argmin|argmax|and|or|xor|all|any|mean|variance|"
             "sum_compensated|sum_exact|dot|norm2|gcd",
             "the operator (sum)", reduce_args, op),
    ARG_TEXT(0, "with", "FILE", "with --op dot: the array whose elements are multiplied in",
             reduce_args, with),
    ARG_INT(0, "axis", "K", "reduce along axis K; -1 is the last", reduce_args, axis, -HD_MAX_DIMS,
            HD_MAX_DIMS - 1),
    ARG_TEXT(0, "segments", "FILE", "offsets: segment j is from offset j up to offset j+1",
             reduce_args, segments),
    ARG_TEXT(0, "keys", "FILE", "keys: each run of equal keys is reduced", reduce_args, keys),
    ARG_TEXT(0, "keys-out", "FILE", "with --keys and -o: where the runs' keys go", reduce_args,
             keys_out),
    ARG_TEXT(0, "values-out", "FILE",
             "with -o: where the values of argmin and argmax, residuals or bounds go", reduce_args,
             values_out),
    ARG_TEXT(0, "init", "V", "a value combined on the left", reduce_args, init),
    ARG_INT(0, "ddof", "D", "variance divides by the count less D (0)", reduce_args, ddof, 0,
            INT32_MAX),
    ARG_TEXT(0, "out-type", "T", "type of the result; integer sums are 64 bits wide by default",
             reduce_args, out_type),
    ARG_TEXT(0, "accumulate", "f64", "sums, products and means are computed in f64, then rounded",
             reduce_args, accumulate),
    ARG_FLAG(0, "residual", "with sum_compensated: also the rounding error of the result",
             reduce_args, residual),
    ARG_FLAG(0, "bound", "with sums of floats: also a bound on the error", reduce_args, bound),
    OUTPUT_OPTION_ROW(reduce_args, output),
    FILE_OPTION_ROWS(reduce_args, file),
    CONTEXT_OPTION_ROWS(reduce_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", reduce_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", reduce_args, hex),
    ARG_END,
};

const arg_spec reduce_spec = {
    name,
    "FILE",
    "reduces an array: to one value, or by axis, segments or keys",
    "The value is printed so that it reads back exactly; argmin and argmax print the index\n"
    "and the value. Whole arrays are streamed: they may be larger than memory, or a pipe.\n\n"
    "Examples:\n"
    "  printf '\\3\\1\\7\\0\\4\\1\\6\\3' | heddle reduce - --dtype u8        prints 25\n"
    "  heddle reduce x.npy --op max --axis 0 -o maxima.npy\n"
    "  heddle reduce x.npy --op dot --with y.npy\n"
    "  heddle reduce x.npy --op sum_compensated --bound\n",
    options,
    1,
    1,
};

typedef struct reduce_run {
    reduce_args args;
    const char *file;
    hd_context *ctx;
    const hd_operator *op;
    io_read_options read;
    io_reader reader;
    io_array in, with, segments, keys;
    _Alignas(16) unsigned char init[16], out[16], value[16]; // elements of any plain type
    hd_reduce_options options;
    hd_type element, type;
    int64_t count, runs;
    hd_view runs_view; // of runs
    double seconds;
    result result;
    hd_view owned[3]; // of hd_alloc
} reduce_run;

static int file_failed(const io_error *error)
{
    return io_failed(name, error);
}

static int refuse(const char *option, const char *why)
{
    return fail(EXIT_USAGE, name, "--%s: %s", option, why);
}

static bool is_arg(const reduce_run *r)
{
    return r->op == HD_ARGMIN || r->op == HD_ARGMAX;
}

// What stands beside each result: an extreme, a residual or a bound.
static bool has_second(const reduce_run *r)
{
    return is_arg(r) || r->args.residual || r->args.bound;
}

static hd_type second_type(const reduce_run *r)
{
    return is_arg(r) ? r->element : r->args.residual ? r->type : HD_F64;
}

static void set_second(reduce_run *r, const hd_view *view)
{
    if (!has_second(r)) return;
    if (is_arg(r))
        r->options.values = view;
    else if (r->args.residual)
        r->options.residual = view;
    else
        r->options.bound = view;
}

int reduce_check(const reduce_args *a, const hd_operator *op, const char *file)
{
    const int ways = a->axis.given + (a->segments != NULL) + (a->keys != NULL);
    const bool to_pipe = a->output != NULL && strcmp(a->output, "-") == 0;
    const bool second = op == HD_ARGMIN || op == HD_ARGMAX || a->residual || a->bound;
    if (ways > 1) return fail(EXIT_USAGE, name, "--axis, --segments, --keys: expected one of them");
    EXIT_TRY(options_one_pipe(name, file, a->keys, a->segments));
    EXIT_TRY(options_one_pipe(name, file, a->with, NULL));
    if (a->keys_out && !(a->keys && a->output)) return refuse("keys-out", "needs --keys and -o");
    if (a->values_out && !(second && a->output))
        return refuse("values-out", "needs --op argmin or argmax, --residual or --bound, and -o");
    if (a->residual && a->bound) return refuse("bound", "not with --residual");
    if (a->accumulate && strcmp(a->accumulate, "f64") != 0)
        return refuse("accumulate", "expected f64");
    if ((a->with != NULL) != (op == HD_DOT))
        return a->with ? refuse("with", "needs --op dot") : refuse("op", "dot needs --with FILE");
    if (a->ddof.given && op != HD_VARIANCE) return refuse("ddof", "needs --op variance");
    if (to_pipe && a->json) return refuse("json", "standard output already has the array of -o -");
    return EXIT_DONE;
}

// Types, initial value and options of the call, once the header has told the element's type.
static int prepare(reduce_run *r)
{
    const reduce_args *a = &r->args;
    r->element = r->reader.header.dtype.type;
    const result_options wanted = {name, r->file, a->out_type, a->init};
    EXIT_TRY(options_result(&wanted, r->op, r->element, &r->type, r->init));
    r->options.init = a->init != NULL ? r->init : NULL;
    r->options.accumulate = a->accumulate != NULL ? HD_F64 : HD_NONE;
    r->options.ddof = (int32_t)a->ddof.value;
    if (a->axis.given) r->options.axis = HD_AXIS((int32_t)a->axis.value);
    return EXIT_DONE;
}

static int reduce_chunks(reduce_run *r, chunks *p)
{
    io_error error;
    const void *data;
    int64_t n = 1;
    progress bar = progress_begin(name, r->reader.count);
    while (n > 0) {
        if (chunks_next(p, &data, &n, &error) != IO_OK) {
            progress_end(&bar);
            return file_failed(&error);
        }
        if (n == 0 && r->count > 0) break; // an empty array still has a reduction
        const hd_status status =
            hd_reduce(r->ctx, hd_view_of(r->element, data, n), r->op, r->result.out, &r->options);
        if (status != HD_OK) {
            progress_end(&bar);
            return library_failed(name, r->ctx, status);
        }
        r->count += n;
        progress_step(&bar, r->count);
    }
    progress_end(&bar);
    return EXIT_DONE;
}

// The whole array, never in memory at once. The carry makes the bits those of one call.
static int reduce_stream(reduce_run *r)
{
    chunks p;
    io_error error;
    const hd_status status = hd_carry_open(r->ctx, &r->options.carry);
    if (status != HD_OK) return library_failed(name, r->ctx, status);
    int code = EXIT_IO;
    if (chunks_open(&p, &r->reader, &error) != IO_OK) {
        code = file_failed(&error);
    } else {
        code = reduce_chunks(r, &p);
        chunks_close(&p);
    }
    hd_carry_close(r->ctx, r->options.carry);
    r->options.carry = NULL;
    return code;
}

static int allocate(reduce_run *r, int slot, hd_type type, hd_view like, hd_view *view)
{
    const hd_status status = hd_alloc(r->ctx, type, like.ndim, like.shape, &r->owned[slot]);
    *view = r->owned[slot];
    return status == HD_OK ? EXIT_DONE : library_failed(name, r->ctx, status);
}

// The shape of the result of a reduction along an axis: the other axes.
static hd_view without_axis(hd_view in, int64_t axis)
{
    const int32_t gone = (int32_t)(axis < 0 ? axis + in.ndim : axis);
    hd_view v = hd_view_of(HD_U8, NULL, 1);
    if (gone < 0 || gone >= in.ndim || in.ndim == 1) return v; // the call will say what is wrong
    v.ndim = 0;
    for (int32_t k = 0; k < in.ndim; k++)
        if (k != gone) v.shape[v.ndim++] = in.shape[k];
    return v;
}

static int load(io_array *array, const char *file)
{
    io_error error;
    return io_array_load(array, file, NULL, &error) == IO_OK ? EXIT_DONE : file_failed(&error);
}

// Output arrays of the shape that the options ask for.
static int make_room(reduce_run *r)
{
    const reduce_args *a = &r->args;
    hd_view like = hd_view_of(HD_U8, NULL, 1);
    if (a->with != NULL) {
        EXIT_TRY(load(&r->with, a->with));
        r->options.with = (hd_views){&r->with.view, 1};
    }
    if (a->axis.given) like = without_axis(r->in.view, a->axis.value);
    if (a->keys != NULL) {
        EXIT_TRY(load(&r->keys, a->keys));
        r->options.keys = &r->keys.view;
        like = hd_view_of(HD_U8, NULL, hd_count(r->in.view)); // at most so many runs
        EXIT_TRY(allocate(r, 2, r->keys.view.type, like, &r->result.keys));
        r->options.keys_out = &r->result.keys;
        r->runs_view = HD_VIEW(&r->runs, 1);
        r->options.runs = &r->runs_view;
    }
    if (a->segments != NULL) {
        EXIT_TRY(load(&r->segments, a->segments));
        r->options.segments = &r->segments.view;
        const int64_t offsets = hd_count(r->segments.view);
        like = hd_view_of(HD_U8, NULL, offsets > 0 ? offsets - 1 : 0);
    }
    r->result.single = !a->keys && !a->segments && (!a->axis.given || r->in.view.ndim == 1);
    EXIT_TRY(allocate(r, 0, r->type, like, &r->result.out));
    if (has_second(r)) EXIT_TRY(allocate(r, 1, second_type(r), like, &r->result.values));
    set_second(r, &r->result.values);
    return EXIT_DONE;
}

static int reduce_whole(reduce_run *r)
{
    io_error error;
    if (io_array_read(&r->in, &r->reader, &error) != IO_OK) return file_failed(&error);
    EXIT_TRY(make_room(r));
    r->count = hd_count(r->in.view);
    const hd_status status = hd_reduce(r->ctx, r->in.view, r->op, r->result.out, &r->options);
    if (status != HD_OK) return library_failed(name, r->ctx, status);
    if (r->args.keys == NULL) return EXIT_DONE;
    r->result.out.shape[0] = r->result.keys.shape[0] = r->runs;
    if (has_second(r)) r->result.values.shape[0] = r->runs;
    return EXIT_DONE;
}

static int compute(reduce_run *r)
{
    const reduce_args *a = &r->args;
    const double start = seconds_now();
    const bool stream = !a->axis.given && !a->segments && !a->keys && !a->with &&
                        io_array_header_is_row_major(&r->reader.header);
    if (stream) {
        r->result = (result){.single = true, .out = hd_view_of(r->type, r->out, 1)};
        if (has_second(r)) r->result.values = hd_view_of(second_type(r), r->value, 1);
        set_second(r, &r->result.values);
    }
    r->result.places = is_arg(r);
    r->result.second = r->args.residual ? "residual" : r->args.bound ? "bound" : NULL;
    EXIT_TRY(stream ? reduce_stream(r) : reduce_whole(r));
    r->seconds = seconds_now() - start;
    return EXIT_DONE;
}

static void report_json(const reduce_run *r)
{
    json j = json_begin(stdout);
    json_text(&j, "command", name);
    json_text(&j, "file", r->file);
    json_text(&j, "op", r->args.op);
    json_text(&j, "element_type", hd_type_name(r->element));
    json_int(&j, "elements", r->count);
    options_json(&j, r->ctx, r->seconds);
    if (r->args.output != NULL)
        json_text(&j, "output", r->args.output);
    else
        result_json(&j, &r->result, r->args.hex);
    json_end(&j);
}

static int deliver(const reduce_run *r)
{
    const reduce_args *a = &r->args;
    const result *x = &r->result;
    if (a->output == NULL && hd_count(x->out) > RESULT_MAX_PRINTED)
        return result_too_long(name, hd_count(x->out));
    if (a->keys_out) EXIT_TRY(result_write(name, a->keys_out, x->keys, false));
    if (a->values_out) EXIT_TRY(result_write(name, a->values_out, x->values, x->single));
    if (a->output) EXIT_TRY(result_write(name, a->output, x->out, x->single));
    if (a->json)
        report_json(r);
    else if (a->output == NULL)
        result_print(stdout, x, a->hex);
    return EXIT_DONE;
}

static int run_reduction(reduce_run *r)
{
    io_error error;
    EXIT_TRY(options_file(name, &r->args.file, &r->read));
    EXIT_TRY(reduce_check(&r->args, r->op, r->file));
    EXIT_TRY(options_open(name, &r->args.run, &r->ctx));
    if (io_reader_open(&r->reader, r->file, &r->read, &error) != IO_OK) return file_failed(&error);
    EXIT_TRY(prepare(r));
    EXIT_TRY(compute(r));
    return deliver(r);
}

int command_reduce(int argc, char **argv)
{
    reduce_run r = {.args = {.op = NULL}};
    arg_result operands;
    int code;
    if (!args_begin(&reduce_spec, argc, argv, &r.args, &operands, &code)) return code;
    r.file = operands.operand[0];
    if (r.args.op == NULL) r.args.op = "sum";
    r.op = hd_operator_named(r.args.op);
    code = run_reduction(&r);
    io_reader_close(&r.reader);
    io_array_release(&r.in);
    io_array_release(&r.with);
    io_array_release(&r.segments);
    io_array_release(&r.keys);
    for (int k = 0; k < 3; k++) hd_free(r.ctx, &r.owned[k]);
    hd_close(r.ctx);
    return code;
}
