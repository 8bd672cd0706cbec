// SPDX-License-Identifier: Apache-2.0
//
// heddle filter: recursive filters over arrays and WAV files.
#include <string.h>

#include "heddle_algorithms.h"

#include "cli/command.h"
#include "io/audio/wav.h"
#include "io/stream/format.h"
#include "numbers.h"

static const char name[] = "filter";

typedef struct filter_args {
    const char *b, *a, *sections, *accumulate, *state_in, *state_out, *output;
    arg_int axis, pad;
    bool backward, both, steady, json, hex;
    file_options file;
    context_options run;
} filter_args;

static const arg_option options[] = {
    ARG_TEXT('b', "numerator", "LIST", "b[0],b[1],...: numbers with commas between them, or a file",
             filter_args, b),
    ARG_TEXT('a', "denominator", "LIST", "a[0],a[1],... (1)", filter_args, a),
    ARG_TEXT(
        0, "sections", "FILE",
        "a file of sections of order 2, six numbers a row, as\nscipy.signal has them; not with -b "
        "and -a",
        filter_args, sections),
    ARG_INT(0, "axis", "K", "along axis K; -1, the last, is the default (WAV: the frames)",
            filter_args, axis, -HD_MAX_DIMS, HD_MAX_DIMS - 1),
    ARG_FLAG(0, "backward", "from the last element to the first", filter_args, backward),
    ARG_FLAG(0, "both", "forward, then backward over the result: no shift of phase", filter_args,
             both),
    ARG_FLAG(0, "steady", "begin as after a long time of the first element", filter_args, steady),
    ARG_INT(0, "pad", "N", "turn the signal about its ends for N elements more (0)", filter_args,
            pad, 0, INT64_MAX / 4),
    ARG_TEXT(0, "state-in", "FILE", "the state before the first element (zeros)", filter_args,
             state_in),
    ARG_OUTPUT(0, "state-out", "FILE", "write the state after the last element to a file",
               filter_args, state_out),
    ARG_TEXT(0, "accumulate", "f64", "compute in f64 where all is f32", filter_args, accumulate),
    ARG_TEXT('o', "output", "FILE",
             "write a file: .npy, or the format of the suffix (.wav .csv ...)", filter_args,
             output),
    FILE_OPTION_ROWS(filter_args, file),
    CONTEXT_OPTION_ROWS(filter_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", filter_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", filter_args, hex),
    ARG_END,
};

const arg_spec filter_spec = {
    name,
    "FILE",
    "filters signals by a recursive (IIR) filter",
    "a[0] y[i] = b[0] x[i] + b[1] x[i-1] + ... - a[1] y[i-1] - ...; elements are f32 or f64. FILE\n"
    "may be a WAV file (PCM or floats): every channel is filtered, and a result called .wav has "
    "its\n"
    "rate and its kind of samples. Without -o a short result is printed.\n\n"
    "Examples:\n"
    "  printf '1 0 0 0' >one.txt\n"
    "  heddle filter one.txt -b 1 -a 1,-0.5      prints 1.0 0.5 0.25 0.125\n"
    "  heddle filter song.wav --sections low.npy --both -o soft.wav\n",
    options,
    1,
    1,
};

typedef struct job {
    workspace w;
    const filter_args *a;
    const char *file;
    io_wav wav;
    bool from_wav, to_wav;
} job;

static int check_args(const job *j)
{
    const filter_args *a = j->a;
    io_format format;
    io_error error;
    if (!j->to_wav && a->output != NULL &&
        io_format_for_output(a->output, &format, &error) != IO_OK)
        return io_failed(name, &error);
    if ((a->b != NULL) == (a->sections != NULL))
        return fail(EXIT_USAGE, name, "expected -b, or --sections");
    if (a->a != NULL && a->sections != NULL)
        return fail(EXIT_USAGE, name, "-a: not with --sections");
    if (j->to_wav && !j->from_wav)
        return fail(EXIT_USAGE, name, "%s: a WAV file is written only from another", a->output);
    EXIT_TRY(options_one_pipe(name, j->file, a->b, a->a));
    return options_one_pipe(name, j->file, a->sections, a->state_in);
}

static int load_signal(job *j, hd_view *in)
{
    io_read_options read;
    io_error error;
    EXIT_TRY(options_file(name, &j->a->file, &read));
    if (!j->from_wav) return workspace_load(&j->w, j->file, &read, in);
    if (io_wav_read(&j->wav, j->file, &error) != IO_OK) return io_failed(name, &error);
    const int64_t shape[] = {j->wav.frames, j->wav.channels};
    *in = hd_view_nd(j->wav.type, j->wav.samples, j->wav.channels == 1 ? 1 : 2, shape, NULL);
    return EXIT_DONE;
}

