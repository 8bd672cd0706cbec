// SPDX-License-Identifier: Apache-2.0
//
// heddle map: a function of every element, a * x + b, a conversion. Integers are worked on in 64
// bits and wrap, 16-bit floats in f32.
#include <string.h>

#include "cli/command.h"
#include "cli/support/print.h"
#include "cli/run/workspace.h"

static const char name[] = "map";

typedef struct map_args {
    const char *function, *scale, *offset, *convert, *output;
    file_options file;
    context_options run;
    bool json, hex;
} map_args;

static const arg_option options[] = {
    ARG_TEXT(0, "apply", "abs|negate|square|sqrt", "a function of each element", map_args,
             function),
    ARG_TEXT(0, "scale", "A", "then multiply by A", map_args, scale),
    ARG_TEXT(0, "offset", "B", "then add B", map_args, offset),
    ARG_TEXT(0, "convert", "T", "type of the result, and of the numbers on the way to it", map_args,
             convert),
    ARG_OUTPUT('o', "output", "FILE", "write a file instead of printing", map_args, output),
    FILE_OPTION_ROWS(map_args, file),
    CONTEXT_OPTION_ROWS(map_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", map_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", map_args, hex),
    ARG_END,
};

const arg_spec map_spec = {
    name,
    "FILE",
    "computes a function of every element, or converts an array to another type",
    "Integers wrap; a float becomes the integer towards zero, or the nearest there is.\n\n"
    "Examples:\n"
    "  printf '\\3\\1\\7' | heddle map - --dtype u8 --scale 2 --offset 1        prints 7 3 15\n"
    "  heddle map x.npy --convert f64 --apply sqrt -o roots.npy\n",
    options,
    1,
    1,
};

// ---- The functions ------------------------------------------------------------------------------

HD_FUNCTION(abs_i64, int64_t, HD_NO_SOURCE, (int64_t, x),
            { return x < 0 ? (int64_t)(0 - (uint64_t)x) : x; })
HD_FUNCTION(abs_u64, uint64_t, HD_NO_SOURCE, (uint64_t, x), { return x; })
HD_FUNCTION(abs_f32, float, HD_NO_SOURCE, (float, x), { return __builtin_fabsf(x); })
HD_FUNCTION(abs_f64, double, HD_NO_SOURCE, (double, x), { return __builtin_fabs(x); })
HD_FUNCTION(negate_i64, int64_t, HD_NO_SOURCE, (int64_t, x), { return (int64_t)(0 - (uint64_t)x); })
HD_FUNCTION(negate_u64, uint64_t, HD_NO_SOURCE, (uint64_t, x), { return 0 - x; })
HD_FUNCTION(negate_f32, float, HD_NO_SOURCE, (float, x), { return -x; })
HD_FUNCTION(negate_f64, double, HD_NO_SOURCE, (double, x), { return -x; })
HD_FUNCTION(square_i64, int64_t, HD_NO_SOURCE, (int64_t, x),
            { return (int64_t)((uint64_t)x * (uint64_t)x); })
HD_FUNCTION(square_u64, uint64_t, HD_NO_SOURCE, (uint64_t, x), { return x * x; })
HD_FUNCTION(square_f32, float, HD_NO_SOURCE, (float, x), { return x * x; })
HD_FUNCTION(square_f64, double, HD_NO_SOURCE, (double, x), { return x * x; })
HD_FUNCTION(sqrt_f32, float, HD_NO_SOURCE, (float, x), { return __builtin_sqrtf(x); })
HD_FUNCTION(sqrt_f64, double, HD_NO_SOURCE, (double, x), { return __builtin_sqrt(x); })
HD_FUNCTION(linear_i64, int64_t, HD_NO_SOURCE, (int64_t, x, int64_t, a, int64_t, b),
            { return (int64_t)((uint64_t)x * (uint64_t)a + (uint64_t)b); })
HD_FUNCTION(linear_u64, uint64_t, HD_NO_SOURCE, (uint64_t, x, uint64_t, a, uint64_t, b),
            { return x * a + b; })
HD_FUNCTION(linear_f32, float, HD_NO_SOURCE, (float, x, float, a, float, b), { return x * a + b; })
HD_FUNCTION(linear_f64, double, HD_NO_SOURCE, (double, x, double, a, double, b),
            { return x * a + b; })

