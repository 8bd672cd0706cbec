// SPDX-License-Identifier: Apache-2.0
//
// heddle bench: the machine's peak bandwidths, then each pattern by size, type and operator,
// against them and against the peers that are found. The measuring itself lives in bench/.
#include "cli/command.h"
#include "cli/args/options.h"
#include "bench_options.h"

#include "bench/accuracy/accuracy.h"
#include "bench/harness/results_json.h"
#include "bench/harness/table.h"
#include "io/stream/temporary_file.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const arg_option options[] = {
    ARG_TEXT(0, "sizes", "LIST",
             "numbers of elements: 2^10,2^16,1000; random:40 or random:40:SEED\ndraws so many from "
             "2^10 to 2^28",
             bench_args, sizes),
    ARG_TEXT(0, "shift", "N", "arrays begin N elements past an aligned address (0)", bench_args,
             shift),
    ARG_TEXT(0, "types", "LIST", "only these element types: i32,f32,f64,u8,i16", bench_args, types),
    ARG_TEXT(0, "ops", "LIST", "only these operators: sum,min,max,argmax", bench_args, ops),
    ARG_TEXT(0, "rows", "TEXT", "only rows in whose operator, as the table has it, this is",
             bench_args, rows),
    ARG_TEXT(0, "peers", "LIST",
             "compare with other libraries; bare --peers: all that are\nfound, --peers=TBB,NumPy: "
             "these",
             bench_args, peers),
    ARG_FLAG(0, "latency", "only the time of calls on 1 to 1,000 elements", bench_args, latency),
    ARG_FLAG(0, "each", "a line for every peer and for the peak bandwidth too", bench_args, each),
    ARG_FLAG(0, "least", "times are the least, not the medians: on a machine that others use",
             bench_args, least),
    ARG_FLAG(0, "cpu-time",
             "times are the processors', of all threads added up: with\n-t 1 on a machine that "
             "others use",
             bench_args, cpu_time),
    ARG_FLAG(0, "quick", "fewer sizes, shorter races", bench_args, quick),
    ARG_FLAG(0, "no-peaks", "leave the table of measured peak bandwidths out", bench_args,
             no_peaks),
    ARG_TEXT(0, "time", "SECONDS", "about how long each row is measured (0.6)", bench_args, time),
    ARG_TEXT(0, "json", "FILE", "also write everything with raw samples; - is standard output",
             bench_args, json),
    ARG_FLAG(0, "accuracy", "instead: errors of sums of hard data, compared with other methods",
             bench_args, accuracy),
    ARG_FLAG(0, "mpi",
             "instead: the messages of an MPI, and patterns over its ranks:\nmpirun -n 2 heddle "
             "bench --mpi",
             bench_args, mpi),
    ARG_FLAG(0, "predict", "with --mpi: times on 1 to 100,000 ranks, by the model of scaling.md",
             bench_args, predict),
    CONTEXT_OPTION_ROWS(bench_args, context),
    ARG_END};

const arg_spec bench_spec = {
    "bench",
    "[PATTERN...]",
    "measures speed against the machine's peak bandwidth and other libraries",
    "Patterns: reduce, exact, scan, sums, segmented, slices, user_operators, latency, parameters,\n"
    "compositions, ranks, slide, map, gather, scatter, find, difference, shuffle, stencil,\n"
    "convolve, blur, transpose, zip, select, runs, histogram, sort, sort_by, merge, search,\n"
    "top_k, nth, list, maximum; all if none is named. And auto: host arrays on the backend that\n"
    "`auto` chooses, against cpu and cuda.\n"
    "Algorithms, all of which are `algorithms`: filter, recurrence, polynomial, bigint,\n"
    "tridiagonal, spmv, matmul, inverse, components, mst, tree,\n"
    "lex, strings, evaluate, hull, integral, boxes, label, spans, layout;\n\n"
    "  heddle bench reduce --sizes 2^24 --types f32 --peers\n"
    "  heddle bench --quick --json today.json && heddle compare before.json today.json\n\n"
    "Every result is checked before it is timed. All contestants work on the same data in turns;\n"
    "'time' is the median, 'spread' is (p90 - p10) / median, 'peak' is the percentage of the "
    "measured\n"
    "peak bandwidth (the time of the machine's fastest plain read or copy of the same bytes over "
    "the\n"
    "time of the call), 'ratio' is the best peer's time over Heddle's; '!' marks a peer that is "
    "faster\n"
    "by more than the spread.\n",
    options,
    0,
    ARG_MAX_OPERANDS};

#define CHOSEN_MAX (ARG_MAX_OPERANDS + 64)

