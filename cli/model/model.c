// SPDX-License-Identifier: Apache-2.0
//
// heddle model: runs a CUDA kernel with no GPU, counts what its warps do and tells what is wrong
// with it. Here are the options and the order of steps; the other parts are in model_*.c.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "model.h"
#include "program.h"
#include "cli/support/print.h"
#include "cli/support/escaped.h"

static const char name[] = "model";

static const arg_option options[] = {
    ARG_TEXT(0, "grid", "X[,Y[,Z]]", "blocks (1)", model_args, grid),
    ARG_TEXT(0, "block", "X[,Y[,Z]]", "threads of a block (32)", model_args, block),
    ARG_INT(0, "shared", "BYTES", "dynamic shared memory of a block (0)", model_args, shared, 0,
            1 << 20),
    ARG_MANY('a', "arg", "[NAME=]VALUE", "a parameter, by name or in order; see below", model_args,
             arg),
    ARG_MANY(0, "set", "NAME=VALUE", "a __constant__ or __device__ variable of the file",
             model_args, set),
    ARG_MANY('o', "out", "NAME=FILE", "write a buffer when the kernel is done: .npy, .png, ...",
             model_args, out),
    ARG_MANY(0, "compare", "[NAME=]EXPECTED",
             "compare a buffer with a file or a value; exit with 1\nif it differs", model_args,
             compare),
    ARG_TEXT(0, "tolerance", "X", "by how much floats may differ, relative above 1 (0)", model_args,
             tolerance),
    ARG_TEXT(0, "html", "FILE", "write the report as a page with pictures of the accesses",
             model_args, html),
    ARG_FLAG(0, "json", "one JSON document", model_args, json),
    ARG_FLAG(0, "ptx", "print the PTX and run nothing", model_args, ptx),
    ARG_INT(0, "explore", "N", "run N shuffled schedules and show how the results vary", model_args,
            explore, 1, 1000000),
    ARG_INT(0, "top", "N", "how many of the worst lines to show (5)", model_args, top, 0, 64),
    ARG_MANY('D', "define", "NAME[=V]", "define a macro", model_args, define),
    ARG_MANY('I', "include", "FOLDER", "look for included files there", model_args, include),
    ARG_TEXT(0, "compiler", "nvrtc|clang", "the compiler (as found)", model_args, compiler),
    ARG_FLAG(0, "debug", "compile without optimisation", model_args, debug),
    ARG_FLAG(0, "fmad", "let the compiler contract a * b + c", model_args, fmad),
    ARG_INT(0, "arch", "N", "architecture: 90 is sm_90 (90)", model_args, arch, 50, 130),
    ARG_TEXT(0, "checks", "LIST", "memory,initial,races,barriers,caches,pram; all or none (all)",
             model_args, checks),
    ARG_TEXT(0, "rule", "erew|crew|common|arbitrary|priority",
             "with pram: a weaker rule of access is a hazard", model_args, rule),
    ARG_INT('t', "threads", "N", "threads of the host; with a seed 1, else all", model_args,
            threads, 1, 1024),
    ARG_INT(0, "resident", "N", "blocks that run in turns on each (8)", model_args, resident, 1,
            65536),
    ARG_INT(0, "seed", "N", "shuffles the order of warps and blocks; 0 does not", model_args, seed,
            0, INT64_MAX),
    ARG_INT(0, "steps", "N", "give up after so many instructions of warps", model_args, steps, 1,
            INT64_MAX),
    ARG_INT(0, "sectors", "BYTES", "sectors of global memory (32)", model_args, sectors, 1, 4096),
    ARG_INT(0, "lines", "BYTES", "lines of global memory (128)", model_args, lines, 1, 4096),
    ARG_TEXT(0, "banks", "N[,BYTES]", "banks of shared memory and their width (32,4)", model_args,
             banks),
    ARG_INT(0, "print-bytes", "N", "the most that kernels print; the rest is dropped (1048576)",
            model_args, print_bytes, 0, INT64_MAX),
    SANDBOX_OPTIONS(
        model_args, sandbox,
        "run apart: read-only files, no network, limits;\nsee docs/howto/untrusted-kernels.md",
        "do not (usual)"),
    ARG_INT(0, "lanes", "N", "lanes that a request is counted over (32)", model_args, lanes, 1, 32),
    ARG_END};