typedef struct function_row {
    const char *name;
    const hd_function *i64, *u64, *f32, *f64;
} function_row;

static const function_row functions[] = {
    {"abs", abs_i64, abs_u64, abs_f32, abs_f64},
    {"negate", negate_i64, negate_u64, negate_f32, negate_f64},
    {"square", square_i64, square_u64, square_f32, square_f64},
    {"sqrt", NULL, NULL, sqrt_f32, sqrt_f64},
    {"linear", linear_i64, linear_u64, linear_f32, linear_f64},
};

static const hd_function *find_function(const char *wanted, hd_type work)
{
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        const function_row *f = &functions[k];
        if (strcmp(f->name, wanted) != 0) continue;
        return work == HD_I64 ? f->i64 : work == HD_U64 ? f->u64 : work == HD_F32 ? f->f32 : f->f64;
    }
    return NULL;
}

// The type numbers are worked on in.
static hd_type work_type(hd_type type)
{
    switch (type) {
    case HD_F16:
    case HD_BF16:
    case HD_F32: return HD_F32;
    case HD_F64: return HD_F64;
    case HD_I8:
    case HD_I16:
    case HD_I32:
    case HD_I64: return HD_I64;
    default: return HD_U64;
    }
}

// ---- The command --------------------------------------------------------------------------------

// A number of an option in the working type, or the default.
static int number(const char *option, const char *text, hd_type work, int standard, void *value)
{
    char digits[8];
    snprintf(digits, sizeof digits, "%d", standard);
    if (print_parse(work, text != NULL ? text : digits, value)) return EXIT_DONE;
    return fail(EXIT_USAGE, name, "--%s: expected a number of type %s, got '%s'", option,
                hd_type_name(work), text);
}

static int apply_linear(workspace *w, const map_args *a, hd_view v)
{
    _Alignas(8) unsigned char scale[16], offset[16];
    EXIT_TRY(number("scale", a->scale, v.type, 1, scale));
    EXIT_TRY(number("offset", a->offset, v.type, 0, offset));
    hd_view with[2] = {v, v};
    with[0].data = scale, with[1].data = offset;
    for (int k = 0; k < 2; k++) // one number everywhere: no stride along any axis
        for (int d = 0; d < v.ndim; d++) with[k].stride[d] = 0;
    const hd_map_options with_both = {.with = {with, 2}};
    return workspace_call(w, hd_map(w->ctx, v, find_function("linear", v.type), v, &with_both));
}

static int work_on(workspace *w, const map_args *a, hd_view v)
{
    if (a->function != NULL) {
        const hd_function *f = find_function(a->function, v.type);
        if (f == NULL)
            return fail(EXIT_USAGE, name, "--apply %s: integers have none: give --convert f64",
                        a->function);
        EXIT_TRY(workspace_call(w, hd_map(w->ctx, v, f, v, NULL)));
    }
    if (a->scale == NULL && a->offset == NULL) return EXIT_DONE;
    return apply_linear(w, a, v);
}

static int run(workspace *w, const map_args *a, const char *file)
{
    io_read_options read;
    hd_view in, work, out;
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    hd_type type = in.type;
    if (a->convert != NULL) EXIT_TRY(options_type(name, "convert", a->convert, &type));
    const bool works = a->function != NULL || a->scale != NULL || a->offset != NULL;
    workspace_begin(w);
    if (works) {
        EXIT_TRY(workspace_alloc(w, work_type(type), in.ndim, in.shape, &work));
        EXIT_TRY(workspace_call(w, hd_map(w->ctx, in, NULL, work, NULL)));
        EXIT_TRY(work_on(w, a, work));
    }
    EXIT_TRY(workspace_alloc(w, type, in.ndim, in.shape, &out));
    EXIT_TRY(workspace_call(w, hd_map(w->ctx, works ? work : in, NULL, out, NULL)));
    return workspace_emit(w, &(emission){.out = out,
                                         .like = in,
                                         .file = a->output,
                                         .input = file,
                                         .json = a->json,
                                         .hex = a->hex});
}

int command_map(int argc, char **argv)
{
    map_args a = {0};
    arg_result operands;
    workspace w = {0};
    int code;
    if (!args_begin(&map_spec, argc, argv, &a, &operands, &code)) return code;
    code = run(&w, &a, operands.operand[0]);
    workspace_close(&w);
    return code;
}
