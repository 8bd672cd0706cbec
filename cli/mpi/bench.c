// SPDX-License-Identifier: Apache-2.0
//
// heddle bench --mpi: an MPI's messages, patterns over its ranks beside what the model says of
// them, and what it says of other numbers of ranks.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/support/lists.h"
#include "cli/bench/bench_options.h"
#include "commands.h"
#include "io/stream/temporary_file.h"
#include "network.h"
#include "speeds.h"

static const char name[] = "bench";

// Numbers of ranks that are predicted, and the elements of all for strong scaling.
static const double predicted[] = {1, 2, 8, 64, 512, 4096, 32768, 100000};
enum { PREDICTED = sizeof predicted / sizeof *predicted };
#define STRONG 0x1p36

typedef struct scaling {
    const job *r;
    network net;
    speeds speed;
} scaling;

static double predict(const scaling *s, int k, double n, double ranks)
{
    return scaling_seconds(&s->net.machine, &scaling_patterns[k], s->speed.element[k], n, ranks);
}

static double weak(const scaling *s, int k, double ranks)
{
    return predict(s, k, (double)s->speed.n * ranks, ranks);
}

// ---- Text ---------------------------------------------------------------------------------------

// "12.3 ms", in eight letters.
static const char *time_text(double seconds, char text[32])
{
    static const char *const unit[] = {"s", "ms", "us", "ns"};
    int k = 0;
    while (k < 3 && seconds < 1) seconds *= 1000, k++;
    snprintf(text, 32, "%.*f %s", seconds < 10 ? 2 : seconds < 100 ? 1 : 0, seconds, unit[k]);
    return text;
}

static void print_network(const scaling *s)
{
    char text[32];
    const network *n = &s->net;
    printf("%s; %d rank%s on %d node%s, %d thread%s each\n\n", n->version, s->r->size,
           s->r->size == 1 ? "" : "s", n->nodes, n->nodes == 1 ? "" : "s", hd_threads(s->r->w.ctx),
           hd_threads(s->r->w.ctx) == 1 ? "" : "s");
    printf("latency     %9s    8 bytes, one way\n", time_text(n->machine.latency, text));
    printf("bandwidth   %9.2f GB/s, messages of 4 MiB, one way\n", n->bandwidth / 1e9);
    printf("exchange    %9.2f GB/s out of each rank, all with all\n", n->out / 1e9);
    printf("collective  %9s    MPI_Allreduce of 8 bytes\n\n", time_text(n->allreduce, text));
}

static void print_measured(const scaling *s)
{
    char alone[32], over[32], model[32];
    printf("%lld elements on each rank: measured on one rank alone, over all ranks, and by the "
           "model\n\n",
           (long long)s->speed.n);
    printf("pattern          alone   over ranks        model   measured / model\n");
    for (int k = 0; k < SCALING_PATTERNS; k++) {
        const double seconds = weak(s, k, s->r->size);
        printf("%-9s %s %9s %12s %12s   %16.2f\n", scaling_patterns[k].name,
               scaling_patterns[k].element, time_text(s->speed.alone[k], alone),
               time_text(s->speed.over[k], over), time_text(seconds, model),
               s->speed.over[k] / seconds);
    }
}

// A row of a pattern: times, and how much of them is the time of an ideal machine.
static void print_row(const scaling *s, int k, bool strong)
{
    char text[32];
    const double one = strong ? predict(s, k, STRONG, 1) : weak(s, k, 1);
    printf("%-9s", scaling_patterns[k].name);
    for (int j = 0; j < PREDICTED; j++)
        printf(" %9s",
               time_text(strong ? predict(s, k, STRONG, predicted[j]) : weak(s, k, predicted[j]),
                         text));
    printf("\n         ");
    for (int j = 0; j < PREDICTED; j++) {
        const double seconds =
            strong ? predict(s, k, STRONG, predicted[j]) * predicted[j] : weak(s, k, predicted[j]);
        printf(" %7.0f %%", 100 * one / seconds);
    }
    printf("\n");
}

static void print_predicted(const scaling *s, bool strong)
{
    if (strong)
        printf(
            "\nStrong scaling, 2^36 elements in all: predicted time, and efficiency\n\nranks    ");
    else
        printf("\nWeak scaling, %lld elements on each rank: predicted time, and efficiency\n\n"
               "ranks    ",
               (long long)s->speed.n);
    for (int j = 0; j < PREDICTED; j++) printf(" %9.0f", predicted[j]);
    printf("\n");
    for (int k = 0; k < SCALING_PATTERNS; k++) print_row(s, k, strong);
}

// ---- JSON ---------------------------------------------------------------------------------------

static void add_predicted(json *j, const scaling *s, int k, bool strong)
{
    json_list(j, strong ? "strong" : "weak");
    for (int i = 0; i < PREDICTED; i++) {
        const double n = strong ? STRONG : (double)s->speed.n * predicted[i];
        json_object(j, NULL);
        json_int(j, "ranks", (int64_t)predicted[i]);
        json_real(j, "elements", n);
        json_real(j, "seconds", predict(s, k, n, predicted[i]));
        json_close(j);
    }
    json_close(j);
}

// What the model counts between these ranks.
static void add_cost(json *j, const scaling *s, int k)
{
    const scaling_cost c =
        scaling_patterns[k].cost((double)s->speed.n * s->r->size, (double)s->r->size);
    json_object(j, "cost");
    json_real(j, "rounds", c.rounds);
    json_real(j, "messages", c.messages);
    json_real(j, "bytes", c.bytes);
    json_real(j, "exchanged_bytes", c.exchanged);
    json_close(j);
}