const arg_spec model_spec = {
    "model",
    "FILE.cu [KERNEL]",
    "runs a CUDA kernel with no GPU: counts, and hazards by line",
    "Without KERNEL it lists the kernels of the file. A kernel that is a template is\n"
    "run by the name of an instance, as in 'sum<float, 128>'. VALUE is one of\n"
    "  TYPE:NUMBER                     a number: i32:1200, f32:2.5\n"
    "  TYPE:zeros:N  ones range empty  a buffer; N is 256, 2^20 or 64x64\n"
    "  TYPE:fill=V:N  random[=M]:N[:SEED]  TYPE:list:V,V,...  @FILE\n"
    "  same:NAME  null  bytes:HEX      another's buffer; no buffer; a structure\n"
    "TYPE: is one of i8 .. f64; it may be omitted where the source declares it.\n\n"
    "  heddle model examples/transpose.cu transpose_tiled --grid 2,2 --block 32,32 \\\n"
    "      --arg in=random:64x64 --arg out=empty:64x64 --arg n=64 --html report.html\n\n"
    "Exit codes: 1 a comparison failed, 3 it does not compile, 5 a hazard was found.\n"
    "Warnings change none.\n",
    options,
    1,
    2};

// ---- Options ------------------------------------------------------------------------------------

// "4,2" or "4x2": up to `most` numbers above 0.
static bool read_numbers(const char *text, int32_t *to, int most)
{
    for (int k = 0; k < most; k++) {
        char *end;
        const long n = strtol(text, &end, 10);
        if (end == text || *text < '0' || *text > '9' || n < 1 || n > INT32_MAX) return false;
        to[k] = (int32_t)n;
        if (*end == '\0') return true;
        if (*end != ',' && *end != 'x') return false;
        text = end + 1;
    }
    return false;
}

static int read_shape(const model_args *a, hd_model_shape *shape)
{
    shape->block[0] = 32;
    shape->shared = a->shared.value;
    if (a->grid != NULL && !read_numbers(a->grid, shape->grid, 3))
        return fail(EXIT_USAGE, name, "--grid: expected one to three numbers, as in 4,2, got '%s'",
                    a->grid);
    if (a->block != NULL && !read_numbers(a->block, shape->block, 3))
        return fail(EXIT_USAGE, name,
                    "--block: expected one to three numbers, as in 32,8, got '%s'", a->block);
    return EXIT_DONE;
}

static int read_checks(const char *list, uint32_t *checks)
{
    static const struct {
        const char *word;
        uint32_t bit;
    } words[] = {{"memory", HD_MODEL_MEMORY}, {"initial", HD_MODEL_INITIAL},
                 {"races", HD_MODEL_RACES},   {"barriers", HD_MODEL_BARRIERS},
                 {"caches", HD_MODEL_CACHES}, {"pram", HD_MODEL_PRAM},
                 {"all", HD_MODEL_ALL},       {"none", HD_MODEL_NONE}};
    *checks = 0;
    for (const char *at = list;; at++) {
        const size_t n = strcspn(at, ",");
        uint32_t bit = 0;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (strlen(words[k].word) == n && memcmp(words[k].word, at, n) == 0) bit = words[k].bit;
        if (bit == 0)
            return fail(EXIT_USAGE, name,
                        "--checks: expected some of memory, initial, races, barriers, caches, "
                        "pram, all, none, got '%.*s'",
                        (int)n, at);
        *checks |= bit;
        at += n;
        if (*at == '\0') return EXIT_DONE;
    }
}

#define USUAL_PRINT_BYTES (1 << 20)

// Whole texts only: what comes after the first that has no room is dropped.
static void print_text(void *user, const char *text)
{
    model_printing *p = user;
    const int64_t n = (int64_t)strlen(text);
    if (p->dropped > 0 || n > p->most - p->bytes) {
        p->dropped += n;
        return;
    }
    p->bytes += n;
    shown_lines_to(p->out, text);
}

static void print_dropped(const model_printing *p)
{
    char bytes[32], most[32];
    if (p->dropped > 0)
        fprintf(p->out, "... and %s bytes more, which were dropped (--print-bytes; now %s)\n",
                model_number(p->dropped, bytes), model_number(p->most, most));
}

