// SPDX-License-Identifier: Apache-2.0
//
// A ping-pong between the first rank and the last one (on another node, if there is one), an
// exchange of all with all, an MPI_Allreduce of one number.
#include "network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/support/statistics.h"

enum { TAG = 1, SMALL = 8, LONG = 4 << 20, EACH = 1 << 20, SAMPLES = 1000 };

typedef struct trial {
    const job *r;
    char *from, *to;
    int bytes;
    bool least;
} trial;

// One of each, as seconds of what is asked about.
static double ping_pong(const trial *t)
{
    const int last = t->r->size - 1;
    const double start = MPI_Wtime();
    if (t->r->rank == 0) {
        MPI_Send(t->from, t->bytes, MPI_BYTE, last, TAG, MPI_COMM_WORLD);
        MPI_Recv(t->to, t->bytes, MPI_BYTE, last, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (t->r->rank == last) {
        MPI_Recv(t->to, t->bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(t->from, t->bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - start) / 2;
}

static double all_to_all(const trial *t)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    MPI_Alltoall(t->from, t->bytes, MPI_BYTE, t->to, t->bytes, MPI_BYTE, MPI_COMM_WORLD);
    return MPI_Wtime() - start;
}

static double reduce_one(const trial *t)
{
    int64_t mine = t->bytes, sum;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    MPI_Allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return MPI_Wtime() - start;
}

// The median, or least, as rank 0 sees it, of some after a few that warm up.
static double time_of(double (*one)(const trial *), const trial *t, double budget)
{
    double sample[SAMPLES], used = 0;
    int count = 0;
    for (int k = 0; k < 4; k++) one(t);
    while (count < 8 || (used < budget && count < SAMPLES)) {
        used += sample[count++] = one(t);
        MPI_Bcast(&used, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); // all stop together
    }
    const statistics all = statistics_of(sample, count);
    double seconds = t->least ? all.least : all.median;
    MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return seconds;
}

static int count_nodes(const job *r)
{
    MPI_Comm node;
    int on_node = 0, first = 0, nodes = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, r->rank, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &on_node);
    MPI_Comm_free(&node);
    first = on_node == 0;
    MPI_Allreduce(&first, &nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return nodes;
}

// Binary searches in sorted numbers that fill a cache, as a sort's splitters are found.
static double search_step(void)
{
    enum { N = 1 << 16, SEARCHES = 1 << 12 };
    uint32_t *key = malloc(N * sizeof *key), found = 0;
    if (key == NULL) return 0;
    for (uint32_t k = 0; k < N; k++) key[k] = k << 16;
    const double start = MPI_Wtime();
    for (uint32_t k = 0; k < SEARCHES; k++) {
        const uint32_t wanted = (k ^ found) * 2654435761u;
        uint32_t low = 0, high = N;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (key[middle] < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        found = low;
    }
    const double seconds = MPI_Wtime() - start;
    free(key);
    return seconds / SEARCHES / log2(N);
}

static void measure(trial *t, double budget, network *net)
{
    const int size = t->r->size;
    const double levels = ceil(log2(size));
    scaling_machine *m = &net->machine;
    t->bytes = SMALL;
    m->latency = time_of(ping_pong, t, budget);
    t->bytes = LONG;
    const double one_way = time_of(ping_pong, t, budget);
    m->byte = fmax(one_way - m->latency, 0) / LONG;
    net->bandwidth = LONG / one_way;
    t->bytes = EACH / size;
    const double all = time_of(all_to_all, t, budget);
    m->exchanged = fmax(all - (size - 1) * m->latency, 0) / ((double)t->bytes * (size - 1));
    net->out = (double)t->bytes * (size - 1) / all;
    net->allreduce = time_of(reduce_one, t, budget);
    m->collective = net->allreduce / levels;
    m->step = search_step();
    MPI_Bcast(m, (int)sizeof *m, MPI_BYTE, 0, MPI_COMM_WORLD);
}

int network_measure(const job *r, measuring how, network *net)
{
    int length = 0;
    trial t = {r, calloc(LONG, 1), calloc(LONG, 1), 0, how.least};
    memset(net, 0, sizeof *net);
    MPI_Get_library_version(net->version, &length);
    net->version[strcspn(net->version, "\n,")] = '\0';
    int code = t.from == NULL || t.to == NULL
                   ? fail(EXIT_IO, "bench", "no memory for messages of %d bytes", (int)LONG)
                   : EXIT_DONE;
    code = ranks_agree(r, code);
    if (code == EXIT_DONE) {
        measure(&t, how.seconds, net);
        net->nodes = count_nodes(r);
    }
    free(t.from);
    free(t.to);
    return code;
}
