// SPDX-License-Identifier: Apache-2.0
//
// heddle doctor: what is here, what is missing, and which package brings it. Finding out is
// doctor_machine.c's and doctor_software.c's business.
#include "doctor.h"

#include <stdlib.h>
#include <string.h>

#include "cli/support/color.h"
#include "cli/command.h"
#include "io/json.h"
#include "cli/args/options.h"
#include "cli/support/escaped.h"

static const char name[] = "doctor";

typedef struct doctor_args {
    context_options run;
    bool json, warm, tune_auto, bits, declined;
    const char *archive, *write, *part;
} doctor_args;

static const arg_option options[] = {
    CONTEXT_OPTION_ROWS(doctor_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", doctor_args, json),
    ARG_FLAG(0, "warm", "compile the kernels of common calls, which are kept on disk", doctor_args,
             warm),
    ARG_FLAG(0, "tune-auto", "measure how fast cores and device are, by which `auto` chooses",
             doctor_args, tune_auto),
    ARG_FLAG(0, "bits", "hold every backend against the archive of bits that is built in",
             doctor_args, bits),
    ARG_FLAG(0, "declined", "--bits: list the cases that a backend declines", doctor_args,
             declined),
    ARG_TEXT(0, "part", "K/N", "--bits: only the K-th of N parts of the cases, 1/N to N/N",
             doctor_args, part),
    ARG_TEXT(0, "archive", "FILE", "--bits: against this archive, of another version perhaps",
             doctor_args, archive),
    ARG_TEXT(0, "write", "FILE", "--bits: write an archive of serial's results instead",
             doctor_args, write),
    ARG_END,
};

const arg_spec doctor_spec = {
    name,
    "",
    "tells what this machine has for Heddle, what is missing and how to get it",
    "Everything but the cpu backend is optional.\n\n"
    "Examples:\n"
    "  heddle doctor\n"
    "  heddle doctor --json\n"
    "  heddle doctor --warm\n"
    "  heddle doctor --tune-auto\n"
    "  heddle doctor --bits --backend serial\n",
    options,
    0,
    0,
};

static void print_missing(const doctor_findings *f)
{
    int missing = 0;
    for (int k = 0; k < f->count; k++) {
        const doctor_finding *x = &f->list[k];
        bool told = x->package == NULL;
        for (int j = 0; j < k && !told; j++)
            told = f->list[j].package != NULL && strcmp(f->list[j].package, x->package) == 0;
        if (told) continue;
        fputs(missing++ == 0 ? "\nTo get what is missing (all of it optional):\n  apt install" : "",
              stdout);
        printf(" %s", x->package);
    }
    if (missing > 0) putchar('\n');
}

static void print_text(const doctor_findings *f)
{
    const bool color = color_wanted(stdout);
    const char *section = "";
    printf("Heddle %s\n", hd_version());
    for (int k = 0; k < f->count; k++) {
        const doctor_finding *x = &f->list[k];
        if (strcmp(section, x->section) != 0) printf("\n%s\n", x->section);
        section = x->section;
        const char *start = color ? (x->here ? COLOR_GREEN : COLOR_DIM) : "";
        printf("  %s%-3s%s  %-22s %s\n", start, x->here ? "yes" : "no", color ? COLOR_OFF : "",
               x->name, shown(x->text));
    }
    print_missing(f);
}

static void print_json(const doctor_findings *f)
{
    json j = json_begin(stdout);
    json_text(&j, "command", name);
    json_text(&j, "version", hd_version());
    json_list(&j, "findings");
    for (int k = 0; k < f->count; k++) {
        const doctor_finding *x = &f->list[k];
        json_object(&j, NULL);
        json_text(&j, "section", x->section);
        json_text(&j, "name", x->name);
        json_bool(&j, "here", x->here);
        json_text(&j, "text", x->text);
        json_text(&j, "package", x->package);
        json_close(&j);
    }
    json_close(&j);
    json_end(&j);
}

static int check_bits(const doctor_args *args)
{
    long long part = 1, parts = 1;
    char rest;
    if (args->part != NULL && (sscanf(args->part, "%9lld/%9lld%c", &part, &parts, &rest) != 2 ||
                               part < 1 || part > parts))
        return fail(EXIT_USAGE, name, "--part %s: expected K/N, such as 1/16", args->part);
    return doctor_check_bits(&(doctor_bits){.run = args->run,
                                            .archive = args->archive,
                                            .write = args->write,
                                            .part = part - 1,
                                            .parts = args->part != NULL ? parts : 0,
                                            .json = args->json,
                                            .declined = args->declined});
}

int command_doctor(int argc, char **argv)
{
    doctor_args args = {.json = false};
    arg_result operands;
    hd_context *ctx;
    int code;
    if (!args_begin(&doctor_spec, argc, argv, &args, &operands, &code)) return code;
    if (args.bits) return check_bits(&args);
    if (args.declined || args.write != NULL || args.archive != NULL || args.part != NULL)
        return fail(EXIT_USAGE, name, "--declined, --part, --archive and --write go with --bits");
    if (args.warm && args.run.backend == NULL) args.run.backend = "cuda";
    EXIT_TRY(options_open(name, &args.run, &ctx));
    if (args.warm) {
        code = doctor_warm(name, ctx);
        hd_close(ctx);
        return code;
    }
    if (args.tune_auto) {
        code = doctor_tune_auto(name, ctx);
        hd_close(ctx);
        return code;
    }
    doctor_findings *f = calloc(1, sizeof *f);
    if (f == NULL) {
        hd_close(ctx);
        return fail(EXIT_IO, name, "no memory");
    }
    find_machine(f, ctx);
    find_library(f, ctx);
    find_software(f, ctx);
    if (args.json)
        print_json(f);
    else
        print_text(f);
    free(f);
    hd_close(ctx);
    return EXIT_DONE;
}