static int read_options(const model_args *a, hd_model_options *o, model_printing *printing)
{
    int32_t banks[2] = {0, 0};
    *printing = (model_printing){.out = a->json ? stderr : stdout, .most = USUAL_PRINT_BYTES};
    if (a->print_bytes.given) printing->most = a->print_bytes.value;
    *o = (hd_model_options){.arch = (int32_t)a->arch.value,
                            .threads = (int32_t)a->threads.value,
                            .resident = (int32_t)a->resident.value,
                            .seed = (uint64_t)a->seed.value,
                            .max_steps = (uint64_t)a->steps.value,
                            .checks = HD_MODEL_ALL,
                            .sector_bytes = (int32_t)a->sectors.value,
                            .line_bytes = (int32_t)a->lines.value,
                            .warp_lanes = (int32_t)a->lanes.value,
                            .compiler = a->compiler,
                            .print = print_text,
                            .print_user = printing};
    // With one host thread a seed gives the same schedule again.
    if (o->seed != 0 && !a->threads.given) o->threads = 1;
    if (a->checks != NULL) EXIT_TRY(read_checks(a->checks, &o->checks));
    o->checks |= HD_MODEL_SAMPLES;
    if (a->rule != NULL) {
        static const char *const rules[] = {"", "erew", "crew", "common", "arbitrary", "priority"};
        for (int k = 1; k <= 5; k++)
            if (strcmp(a->rule, rules[k]) == 0) o->rule = k;
        o->checks |= HD_MODEL_PRAM;
    }
    if (a->banks != NULL && !read_numbers(a->banks, banks, 2))
        return fail(EXIT_USAGE, name, "--banks: expected a number, or two as in 32,4, got '%s'",
                    a->banks);
    o->banks = banks[0], o->bank_bytes = banks[1];
    return EXIT_DONE;
}

static int read_tolerance(const char *text, double *tolerance)
{
    *tolerance = 0;
    if (text == NULL || (print_parse(HD_F64, text, tolerance) && *tolerance >= 0)) return EXIT_DONE;
    return fail(EXIT_USAGE, name, "--tolerance: expected a number, 0 or more, got '%s'", text);
}

// ---- Kernels ------------------------------------------------------------------------------------

// A kernel that is asked for as "sum<float, 128>" is made so.
static int load(model_run *r, const char *kernel)
{
    const model_args *a = r->args;
    char room[256];
    if (model_sources_open(&r->sources, r->file, a->include.at) == NULL)
        return fail(EXIT_IO, name, "%s: cannot be read: %s", r->file, strerror(errno));
    if (!model_is_ptx(&r->sources))
        hd__model_kernel_templates(r->file, a->include.at, &r->templates);
    const char *const instances[] = {model_instance(r, kernel, room, sizeof room), NULL};
    const hd_model_load_options how = {.define = a->define.at,
                                       .include = a->include.at,
                                       .no_optimisation = a->debug,
                                       .fmad = a->fmad,
                                       .instantiate = instances};
    hd_status status = hd_model_open(&r->model, &r->options);
    if (status == HD_OK) status = hd_model_load(r->model, r->file, &how, &r->module);
    if (status == HD_ERROR_COMPILE && kernel != NULL && strchr(kernel, '<') != NULL)
        return model_template_failed(r, kernel, EXIT_COMPILE);
    return status == HD_OK ? EXIT_DONE : model_failed(r->model, status);
}

static void list_text(const model_signature *s)
{
    char text[200];
    printf("%s(", shown(s->kernel));
    for (int32_t p = 0; p < s->count && p < MODEL_MAX_PARAMETERS; p++)
        printf("%s%s", p > 0 ? ", " : "",
               shown(model_parameter_text(&s->at[p], text, sizeof text)));
    printf(")\n");
}

static void list_json(json *j, const model_signature *s)
{
    json_object(j, NULL);
    json_text(j, "kernel", s->kernel);
    json_list(j, "parameters");
    for (int32_t p = 0; p < s->count && p < MODEL_MAX_PARAMETERS; p++) {
        json_object(j, NULL);
        json_text(j, "name", s->at[p].name);
        json_text(j, "declared", s->at[p].declared);
        json_int(j, "bytes", s->at[p].bytes);
        json_close(j);
    }
    json_close(j);
    json_close(j);
}

static int list_kernels(const model_run *r)
{
    static model_signature s; // large
    json j = {0};
    const char *kernel;
    if (hd_model_kernel(r->module, 0) == NULL && r->templates.count == 0)
        return fail(EXIT_USAGE, name, "%s: no kernel in it; expected a __global__ function",
                    r->file);
    if (r->args->json) {
        j = json_begin(stdout);
        json_text(&j, "command", name);
        json_text(&j, "file", r->file);
        json_list(&j, "kernels");
    }
    for (int32_t k = 0; (kernel = hd_model_kernel(r->module, k)) != NULL; k++) {
        model_signature_of(r->module, kernel, r->sources.at[0].text, &s);
        if (r->args->json)
            list_json(&j, &s);
        else
            list_text(&s);
    }
    if (!r->args->json) {
        model_list_templates(r);
    } else {
        json_close(&j);
        model_list_templates_json(&j, r);
        json_end(&j);
    }
    return EXIT_DONE;
}

