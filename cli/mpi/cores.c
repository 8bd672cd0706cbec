// SPDX-License-Identifier: Apache-2.0
//
// Cores and the ranks that share them.
#define _GNU_SOURCE
#include "cores.h"

#include <mpi.h>

#include <sched.h>
#include <stdlib.h>
#include <string.h>

static int64_t share_of(MPI_Comm node, const cpu_set_t *mine)
{
    int ranks = 1, sharing = 0;
    MPI_Comm_size(node, &ranks);
    cpu_set_t *all = calloc((size_t)ranks, sizeof *all);
    const int room = all != NULL;
    int rooms = 0;
    MPI_Allreduce(&room, &rooms, 1, MPI_INT, MPI_MIN, node);
    if (rooms) {
        MPI_Allgather(mine, (int)sizeof *mine, MPI_BYTE, all, (int)sizeof *mine, MPI_BYTE, node);
        for (int k = 0; k < ranks; k++) sharing += CPU_EQUAL(mine, &all[k]) != 0;
    }
    free(all);
    const int64_t cores = CPU_COUNT(mine);
    return sharing > 0 && cores > sharing ? cores / sharing : 1;
}

int64_t cores_share(void)
{
    cpu_set_t mine;
    MPI_Comm node;
    memset(&mine, 0, sizeof mine);
    if (sched_getaffinity(0, sizeof mine, &mine) != 0) CPU_SET(0, &mine);
    // The same on all ranks or not, the calls are made by all.
    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node) !=
        MPI_SUCCESS)
        return 1;
    const int64_t share = share_of(node, &mine);
    MPI_Comm_free(&node);
    return getenv("HEDDLE_THREADS") || getenv("OMP_NUM_THREADS") ? 0 : share;
}
