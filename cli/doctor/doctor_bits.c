// SPDX-License-Identifier: Apache-2.0
//
// heddle doctor --bits: the archive of bits on every backend, instruction set and a few numbers of
// threads; --write makes a new archive.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bits/bits.h"
#include "cli/command.h"
#include "doctor.h"
#include "io/json.h"
#include "cli/args/options.h"
#include "cli/support/progress.h"
#include "cli/support/escaped.h"

// What the model machine, which computes a few million instructions a second and has every kernel
// compiled, does in well under a minute. Named by --backend it does all.
enum {
    MODEL_LARGEST = 4099,
    MODEL_EVERY = 41,
    DEVICE_ROUNDS = 12,
    TARGET_NAME = 64,
    SHOWN_MAX = 12,
    ARCHIVE_MAX = 1 << 24
};

typedef struct bits_report {
    const doctor_bits *what;
    const bits_list *list;
    const bits_archive *archive;
    json *json; // NULL: text
    progress bar;
    hd_context *ctx; // of the target at hand
    int64_t done;    // steps of earlier rounds
    int64_t shown;   // differences of this target that were told
    int64_t different;
    int code; // of what could not be done at all
} bits_report;

// ---- One target ---------------------------------------------------------------------------------

// A digest does not say where: the serial backend does, if it agrees with the archive.
static void print_place(const bits_report *r, const bits_difference *d)
{
    char serial[BITS_RESULT];
    bits_place place;
    if (d->expected == NULL || bits_run(r->list->serial, d->what, d->n, serial) != HD_OK) return;
    if (strcmp(serial, d->expected) == 0 &&
        bits_locate(r->list->serial, r->ctx, d->what, d->n, &place))
        printf("        first at element %" PRId64 " of the result: %" PRIx64
               " in the place of %" PRIx64 "\n",
               place.element, place.b, place.a);
}

static void print_difference(void *user, const bits_difference *d)
{
    bits_report *r = user;
    const char *expected =
        d->expected != NULL ? shown(d->expected) : "nothing, it is no case there";
    if (r->json != NULL) {
        json_object(r->json, NULL);
        json_text(r->json, "case", d->what->name);
        json_int(r->json, "size", d->n);
        json_text(r->json, "expected", d->expected);
        json_text(r->json, "got", d->got);
        json_close(r->json);
    } else if (r->shown++ < SHOWN_MAX) {
        progress_end(&r->bar);
        printf("    %s, size %" PRId64 ": expected %s, got %s\n", d->what->name, d->n, expected,
               shown(d->got));
        print_place(r, d);
    }
}

static void print_declined(void *user, const char *name, int64_t n)
{
    bits_report *r = user;
    progress_end(&r->bar);
    printf("    declined: %s, size %" PRId64 "\n", name, n);
}

static void step(void *user, int64_t done)
{
    bits_report *r = user;
    progress_step(&r->bar, r->done + done);
}

static void print_check(const char *name, const bits_check *c)
{
    printf("  %-3s  %-28s %" PRId64 " results the same", c->different ? "no" : "yes", name,
           c->same);
    if (c->different) printf(", %" PRId64 " not", c->different);
    if (c->refused) printf(", %" PRId64 " declined", c->refused);
    if (c->left_out) printf(", %" PRId64 " left out", c->left_out);
    putchar('\n');
    fflush(stdout);
}

static void json_check(json *j, const bits_check *c)
{
    json_close(j); // the differences
    json_int(j, "same", c->same);
    json_int(j, "different", c->different);
    json_int(j, "declined", c->refused);
    json_int(j, "left_out", c->left_out);
    json_close(j);
}

static void begin(bits_report *r, const char *name, int64_t steps)
{
    r->shown = 0;
    r->bar = progress_begin(name, steps);
    r->bar.steps = true;
    if (r->json == NULL) return;
    json_object(r->json, NULL);
    json_text(r->json, "target", name);
    json_list(r->json, "differences");
}