// The module's name of the kernel that was asked for: its own, or that without the arguments of a
// template.
static int find_kernel(model_run *r, const char *wanted)
{
    char list[1024] = "";
    const char *kernel, *found = NULL;
    int matches = 0;
    for (int32_t k = 0; (kernel = hd_model_kernel(r->module, k)) != NULL; k++) {
        const bool exact = strcmp(kernel, wanted) == 0;
        if (exact) matches = 0;
        if (exact || hd__model_name_matches(kernel, wanted)) found = kernel, matches++;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "", kernel);
        if (exact) break;
    }
    if (matches == 1) {
        snprintf(r->kernel, sizeof r->kernel, "%s", found);
        return EXIT_DONE;
    }
    if (matches == 0) {
        if (model_find_instance(r, wanted)) return EXIT_DONE;
        EXIT_TRY(model_is_template(r, wanted));
    }
    return fail(EXIT_USAGE, name, "%s: %s kernel '%s'; there %s %s", r->file,
                matches == 0 ? "no" : "more than one", wanted, *list ? "are" : "is",
                *list ? list : "none");
}

// ---- The run ------------------------------------------------------------------------------------

static int verdict(const model_run *r, const model_differences *d)
{
    if (r->status != HD_OK || r->report->finding_count > 0) return EXIT_HAZARD;
    return d->any ? EXIT_CHECK : EXIT_DONE;
}

static int run_once(model_run *r, const model_expectations *e)
{
    static model_differences d;
    EXIT_TRY(model_launch(r, r->model, r->module, &r->status, &r->report));
    print_dropped(&r->printing);
    if (r->status != HD_OK) snprintf(r->failure, sizeof r->failure, "%s", hd_model_error(r->model));
    model_clean(r->failure);
    EXIT_TRY(model_compare(r, r->model, e, &d));
    if (r->args->json)
        model_print_json(r, &d);
    else
        model_print(r, &d);
    if (r->args->html != NULL) EXIT_TRY(model_write_html(r, &d));
    EXIT_TRY(model_write_outputs(r));
    return verdict(r, &d);
}

static int explore(model_run *r, const model_expectations *e)
{
    const int code = model_explore(r, e);
    print_dropped(&r->printing);
    return code;
}

static int run_kernel(model_run *r)
{
    static model_expectations e;
    if (!model_signature_of(r->module, r->kernel, r->sources.at[0].text, &r->signature))
        return fail(EXIT_USAGE, name, "%s takes %d parameters, more than %d", r->kernel,
                    (int)r->signature.count, MODEL_MAX_PARAMETERS);
    int code = model_arguments_read(&r->arguments, &r->signature, &r->args->arg);
    if (code == EXIT_DONE) code = model_variables_read(r, &r->args->set);
    if (code == EXIT_DONE) code = model_check_outputs(r);
    if (code == EXIT_DONE) code = model_expectations_read(r, &e);
    if (code == EXIT_DONE) code = r->args->explore.given ? explore(r, &e) : run_once(r, &e);
    model_expectations_close(&e);
    model_arguments_close(&r->arguments);
    model_variables_close(&r->variables);
    return code;
}

static int run(model_run *r, const char *kernel)
{
    EXIT_TRY(read_shape(r->args, &r->shape));
    EXIT_TRY(read_options(r->args, &r->options, &r->printing));
    EXIT_TRY(read_tolerance(r->args->tolerance, &r->tolerance));
    EXIT_TRY(load(r, kernel));
    if (r->args->ptx) {
        fputs(hd_model_ptx(r->module), stdout);
        return EXIT_DONE;
    }
    if (kernel == NULL) return list_kernels(r);
    EXIT_TRY(find_kernel(r, kernel));
    return run_kernel(r);
}

// --out NAME=FILE and --html FILE are what it writes.
static bool enter_sandbox(const model_args *a, int *code)
{
    const char *write[ARG_MAX_TEXTS + 2];
    int n = 0;
    if (a->html != NULL) write[n++] = a->html;
    for (int k = 0; k < a->out.count; k++) {
        const char *file = strchr(a->out.at[k], '=');
        if (file != NULL) write[n++] = file + 1;
    }
    write[n] = NULL;
    const sandbox_wish wish = {
        .command = name, .args = &a->sandbox, .write = write, .given_up = EXIT_HAZARD};
    return sandbox_enter(&wish, code);
}

int command_model(int argc, char **argv)
{
    static model_args args; // large: every --arg has its place
    static model_run r;
    arg_result operands;
    int code;
    memset(&args, 0, sizeof args);
    if (!args_begin(&model_spec, argc, argv, &args, &operands, &code)) return code;
    if (!enter_sandbox(&args, &code)) return code;
    r = (model_run){.args = &args, .file = operands.operand[0]};
    code = run(&r, operands.count > 1 ? operands.operand[1] : NULL);
    hd_model_close(r.model);
    model_sources_close(&r.sources);
    return code;
}
