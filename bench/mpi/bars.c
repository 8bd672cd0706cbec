// SPDX-License-Identifier: Apache-2.0
//
// How a reduction and a sort over two ranks compare with what a program could do instead: local
// sums and MPI_Allreduce, a sort by threads of one process; and how much memory a rank's sort
// takes. Contenders take turns, so that others on the machine meet all of them alike.
//
//     mpirun -n 2 bars [reduce | sort | memory] [elements, or their log2] [rounds]
#include <heddle_mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/support/clock.h"
#include "bench/support/statistics.h"

enum { MAX_ROUNDS = 1000, MAX_CONTENDERS = 4 };

typedef struct bench {
    hd_context *ctx; // of one thread
    hd_mpi *mpi;
    int rank, ranks;
    int64_t n, all; // elements here, and everywhere
    int rounds;
} bench;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "bars: %s: %s\n", what, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static void must(const bench *b, hd_status status, const char *what)
{
    if (status != HD_OK)
        fail(what, hd_mpi_error(b->mpi)[0] ? hd_mpi_error(b->mpi) : hd_error(b->ctx));
}

static void *allocate(int64_t bytes)
{
    void *memory = malloc((size_t)bytes + 1);
    if (memory == NULL) fail("memory", "none left");
    return memory;
}

// Ranks that wait sleep: the one that works needs both cores.
static void meet(void)
{
    const struct timespec nap = {0, 1000000};
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
        nanosleep(&nap, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

// ---- Contenders ---------------------------------------------------------------------------------

typedef struct contender {
    const char *name;
    void (*run)(const bench *b, void *data);
    double seconds[MAX_ROUNDS], cpu[MAX_ROUNDS]; // of the slowest rank; of all ranks
} contender;

// Each round in another order; the time of the slowest rank.
static void take_turns(const bench *b, contender *c, int count, void *data)
{
    for (int k = 0; k < b->rounds * count; k++) {
        contender *now = &c[(k + k / count) % count];
        meet();
        const int64_t begin = clock_now(), cpu_begin = clock_cpu();
        now->run(b, data);
        const double mine = 1e-9 * (double)(clock_now() - begin),
                     cpu = 1e-9 * (double)(clock_cpu() - cpu_begin);
        MPI_Reduce(&mine, &now->seconds[k / count], 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        MPI_Reduce(&cpu, &now->cpu[k / count], 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    }
}

// The last contender is what the others are compared with: the medians of the ratios of neighbours
// in time, and the ratios of the least times.
static void print(const bench *b, const char *what, const contender *c, int count)
{
    double ratio[MAX_ROUNDS];
    if (b->rank != 0) return;
    const statistics base = statistics_of(c[count - 1].seconds, b->rounds);
    printf("%s, %d ranks, %lld elements, %d rounds\n", what, b->ranks, (long long)b->all,
           b->rounds);
    printf("%-34s %10s %10s %12s %12s %14s\n", "", "least, ms", "median, ms", "least/least",
           "median ratio", "least CPU, ms");
    for (int k = 0; k < count; k++) {
        const statistics s = statistics_of(c[k].seconds, b->rounds);
        for (int i = 0; i < b->rounds; i++) ratio[i] = c[k].seconds[i] / c[count - 1].seconds[i];
        printf("%-34s %10.3f %10.3f %12.3f %12.3f %14.3f\n", c[k].name, 1e3 * s.least,
               1e3 * s.median, s.least / base.least, statistics_of(ratio, b->rounds).median,
               1e3 * statistics_of(c[k].cpu, b->rounds).least);
    }
}

// ---- Reduce -------------------------------------------------------------------------------------

static void reduce_by_heddle(const bench *b, void *x)
{
    double sum;
    must(b, hd_mpi_reduce(b->mpi, HD_VIEW((double *)x, b->n), HD_SUM, HD_VIEW(&sum, 1), NULL),
         "hd_mpi_reduce");
}

static void reduce_local_sums(const bench *b, void *x)
{
    double sum, all;
    must(b, hd_reduce(b->ctx, HD_VIEW((double *)x, b->n), HD_SUM, HD_VIEW(&sum, 1), NULL),
         "hd_reduce");
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void bench_reduce(bench *b)
{
    static contender c[] = {{"hd_mpi_reduce", reduce_by_heddle, {0}, {0}},
                            {"hd_reduce, then MPI_Allreduce", reduce_local_sums, {0}, {0}}};
    double *x = allocate(8 * b->n);
    for (int64_t i = 0; i < b->n; i++) x[i] = 1.0 / (double)(i + 1 + b->rank);
    take_turns(b, c, 2, x);
    print(b, "sum of f64", c, 2);
    free(x);
}

// ---- Sort ---------------------------------------------------------------------------------------

typedef struct arrays {
    uint32_t *in, *out;         // of this rank
    uint32_t *got, *copy;       // of the parts of a sort
    uint32_t *all_in, *all_out; // of rank 0: of everything
    hd_context *threads;        // as many as ranks
} arrays;

static void fill(uint32_t *x, int64_t n, uint64_t state)
{
    for (int64_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x[i] = (uint32_t)(state >> 32);
    }
}

static void sort_by_ranks(const bench *b, void *data)
{
    arrays *a = data;
    must(b, hd_mpi_sort(b->mpi, HD_VIEW(a->in, b->n), HD_VIEW(a->out, b->n), HD_NO_VALUES, NULL),
         "hd_mpi_sort");
}

// The floor of a sort that exchanges sorted keys: each rank sorts its own, exchanges half of them,
// and passes once over what it has then; a copy stands for the merge.
static void sort_parts(const bench *b, void *data)
{
    arrays *a = data;
    const int to = (b->rank + 1) % b->ranks, from = (b->rank - 1 + b->ranks) % b->ranks;
    const int half = (int)(b->all / b->ranks / 2); // of each rank
    must(b, hd_sort(b->ctx, HD_VIEW(a->in, b->n), HD_VIEW(a->out, b->n), HD_NO_VALUES, NULL),
         "hd_sort");
    MPI_Sendrecv(b->rank % 2 == 0 ? a->out + half : a->out, half, MPI_UINT32_T, to, 2, a->got, half,
                 MPI_UINT32_T, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    memcpy(a->copy, b->rank % 2 == 0 ? a->out : a->out + half, 4 * (size_t)half);
    memcpy(a->copy + half, a->got, 4 * (size_t)half);
}

static void sort_by_threads(const bench *b, void *data)
{
    arrays *a = data;
    if (b->rank == 0 && hd_sort(a->threads, HD_VIEW(a->all_in, b->all), HD_VIEW(a->all_out, b->all),
                                HD_NO_VALUES, NULL) != HD_OK)
        fail("hd_sort", hd_error(a->threads));
    meet();
}

static void check_sorted(const bench *b, const arrays *a)
{
    int64_t begin = hd_mpi_even(b->all, b->rank, b->ranks), wrong = 0;
    uint32_t *want = a->all_out;
    if (b->rank != 0) want = allocate(4 * b->n);
    if (b->rank == 0)
        for (int r = 1; r < b->ranks; r++) {
            const int64_t from = hd_mpi_even(b->all, r, b->ranks);
            MPI_Send(want + from, (int)(hd_mpi_even(b->all, r + 1, b->ranks) - from), MPI_UINT32_T,
                     r, 1, MPI_COMM_WORLD);
        }
    else
        MPI_Recv(want, (int)b->n, MPI_UINT32_T, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int64_t i = 0; i < b->n; i++) wrong += want[i] != a->out[i];
    if (wrong > 0) fail("hd_mpi_sort", "another result than hd_sort");
    if (b->rank != 0) free(want);
    (void)begin;
}

static void bench_sort(bench *b)
{
    static contender c[] = {{"sorts, an exchange and a copy", sort_parts, {0}, {0}},
                            {"hd_mpi_sort, one thread a rank", sort_by_ranks, {0}, {0}},
                            {"hd_sort, a thread for each rank", sort_by_threads, {0}, {0}}};
    arrays a = {.in = allocate(4 * b->n), .out = allocate(4 * b->n)};
    a.got = allocate(4 * b->n), a.copy = allocate(4 * b->n);
    if (b->rank == 0) {
        a.all_in = allocate(4 * b->all), a.all_out = allocate(4 * b->all);
        const hd_context_options o = {.backend = HD_CPU, .threads = b->ranks};
        if (hd_open(&a.threads, &o) != HD_OK) fail("hd_open", "no context");
        fill(a.all_in, b->all, 1);
        memcpy(a.in, a.all_in, 4 * (size_t)b->n);
    }
    for (int r = 1; r < b->ranks; r++) {
        const int64_t from = hd_mpi_even(b->all, r, b->ranks);
        const int count = (int)(hd_mpi_even(b->all, r + 1, b->ranks) - from);
        if (b->rank == 0)
            MPI_Send(a.all_in + from, count, MPI_UINT32_T, r, 0, MPI_COMM_WORLD);
        else if (b->rank == r)
            MPI_Recv(a.in, count, MPI_UINT32_T, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    take_turns(b, c, 3, &a);
    sort_by_ranks(b, &a);
    check_sorted(b, &a);
    print(b, "sort of u32", c, 3);
    hd_close(a.threads);
    free(a.in), free(a.out), free(a.got), free(a.copy), free(a.all_in), free(a.all_out);
}

// ---- Memory -------------------------------------------------------------------------------------

// A line of /proc/self/status, in bytes.
static double status_of(const char *name)
{
    char line[256];
    double kib = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, name, strlen(name)) == 0) kib = strtod(line + strlen(name) + 1, NULL);
    if (f != NULL) fclose(f);
    return 1024 * kib;
}

static void bench_memory(bench *b)
{
    const double before = status_of("VmRSS");
    arrays a = {.in = allocate(4 * b->n), .out = allocate(4 * b->n)};
    fill(a.in, b->n, (uint64_t)b->rank + 1);
    memset(a.out, 1, 4 * (size_t)b->n);
    const double arrays_of = status_of("VmRSS");
    sort_by_ranks(b, &a);
    const double peak = status_of("VmHWM"), share = 4 * (double)b->n;
    double mine[2] = {(peak - before) / share, (peak - arrays_of) / share}, most[2];
    MPI_Reduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (b->rank == 0)
        printf("memory of a sort of u32, %d ranks, %lld elements, in shares of a rank (%.0f MiB): "
               "%.3f at the peak, in and out with it; %.3f without\n",
               b->ranks, (long long)b->all, share / (1 << 20), most[0], most[1]);
    free(a.in), free(a.out);
}

// ---- The program --------------------------------------------------------------------------------

int main(int argc, char **argv)
{
    bench b = {.rounds = argc > 3 ? atoi(argv[3]) : 0};
    const char *what = argc > 1 ? argv[1] : "";
    const int64_t size = argc > 2 ? atoll(argv[2]) : 0; // up to 40: its logarithm
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &b.ranks);
    if (hd_open(&b.ctx, &(hd_context_options){.backend = HD_CPU, .threads = 1}) != HD_OK)
        fail("hd_open", "no context");
    must(&b, hd_mpi_open(&b.mpi, b.ctx, MPI_COMM_WORLD), "hd_mpi_open");
    b.rounds = b.rounds < 1 ? 20 : b.rounds > MAX_ROUNDS ? MAX_ROUNDS : b.rounds;
    b.all = size > 40  ? size
            : size > 0 ? (int64_t)1 << size
                       : (int64_t)1 << (strcmp(what, "reduce") == 0 ? 24 : 26);
    b.n = hd_mpi_even(b.all, b.rank + 1, b.ranks) - hd_mpi_even(b.all, b.rank, b.ranks);
    if (strcmp(what, "reduce") == 0)
        bench_reduce(&b);
    else if (strcmp(what, "sort") == 0)
        bench_sort(&b);
    else if (strcmp(what, "memory") == 0)
        bench_memory(&b);
    else
        fail("arguments", "bars reduce | sort | memory [elements, or their log2] [rounds]");
    hd_mpi_close(b.mpi);
    hd_close(b.ctx);
    MPI_Finalize();
    return 0;
}
