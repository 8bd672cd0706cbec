// SPDX-License-Identifier: Apache-2.0
// A program over MPI against the installed tree: the sum of 1 to 10 on each rank.
#include <heddle_mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double x[10], total = 0;
    int rank, ranks;
    hd_context *ctx;
    hd_mpi *mpi = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < 10; i++) x[i] = i + 1;
    hd_status status = hd_open(&ctx, NULL);
    if (!status) status = hd_mpi_open(&mpi, ctx, MPI_COMM_WORLD);
    if (!status) status = hd_mpi_reduce(mpi, HD_VIEW(x, 10), HD_SUM, HD_VIEW(&total, 1), NULL);
    if (status) fprintf(stderr, "%s\n", mpi ? hd_mpi_error(mpi) : hd_error(ctx));
    if (rank == 0) printf("%g\n", total / ranks);
    hd_mpi_close(mpi);
    hd_close(ctx);
    MPI_Finalize();
    return status;
}