static void write_document(FILE *out, const scaling *s, bool predicts)
{
    const scaling_machine *m = &s->net.machine;
    json j = json_begin(out);
    json_text(&j, "mpi", s->net.version);
    json_int(&j, "ranks", s->r->size);
    json_int(&j, "nodes", s->net.nodes);
    json_int(&j, "threads", hd_threads(s->r->w.ctx));
    json_text(&j, "isa", hd_isa(s->r->w.ctx));
    json_real(&j, "latency_seconds", m->latency);
    json_real(&j, "seconds_per_byte", m->byte);
    json_real(&j, "seconds_per_exchanged_byte", m->exchanged);
    json_real(&j, "seconds_per_collective_round", m->collective);
    json_real(&j, "seconds_per_search_step", m->step);
    json_int(&j, "elements_per_rank", s->speed.n);
    json_list(&j, "patterns");
    for (int k = 0; k < SCALING_PATTERNS; k++) {
        json_object(&j, NULL);
        json_text(&j, "pattern", scaling_patterns[k].name);
        json_text(&j, "element_type", scaling_patterns[k].element);
        json_real(&j, "seconds_alone", s->speed.alone[k]);
        json_real(&j, "seconds_over_ranks", s->speed.over[k]);
        json_real(&j, "seconds_by_model", weak(s, k, s->r->size));
        add_cost(&j, s, k);
        if (predicts) add_predicted(&j, s, k, true), add_predicted(&j, s, k, false);
        json_close(&j);
    }
    json_close(&j);
    json_end(&j);
}

static int write_json(const scaling *s, const char *file, bool predicts)
{
    io_temporary_file temporary;
    io_error error;
    if (io_temporary_file_open(&temporary, file, &error) != IO_OK) return io_failed(name, &error);
    const int copy = dup(temporary.fd);
    FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (out != NULL) write_document(out, s, predicts);
    const bool bad = out == NULL || ferror(out);
    if ((out != NULL && fclose(out) != 0) || bad) {
        io_temporary_file_abandon(&temporary);
        return fail(EXIT_IO, name, "%s: could not be written", file);
    }
    return io_temporary_file_commit(&temporary, &error) == IO_OK ? EXIT_DONE
                                                                 : io_failed(name, &error);
}

// ---- The command --------------------------------------------------------------------------------

static int show(const scaling *s, const bench_args *a)
{
    if (a->json != NULL) EXIT_TRY(write_json(s, a->json, a->predict));
    if (a->json != NULL && strcmp(a->json, "-") == 0) return EXIT_DONE;
    print_network(s);
    print_measured(s);
    if (a->predict) print_predicted(s, true), print_predicted(s, false);
    return EXIT_DONE;
}

static int check_args(const job *r, const bench_args *a, int operands, int64_t *n)
{
    int64_t sizes[1] = {a->quick ? 1 << 17 : 1 << 21};
    if (!a->mpi)
        return fail(EXIT_USAGE, name,
                    "over several ranks --mpi is expected (HEDDLE_MPI=0 measures each process by "
                    "itself)");
    if (operands > 0 || a->shift || a->types || a->ops || a->rows || a->peers || a->latency ||
        a->each || a->no_peaks || a->accuracy)
        return fail(EXIT_USAGE, name,
                    "--mpi goes with --predict, --sizes N, --quick, --time, --least, --json, "
                    "--backend, --threads "
                    "and --isa only");
    if (a->sizes != NULL && (sizes_read(a->sizes, sizes, 1) != 1 || sizes[0] < 4096))
        return fail(EXIT_USAGE, name,
                    "--sizes %s: with --mpi, one size of 4096 or more on each "
                    "rank",
                    a->sizes);
    *n = sizes[0];
    if (r->size > 1) return EXIT_DONE;
    return fail(EXIT_USAGE, name,
                "--mpi: expected two ranks or more: mpirun -n 2 heddle bench "
                "--mpi%s",
                a->predict ? " --predict" : "");
}

static int read_time(const bench_args *a, measuring *how)
{
    char *end;
    *how = (measuring){a->quick ? 0.05 : 0.6, a->least};
    if (a->time == NULL) return EXIT_DONE;
    how->seconds = strtod(a->time, &end);
    if (*end == 0 && end != a->time && how->seconds > 0 && how->seconds <= 3600) return EXIT_DONE;
    return fail(EXIT_USAGE, name, "--time %s: expected seconds, more than 0", a->time);
}

static int run(job *r, const bench_args *a, int operands)
{
    int64_t n = 0;
    scaling s = {.r = r};
    measuring how;
    EXIT_TRY(check_args(r, a, operands, &n));
    EXIT_TRY(ranks_open(r, name, &a->context));
    EXIT_TRY(read_time(a, &how));
    EXIT_TRY(network_measure(r, how, &s.net));
    EXIT_TRY(speeds_measure(r, n, how, &s.speed));
    return r->rank == 0 ? show(&s, a) : EXIT_DONE;
}

int ranks_bench(job *r, int argc, char **argv)
{
    bench_args a = {0};
    arg_result args;
    int code;
    if (!args_begin(&bench_spec, argc, argv, &a, &args, &code)) return code;
    return run(r, &a, args.count);
}
