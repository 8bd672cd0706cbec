// SPDX-License-Identifier: Apache-2.0
//
// What the commands that run patterns share: the options that make a context, those that say what
// a file holds, and the exit code of a library's status.
#ifndef HEDDLE_CLI_ARGS_OPTIONS_H
#define HEDDLE_CLI_ARGS_OPTIONS_H

#include "args.h"
#include "heddle.h"
#include "io/reader.h"
#include "io/json.h"

typedef struct context_options {
    const char *backend, *isa;
    const char *dump_kernel, *load_kernel;
    arg_int threads;
    bool trace;
} context_options;

// Rows for a command's table; field is the member of S that is the context_options.
#define CONTEXT_OPTION_ROWS(S, field)                                                              \
    ARG_TEXT(0, "backend", "NAME", "auto, serial, cpu, cuda or model; see doctor", S,              \
             field.backend),                                                                       \
        ARG_INT('t', "threads", "N", "threads to use", S, field.threads, 1, 1024),                 \
        ARG_TEXT(0, "isa", "NAME", "instruction set to use; see heddle doctor", S, field.isa),     \
        ARG_FLAG(0, "trace", "say on standard error which path ran, and why", S, field.trace),     \
        ARG_TEXT(0, "dump-kernel", "FILE", "write the texts of GPU kernels that run", S,           \
                 field.dump_kernel),                                                               \
        ARG_TEXT(0, "load-kernel", "FILE", "take them from such a file, changed perhaps", S,       \
                 field.load_kernel)

// Opens a context. On failure returns an exit code and has printed why; on success 0.
int options_open(const char *command, const context_options *options, hd_context **ctx);

// Prints the context's error and returns the exit code that goes with the status.
int library_failed(const char *command, const hd_context *ctx, hd_status status);
int options_exit_code(hd_status status);

// The members of a JSON document that every pattern's has: what ran, and for how long.
void options_json(json *j, const hd_context *ctx, double seconds);

// Prints an error of src/io and returns its exit code.
int io_failed(const char *command, const io_error *error);

typedef struct file_options {
    const char *dtype, *shape, *format, *header, *max_bytes;
} file_options;

// The row of the file that a command writes.
#define OUTPUT_OPTION_ROW(S, field)                                                                \
    ARG_OUTPUT('o', "output", "FILE",                                                              \
               "write a file: .npy, or the format of the suffix (.png .csv ...)", S, field)

#define FILE_OPTION_ROWS(S, field)                                                                 \
    ARG_TEXT(0, "dtype", "T",                                                                      \
             "element type of a raw or text file: i8 i16 i32 i64 u8\nu16 u32 u64 f16 bf16 f32 "    \
             "f64 bool",                                                                           \
             S, field.dtype),                                                                      \
        ARG_TEXT(0, "shape", "N[,M...]",                                                           \
                 "shape of a raw or text file; a raw one without it is one row", S, field.shape),  \
        ARG_TEXT(0, "format", "npy|npz|png|pnm|pfm|csv|text|raw|bytes",                            \
                 "what the file is, where its contents and name do not tell", S, field.format),    \
        ARG_TEXT(0, "header", "auto|yes|no",                                                       \
                 "whether a CSV file begins with a line of titles (auto: one with\nwords and no "  \
                 "numbers)",                                                                       \
                 S, field.header),                                                                 \
        ARG_TEXT(0, "max-bytes", "SIZE",                                                           \
                 "memory that an array of a file may take, as in 4G (1G, or\n64 times the file "   \
                 "where that is more)",                                                            \
                 S, field.max_bytes)

// What HEDDLE_MAX_BYTES says, before any command. Returns 0, or an exit code, having printed why.
int options_environment(void);

// Reads these options; --max-bytes holds from then on for all files. Returns 0, or an exit code,
// having printed why.
int options_file(const char *command, const file_options *text, io_read_options *options);

// Standard input can be only one of a command's inputs; each may be NULL.
int options_one_pipe(const char *command, const char *a, const char *b, const char *c);

// What the options say of the result: its type (by default the operator's for such elements) and
// an initial value (16 bytes are room for any). Returns 0, or an exit code, having printed why.
typedef struct result_options {
    const char *command, *file, *out_type, *init;
} result_options;
int options_result(const result_options *text, const hd_operator *op, hd_type element,
                   hd_type *type, void *init);

// The type an option names. Returns 0, or an exit code, having printed why.
int options_type(const char *command, const char *option, const char *name, hd_type *type);

#endif