static void finish(bits_report *r, const char *name, bits_check *check)
{
    check->left_out = -check->same - check->different - check->refused;
    for (int64_t k = 0; k < r->list->count; k++)
        for (const int64_t *n = r->list->at[k].sizes; *n >= 0; n++) check->left_out++;
    progress_end(&r->bar);
    r->different += check->different;
    if (r->json != NULL)
        json_check(r->json, check);
    else
        print_check(name, check);
}

// Cases of a target are shared out: the part that was asked for, or a sample; and among rounds.
typedef struct sharing {
    int64_t shares, rounds;
    bool sample;
} sharing;

// A context keeps the kernels it compiled, gigabytes in all: a device's is opened anew for each
// round.
static sharing sharing_of(const doctor_bits *what, hd_backend backend)
{
    const bool device = backend == HD_CUDA || backend == HD_MODEL;
    const bool sample = backend == HD_MODEL && what->run.backend == NULL && what->parts == 0;
    return (sharing){.shares = what->parts > 0 ? what->parts
                               : sample        ? MODEL_EVERY
                                               : 1,
                     .rounds = device ? DEVICE_ROUNDS : 1,
                     .sample = sample};
}

// Opens a context; the target's name too. false: it is said why, and the report has the code.
static bool open_target(bits_report *r, context_options options, hd_backend backend,
                        hd_context **ctx, char name[TARGET_NAME])
{
    options.backend = hd_backend_name(backend);
    const int code = options_open("doctor", &options, ctx);
    if (code != EXIT_DONE) {
        r->code = code;
        return false;
    }
    const int threads = (int)hd_threads(*ctx);
    snprintf(name, TARGET_NAME, backend == HD_CPU ? "%s, %s, %d thread%s" : "%s", options.backend,
             hd_isa(*ctx), threads, threads == 1 ? "" : "s");
    return true;
}

static void try_target(bits_report *r, hd_backend backend, const char *isa, int32_t threads)
{
    const sharing s = sharing_of(r->what, backend);
    bits_check check = {.differs = print_difference, .step = step, .user = r};
    context_options options = r->what->run;
    char name[TARGET_NAME];
    int64_t round = 0;
    if (isa != NULL) options.isa = isa;
    if (threads > 0) options.threads.value = threads;
    if (r->what->declined && r->json == NULL) check.declined = print_declined;
    if (s.sample) check.largest = MODEL_LARGEST;
    check.parts = s.shares * s.rounds;
    for (; round < s.rounds && open_target(r, options, backend, &check.ctx, name); round++) {
        if (round == 0) begin(r, name, s.rounds * r->list->count);
        r->ctx = check.ctx, r->done = round * r->list->count;
        check.part = r->what->part + round * s.shares;
        bits_compare(&check, r->list, r->archive);
        hd_close(check.ctx);
    }
    if (round > 0) finish(r, name, &check);
}

// ---- All targets --------------------------------------------------------------------------------

static int32_t all_threads(void)
{
    hd_context *ctx;
    const bool open = hd_open(&ctx, &(hd_context_options){.backend = HD_CPU}) == HD_OK;
    const int32_t all = open ? hd_threads(ctx) : 1;
    hd_close(ctx);
    return all;
}

static void try_cores(bits_report *r, const char *isa)
{
    const int32_t all = all_threads();
    if (r->what->run.threads.given) {
        try_target(r, HD_CPU, isa, 0);
        return;
    }
    for (int32_t threads = 1; threads <= 2 && r->code == EXIT_DONE; threads++)
        try_target(r, HD_CPU, isa, threads);
    if (all > 2 && r->code == EXIT_DONE) try_target(r, HD_CPU, isa, all);
}