typedef struct bench_output {
    FILE *out;
    bool peers, each;
    bool wrong, failed;
} bench_output;

static void print_row(bench_run *run, const bench_result *result)
{
    bench_output *p = run->user;
    table_row(p->out, result, p->peers, p->each);
    if (result->state == ROW_WRONG) p->wrong = true;
    if (result->state == ROW_FAILED) p->failed = true;
}

// Bare --peers means all of them.
static void complete_peers(int argc, char **argv)
{
    static char all[] = "--peers=all";
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++)
        if (strcmp(argv[k], "--peers") == 0) argv[k] = all;
}

static int read_settings(const bench_args *a, bench_run *run)
{
    run->types = a->types, run->ops = a->ops, run->rows = a->rows, run->small_sizes = a->quick,
    run->least = a->least;
    run->settings =
        a->quick ? (race_settings){0.15, 3, a->cpu_time} : (race_settings){0.6, 5, a->cpu_time};
    if (a->cpu_time) setenv("HEDDLE_BENCH_CPU_TIME", "1", 1); // for peers in other processes
    if (a->sizes) run->size_count = sizes_read(a->sizes, run->sizes, SIZES_MAX);
    if (run->size_count < 0)
        return fail(EXIT_USAGE, "bench",
                    "--sizes %s: expected up to %d, such as 2^10,2^24,1000, or random:40", a->sizes,
                    SIZES_MAX);
    if (a->shift) {
        char *rest;
        run->shift = strtol(a->shift, &rest, 10);
        if (*rest || rest == a->shift || run->shift < 0 || run->shift > SHIFT_MAX)
            return fail(EXIT_USAGE, "bench", "--shift %s: expected 0 to %d elements", a->shift,
                        SHIFT_MAX);
    }
    if (!a->time) return 0;
    char *end;
    run->settings.seconds = strtod(a->time, &end);
    if (*end || end == a->time || !(run->settings.seconds > 0 && run->settings.seconds <= 3600))
        return fail(EXIT_USAGE, "bench", "--time %s: expected seconds, more than 0", a->time);
    return 0;
}

static int no_pattern(const char *got)
{
    char all[1024] = "";
    for (int half = 0; half < 2; half++) {
        const bench_pattern *const *const list = half ? bench_algorithms : bench_patterns;
        for (int k = 0; list[k]; k++) {
            const size_t length = strlen(all);
            snprintf(all + length, sizeof all - length, "%s%s", length > 0 ? ", " : "",
                     list[k]->name);
        }
    }
    return fail(EXIT_USAGE, "bench", "no pattern '%s'; there are %s", got, all);
}

// The patterns and algorithms named, or all patterns; NULL at the end.
static int choose_patterns(const arg_result *args, bool latency, const bench_pattern **chosen)
{
    int count = 0;
    for (int k = 0; k < args->count; k++) {
        if (strcmp(args->operand[k], "algorithms") == 0) {
            for (int j = 0; bench_algorithms[j] && count < CHOSEN_MAX - 1; j++)
                chosen[count++] = bench_algorithms[j];
            continue;
        }
        if (count == CHOSEN_MAX - 1) break;
        chosen[count] = pattern_named(args->operand[k]);
        if (!chosen[count++]) return no_pattern(args->operand[k]);
    }
    if (latency && count == 0) chosen[count++] = pattern_named("latency");
    for (int k = 0; args->count == 0 && !latency && bench_patterns[k]; k++)
        if (!bench_patterns[k]->alone) chosen[count++] = bench_patterns[k];
    chosen[count] = NULL;
    return 0;
}

// The name of the device that was measured, or NULL: the cores were.
static const char *device_name(const bench_run *run)
{
    hd__gpu *gpu;
    if (!run->on_device || hd__gpu_of(run->ctx, &gpu) != HD_OK) return NULL;
    return gpu->driver->properties(gpu->device)->name;
}

static int write_json(const bench_args *a, const bench_run *run, const table_peaks *peaks)
{
    io_temporary_file temporary;
    io_error error;
    if (io_temporary_file_open(&temporary, a->json, &error)) return io_failed("bench", &error);
    const int copy = dup(temporary.fd);
    FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (out) results_write_json(out, run, peaks, "heddle", device_name(run));
    const bool bad = !out || ferror(out);
    if ((out && fclose(out)) || bad) {
        io_temporary_file_abandon(&temporary);
        return fail(EXIT_IO, "bench", "%s: could not be written", a->json);
    }
    return io_temporary_file_commit(&temporary, &error) ? io_failed("bench", &error) : 0;
}

