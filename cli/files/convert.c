// SPDX-License-Identifier: Apache-2.0
//
// heddle convert: a file of one format and type as a file of another, chunk by chunk where both
// formats allow it.
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "program.h"
#include "io/array.h"
#include "io/numbers/convert.h"
#include "io/support/memory.h"
#include "io/numbers/number.h"
#include "io/writer.h"
#include "cli/args/options.h"
#include "cli/run/read_ahead.h"
#include "cli/support/progress.h"

static const char name[] = "convert";

typedef struct convert_args {
    const char *output, *out_type, *out_shape, *to, *scale;
    file_options file;
    bool round;
} convert_args;

static const arg_option options[] = {
    ARG_TEXT('o', "output", "FILE", "the file to write; its name's end tells the format",
             convert_args, output),
    ARG_TEXT(0, "out-type", "T", "element type of the output (the input's)", convert_args,
             out_type),
    ARG_TEXT(0, "out-shape", "N[,M...]", "shape of the output, with as many elements", convert_args,
             out_shape),
    ARG_FLAG(0, "round", "to integers: the nearest one that the type has", convert_args, round),
    ARG_TEXT(0, "scale", "X", "multiply by X first", convert_args, scale),
    ARG_TEXT(0, "to", "npy|npz|png|pnm|pfm|csv|text|raw",
             "format of the output, if its suffix does not name one", convert_args, to),
    FILE_OPTION_ROWS(convert_args, file),
    ARG_END,
};

const arg_spec convert_spec = {
    name,
    "FILE",
    "turns a file into one of another format, type or shape",
    "Formats: .npy .npz .png .pgm .ppm .pnm .pfm .csv .tsv .txt .raw .bin; see\n"
    "docs/reference/files.md.\n"
    "Floats are rounded to nearest; integers must hold every value exactly, unless --round is\n"
    "given.\n\n"
    "Examples:\n"
    "  heddle convert x.npy -o x.csv\n"
    "  heddle convert x.npy -o x.png --scale 51 --round --out-type u8\n",
    options,
    1,
    1,
};

typedef struct conversion {
    convert_args args;
    const char *file;
    io_read_options read, out; // out: the new shape, if there is one
    io_reader reader;
    io_writer writer;
    io_conversion rule;
    void *buffer;
    io_format format;
} conversion;

static int file_failed(const io_error *error)
{
    return io_failed(name, error);
}

static int check_args(conversion *c)
{
    const convert_args *a = &c->args;
    if (a->output == NULL) return fail(EXIT_USAGE, name, "-o: expected a file to write");
    EXIT_TRY(options_file(name, &a->file, &c->read));
    const file_options shape = {.shape = a->out_shape};
    if (a->out_shape != NULL) EXIT_TRY(options_file(name, &shape, &c->out));
    if (a->to != NULL) c->format = io_format_named(a->to);
    if (a->out_type != NULL) EXIT_TRY(options_type(name, "out-type", a->out_type, &c->rule.to));
    if (a->scale != NULL &&
        !(io_number_read(HD_F64, a->scale, strlen(a->scale), &c->rule.scale) && c->rule.scale != 0))
        return fail(EXIT_USAGE, name, "--scale: expected a number that is not 0, got '%s'",
                    a->scale);
    c->rule.round = a->round;
    return EXIT_DONE;
}