static void try_backend(bits_report *r, hd_backend backend)
{
    const char *why = "";
    if (!hd_backend_available(backend, &why)) {
        if (r->json == NULL)
            printf("  --   %-28s not here: %s\n", hd_backend_name(backend), shown(why));
        if (r->what->run.backend != NULL) r->code = EXIT_BACKEND;
        return;
    }
    if (backend != HD_CPU) {
        try_target(r, backend, NULL, 0);
    } else if (r->what->run.isa != NULL) {
        try_cores(r, NULL);
    } else {
        for (int32_t k = 0; hd_isa_name(k) != NULL; k++)
            if (hd_isa_runs(k)) try_cores(r, hd_isa_name(k));
    }
}

static void print_stale(bits_report *r)
{
    char name[BITS_NAME];
    for (int64_t k = 0; bits_stale(r->archive, r->list, k, name) != NULL; k++) {
        r->different++;
        if (r->json == NULL && k < SHOWN_MAX)
            printf("    in the archive, and no case here: %s\n", shown(name));
    }
}

static int try_all(bits_report *r)
{
    const char *named = r->what->run.backend;
    const int32_t only = named != NULL ? hd_backend_named(named) : HD_AUTO;
    hd_context *ctx;
    if (only < 0) return options_open("doctor", &r->what->run, &ctx); // says why
    print_stale(r);
    for (int b = HD_SERIAL; b < HD_BACKEND_COUNT; b++)
        if (only == HD_AUTO || b == only) try_backend(r, (hd_backend)b);
    return r->different > 0 ? EXIT_CHECK : r->code;
}

// ---- The command --------------------------------------------------------------------------------

static int check_all(const doctor_bits *what, const bits_list *list, const bits_archive *archive)
{
    bits_report r = {.what = what, .list = list, .archive = archive};
    json j;
    if (!what->json) {
        printf("The archive of bits: %" PRId64 " cases\n", list->count);
        return try_all(&r);
    }
    j = json_begin(stdout);
    r.json = &j;
    json_text(&j, "command", "doctor");
    json_text(&j, "version", hd_version());
    json_int(&j, "cases", list->count);
    json_list(&j, "targets");
    const int code = try_all(&r);
    json_close(&j);
    json_bool(&j, "same", code == EXIT_DONE);
    json_end(&j);
    return code;
}

static int write_archive(const char *file, const bits_list *list)
{
    const char *failed = "";
    FILE *out = fopen(file, "w");
    if (out == NULL) return fail(EXIT_IO, "doctor", "%s: cannot be written", file);
    const hd_status status = bits_write(list, out, &failed);
    const bool whole = fclose(out) == 0;
    if (status != HD_OK)
        return fail(EXIT_CHECK, "doctor", "%s: %s", failed, hd_error(list->serial));
    return whole ? EXIT_DONE : fail(EXIT_IO, "doctor", "%s: could not be written", file);
}

// The text of an archive, or NULL, having printed why. Larger ones than any are not read.
static char *read_archive(const char *file)
{
    char *text = malloc(ARCHIVE_MAX + 1);
    FILE *in = fopen(file, "r");
    const size_t bytes = text != NULL && in != NULL ? fread(text, 1, ARCHIVE_MAX, in) : 0;
    const bool whole = bytes > 0 && feof(in);
    if (in != NULL) fclose(in);
    if (whole) {
        text[bytes] = 0;
        return text;
    }
    free(text);
    fail(EXIT_IO, "doctor", "%s: could not be read, or is no archive", file);
    return NULL;
}

static int check_against(const doctor_bits *what, const bits_list *list, const char *text)
{
    bits_archive archive;
    if (!bits_read(&archive, text)) return fail(EXIT_IO, "doctor", "no memory");
    const int code = check_all(what, list, &archive);
    bits_close(&archive);
    return code;
}

int doctor_check_bits(const doctor_bits *what)
{
    bits_list list;
    char *text = what->archive != NULL ? read_archive(what->archive) : NULL;
    int code = EXIT_IO;
    if (what->archive != NULL && text == NULL) return code;
    if (!bits_make(&list))
        fail(code, "doctor", "no memory");
    else if (what->write != NULL)
        code = write_archive(what->write, &list);
    else
        code = check_against(what, &list, text);
    bits_drop(&list);
    free(text);
    return code;
}
