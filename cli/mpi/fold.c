// SPDX-License-Identifier: Apache-2.0
//
// heddle reduce and heddle scan over ranks.
#include "cli/patterns/command_options.h"
#include "cli/patterns/scan.h"
#include "commands.h"
#include "part.h"

static bool is_arg(const hd_operator *op)
{
    return op == HD_ARGMIN || op == HD_ARGMAX;
}

static void add_op(json *j, const void *user)
{
    json_text(j, "op", hd_operator_name(user));
}

// ---- Reduce -------------------------------------------------------------------------------------

// One value, the same on every rank, as an array that rank 0 has.
typedef struct one {
    _Alignas(16) unsigned char bytes[16];
    hd_view view;
} one;

static int reduce(job *r, const reduce_args *a, const hd_operator *op, const char *file)
{
    static const char name[] = "reduce";
    io_read_options read;
    part_array in, with;
    one out, value, init;
    hd_type type;
    hd_reduce_options how = {.ddof = (int32_t)a->ddof.value};
    EXIT_TRY(RANKS_REFUSE(name, {a->axis.given, "--axis"}, {a->segments != NULL, "--segments"},
                          {a->keys != NULL, "--keys"}, {a->residual, "--residual"},
                          {a->bound, "--bound"}));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(reduce_check(a, op, file));
    EXIT_TRY(ranks_open(r, name, &a->run));
    EXIT_TRY(part_load(r, file, &read, PART_ELEMENTS, &in));
    EXIT_TRY(part_load(r, a->with, NULL, PART_ELEMENTS, &with));
    const result_options wanted = {name, file, a->out_type, a->init};
    EXIT_TRY(options_result(&wanted, op, in.view.type, &type, init.bytes));
    out.view = hd_view_of(type, out.bytes, 1);
    value.view = hd_view_of(in.view.type, value.bytes, 1);
    how.init = a->init != NULL ? init.bytes : NULL;
    how.accumulate = a->accumulate != NULL ? HD_F64 : HD_NONE;
    if (a->with != NULL) how.with = (hd_views){&with.view, 1};
    if (is_arg(op)) how.values = &value.view;
    RANKS_CALL(r, hd_mpi_reduce(r->mpi, in.view, op, out.view, &how));
    const int64_t mine = r->rank == 0; // the value is rank 0's to write
    part_array result = {.view = hd_view_of(type, out.bytes, mine), .count = 1};
    part_array second = {.view = hd_view_of(in.view.type, value.bytes, mine), .count = 1};
    const emission e = {.file = a->output,
                        .input = file,
                        .json = a->json,
                        .hex = a->hex,
                        .places = is_arg(op),
                        .element = in.view.type,
                        .elements = in.count,
                        .more = add_op,
                        .user = op};
    if (a->values_out != NULL) EXIT_TRY(part_write(r, a->values_out, &second));
    return part_emit(r, &result, is_arg(op) ? &second : NULL, NULL, &e);
}

int ranks_reduce(job *r, int argc, char **argv)
{
    reduce_args a = {0};
    arg_result operands;
    int code;
    if (!args_begin(&reduce_spec, argc, argv, &a, &operands, &code)) return code;
    return reduce(r, &a, hd_operator_named(a.op != NULL ? a.op : "sum"), operands.operand[0]);
}

// ---- Scan ---------------------------------------------------------------------------------------

static int scan(job *r, const scan_args *a, const hd_operator *op, const char *file)
{
    static const char name[] = "scan";
    io_read_options read;
    part_array in, out, values;
    one init;
    hd_type type;
    hd_scan_options how = {.ddof = (int32_t)a->ddof.value, .exclusive = a->exclusive};
    EXIT_TRY(RANKS_REFUSE(name, {a->axis.given, "--axis"}, {a->segments != NULL, "--segments"},
                          {a->keys != NULL, "--keys"}, {a->residual, "--residual"},
                          {a->bound, "--bound"}, {a->backward, "--backward"},
                          {a->monotone, "--monotone"}, {a->verify, "--verify"}));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(scan_check_args(a, op, file));
    EXIT_TRY(ranks_open(r, name, &a->run));
    EXIT_TRY(part_load(r, file, &read, PART_ELEMENTS, &in));
    const result_options wanted = {name, file, a->out_type, a->init};
    EXIT_TRY(options_result(&wanted, op, in.view.type, &type, init.bytes));
    EXIT_TRY(part_like(r, &in, type, &out));
    if (is_arg(op)) {
        EXIT_TRY(part_like(r, &in, in.view.type, &values));
        how.values = &values.view;
    }
    how.init = a->init != NULL ? init.bytes : NULL;
    how.accumulate = a->accumulate != NULL ? HD_F64 : HD_NONE;
    RANKS_CALL(r, hd_mpi_scan(r->mpi, in.view, op, out.view, &how));
    const emission e = {.file = a->output,
                        .input = file,
                        .json = a->json,
                        .hex = a->hex,
                        .places = is_arg(op),
                        .element = in.view.type,
                        .elements = in.count,
                        .more = add_op,
                        .user = op};
    if (a->values_out != NULL) EXIT_TRY(part_write(r, a->values_out, &values));
    return part_emit(r, &out, is_arg(op) ? &values : NULL, NULL, &e);
}

int ranks_scan(job *r, int argc, char **argv)
{
    scan_args a = {.op = NULL};
    arg_result operands;
    int code;
    if (!args_begin(&scan_spec, argc, argv, &a, &operands, &code)) return code;
    return scan(r, &a, hd_operator_named(a.op != NULL ? a.op : "sum"), operands.operand[0]);
}