static int32_t axis_of(const job *j)
{
    if (j->a->axis.given) return HD_AXIS((int32_t)j->a->axis.value);
    return j->from_wav ? HD_AXIS(0) : 0;
}

// The shape of a state: in without the axis, then (sections and) numbers.
static int alloc_state(job *j, hd_view in, int64_t sections, int64_t order, hd_view *state)
{
    int64_t shape[HD_MAX_DIMS];
    int32_t dims = 0, axis = axis_of(j) == 0 ? -1 : axis_of(j) - HD_AXIS(0);
    if (axis < 0) axis += in.ndim;
    for (int32_t k = 0; k < in.ndim; k++)
        if (k != axis) shape[dims++] = in.shape[k];
    if (dims + 2 > HD_MAX_DIMS) return fail(EXIT_USAGE, name, "--state-out: too many dimensions");
    if (sections >= 0) shape[dims++] = sections;
    shape[dims++] = order;
    return workspace_alloc(&j->w, HD_F64, dims, shape, state);
}

static int emit(job *j, hd_view in, hd_view out)
{
    const filter_args *a = j->a;
    io_error error;
    if (!j->to_wav) {
        const emission e = {.out = out,
                            .like = in,
                            .file = a->output,
                            .input = j->file,
                            .json = a->json,
                            .hex = a->hex};
        return workspace_emit(&j->w, &e);
    }
    io_wav wav = j->wav;
    wav.samples = out.data;
    if (io_wav_write(&wav, a->output, &error) != IO_OK) return io_failed(name, &error);
    if (!a->json) return EXIT_DONE;
    json document = json_begin(stdout);
    json_text(&document, "command", name);
    json_text(&document, "file", j->file);
    json_int(&document, "elements", hd_count(out));
    json_int(&document, "rate", j->wav.rate);
    options_json(&document, j->w.ctx, j->w.seconds);
    json_text(&document, "output", a->output);
    json_end(&document);
    return EXIT_DONE;
}

static int64_t order_of(hd_view b, hd_view a)
{
    return (hd_count(b) > hd_count(a) ? hd_count(b) : hd_count(a)) - 1;
}

static int run(job *j)
{
    const filter_args *a = j->a;
    hd_view in, out, b, den, sections, first, last = {0};
    EXIT_TRY(check_args(j));
    EXIT_TRY(workspace_open(&j->w, name, &a->run));
    EXIT_TRY(load_signal(j, &in));
    EXIT_TRY(numbers_real(&j->w, &in));
    EXIT_TRY(numbers_load(&j->w, a->b, NULL, &b));
    EXIT_TRY(numbers_load(&j->w, a->a != NULL ? a->a : "1", NULL, &den));
    EXIT_TRY(workspace_load(&j->w, a->sections, NULL, &sections));
    EXIT_TRY(workspace_load(&j->w, a->state_in, NULL, &first));
    EXIT_TRY(workspace_like(&j->w, in, &out));
    const bool by_sections = a->sections != NULL;
    if (a->state_out != NULL)
        EXIT_TRY(alloc_state(j, in, by_sections ? sections.shape[0] : -1,
                             by_sections ? 2 : order_of(b, den), &last));
    const hd_filter_options how = {.axis = axis_of(j),
                                   .accumulate = a->accumulate ? HD_F64 : HD_NONE,
                                   .backward = a->backward,
                                   .both = a->both,
                                   .steady = a->steady,
                                   .pad = a->pad.value,
                                   .state_in = &first,
                                   .state_out = &last};
    workspace_begin(&j->w);
    EXIT_TRY(workspace_call(&j->w, by_sections
                                       ? hd_filter_sections(j->w.ctx, in, sections, out, &how)
                                       : hd_filter(j->w.ctx, in, b, den, out, &how)));
    if (a->state_out != NULL) EXIT_TRY(result_write(name, a->state_out, last, false));
    return emit(j, in, out);
}

int command_filter(int argc, char **argv)
{
    filter_args args = {0};
    job j = {.a = &args};
    arg_result operands;
    int code;
    if (!args_begin(&filter_spec, argc, argv, &args, &operands, &code)) return code;
    j.file = operands.operand[0];
    j.from_wav = io_name_ends(j.file, ".wav");
    j.to_wav = args.output != NULL && io_name_ends(args.output, ".wav");
    code = run(&j);
    workspace_close(&j.w);
    io_wav_release(&j.wav);
    return code;
}