static int check_rows(const bench_args *a, const bench_run *run, const bench_pattern **chosen)
{
    const char *option = a->rows ? "--rows" : a->ops ? "--ops" : "--types";
    const char *text = a->rows ? a->rows : a->ops ? a->ops : a->types;
    for (int k = 0; chosen[k]; k++)
        if (bench_has_rows(run, chosen[k])) return EXIT_DONE;
    return fail(EXIT_USAGE, "bench",
                "%s %s: no row is left; `heddle bench PATTERN --quick` shows them all", option,
                text);
}

static int run_all(const bench_args *a, bench_run *run, const bench_pattern **chosen,
                   bench_output *p)
{
    table_peaks peaks = {0};
    fprintf(p->out, "Heddle %s, %s, %d thread%s\n", hd_version(), hd_isa(run->ctx),
            hd_threads(run->ctx), hd_threads(run->ctx) == 1 ? "" : "s");
    if (run->peers->count) {
        fprintf(p->out, "Peers:");
        for (int k = 0; k < run->peers->count; k++)
            fprintf(p->out, " %s", run->peers->peer[k]->name);
        fprintf(p->out, "\n");
    } else if (a->peers) {
        fprintf(p->out, "Peers: none found%s%s\n", strcmp(a->peers, "all") ? " of " : "",
                strcmp(a->peers, "all") ? a->peers : "");
    }
    if (!a->no_peaks && !run->on_device)
        table_peaks_measure(&peaks, hd_threads(run->ctx), a->quick, p->out);
    for (int k = 0; chosen[k]; k++) {
        p->peers = a->peers || chosen[k]->against_itself;
        table_head(p->out, chosen[k], p->peers);
        if (!bench_run_pattern(run, chosen[k]))
            return fail(EXIT_IO, "bench", "not enough memory for the data of %s", chosen[k]->name);
    }
    if (a->json) {
        const int code = write_json(a, run, &peaks);
        if (code) return code;
    }
    return p->wrong ? EXIT_CHECK : p->failed ? EXIT_BACKEND : EXIT_DONE;
}

// Tables of errors; what chooses rows and times has nothing to say there.
static int show_accuracy(const bench_args *a, int operands)
{
    hd_context *ctx;
    if (operands > 0 || a->sizes || a->shift || a->types || a->ops || a->rows || a->peers ||
        a->json || a->time || a->quick || a->latency || a->each || a->least || a->cpu_time ||
        a->no_peaks)
        return fail(EXIT_USAGE, "bench",
                    "--accuracy goes with --backend, --threads and --isa only");
    EXIT_TRY(options_open("bench", &a->context, &ctx));
    const hd_status status = accuracy_print(stdout, ctx);
    const int code = status == HD_OK ? EXIT_DONE : library_failed("bench", ctx, status);
    hd_close(ctx);
    return code;
}

int command_bench(int argc, char **argv)
{
    bench_args a = {0};
    arg_result args;
    int code;
    complete_peers(argc, argv);
    if (!args_begin(&bench_spec, argc, argv, &a, &args, &code)) return code;
    if (a.mpi || a.predict)
        return fail(EXIT_USAGE, "bench",
                    a.mpi ? "--mpi: HEDDLE_MPI=0 leaves MPI out" : "--predict: goes with --mpi");
    if (a.accuracy) return show_accuracy(&a, args.count);
    bench_run run = {0};
    const bench_pattern *chosen[CHOSEN_MAX];
    if ((code = read_settings(&a, &run)) != 0) return code;
    if ((code = choose_patterns(&args, a.latency, chosen)) != 0) return code;
    if ((code = check_rows(&a, &run, chosen)) != 0) return code;
    if ((code = options_open("bench", &a.context, &run.ctx)) != 0) return code;
    const char *backend = a.context.backend ? a.context.backend : getenv("HEDDLE_BACKEND");
    run.on_device = backend && (strcmp(backend, "cuda") == 0 || strcmp(backend, "model") == 0);
    peer_set peers = {0};
    if (a.peers)
        peers_open(&peers, strcmp(a.peers, "all") == 0 ? NULL : a.peers, run.on_device,
                   hd_threads(run.ctx), stderr);
    bench_output p = {a.json && strcmp(a.json, "-") == 0 ? stderr : stdout, false, a.each, false,
                      false};
    run.peers = &peers, run.log = stderr, run.done = print_row, run.user = &p;
    code = run_all(&a, &run, chosen, &p);
    bench_run_close(&run);
    peers_close(&peers);
    hd_close(run.ctx);
    return code;
}