// The output, of the input's shape unless another is given.
static int open_output(conversion *c)
{
    io_error error;
    const int64_t unknown = -1;
    io_array_header header = c->reader.header;
    c->rule.from = header.dtype.type;
    c->rule.name = c->reader.source.name;
    if (c->rule.to == HD_NONE) c->rule.to = c->rule.from;
    if (c->args.out_shape != NULL) {
        header.ndim = c->out.ndim;
        memcpy(header.shape, c->out.shape, sizeof header.shape);
        const int64_t count = io_array_header_count(&header);
        if (c->reader.count >= 0 && count != c->reader.count)
            return fail(EXIT_USAGE, name,
                        "--out-shape: expected a shape of %lld elements, got %lld",
                        (long long)c->reader.count, (long long)count);
    }
    const bool row = c->reader.count < 0 && c->args.out_shape == NULL;
    if (io_writer_open_as(&c->writer, c->args.output, c->format, c->rule.to, header.ndim,
                          row ? &unknown : header.shape, &error) != IO_OK)
        return file_failed(&error);
    c->buffer = io_allocate((size_t)CHUNK_ELEMENTS * hd_type_size(c->rule.to));
    return c->buffer != NULL ? EXIT_DONE : fail(EXIT_IO, name, "no memory for a chunk");
}

static int put_chunk(conversion *c, const void *data, int64_t n)
{
    io_error error;
    if (io_convert(&c->rule, data, c->buffer, n, &error) != IO_OK) return file_failed(&error);
    if (io_writer_put(&c->writer, c->buffer, n, &error) != IO_OK) return file_failed(&error);
    return EXIT_DONE;
}

static int convert_chunks(conversion *c, chunks *p)
{
    io_error error;
    const void *data;
    int64_t n = 1;
    int code = EXIT_DONE;
    progress bar = progress_begin(name, c->reader.count);
    while (n > 0 && code == EXIT_DONE) {
        if (chunks_next(p, &data, &n, &error) != IO_OK) {
            progress_end(&bar);
            return file_failed(&error);
        }
        if (n > 0) code = put_chunk(c, data, n);
        progress_step(&bar, c->rule.done);
    }
    progress_end(&bar);
    return code;
}

static int convert_stream(conversion *c)
{
    chunks p;
    io_error error;
    if (chunks_open(&p, &c->reader, &error) != IO_OK) return file_failed(&error);
    const int code = convert_chunks(c, &p);
    chunks_close(&p);
    return code;
}

// Fortran's order is turned on the way, which needs the whole array.
static int convert_array(conversion *c, const io_array *in)
{
    const int64_t n = hd_count(in->view);
    void *chunk = io_allocate((size_t)CHUNK_ELEMENTS * hd_type_size(c->rule.from));
    int code = chunk == NULL ? fail(EXIT_IO, name, "no memory for a chunk") : EXIT_DONE;
    for (int64_t at = 0; at < n && code == EXIT_DONE; at += CHUNK_ELEMENTS) {
        const int64_t m = n - at < CHUNK_ELEMENTS ? n - at : CHUNK_ELEMENTS;
        hd__gather(&in->view, at, m, chunk);
        code = put_chunk(c, chunk, m);
    }
    free(chunk);
    return code;
}

static int convert_whole(conversion *c)
{
    io_error error;
    io_array in;
    if (io_array_read(&in, &c->reader, &error) != IO_OK) return file_failed(&error);
    const int code = convert_array(c, &in);
    io_array_release(&in);
    return code;
}

static int run(conversion *c)
{
    io_error error;
    EXIT_TRY(check_args(c));
    if (io_reader_open(&c->reader, c->file, &c->read, &error) != IO_OK) return file_failed(&error);
    EXIT_TRY(open_output(c));
    EXIT_TRY(io_array_header_is_row_major(&c->reader.header) ? convert_stream(c)
                                                             : convert_whole(c));
    return io_writer_commit(&c->writer, &error) == IO_OK ? EXIT_DONE : file_failed(&error);
}

int command_convert(int argc, char **argv)
{
    conversion c = {.args = {.output = NULL}};
    arg_result operands;
    int code;
    if (!args_begin(&convert_spec, argc, argv, &c.args, &operands, &code)) return code;
    c.file = operands.operand[0];
    c.writer.temporary.fd = c.writer.temporary.slot = -1;
    code = run(&c);
    io_writer_abandon(&c.writer);
    io_reader_close(&c.reader);
    free(c.buffer);
    return code;
}
