// SPDX-License-Identifier: Apache-2.0
// Carries as messages; a rank that has failed sends an empty one, so that nobody waits for it.
#include "carries.h"

#include <stdlib.h>

hd_status hd__mpi_begin_carry(hd_mpi *m, hd_status status, const hd_carry *carry, int to,
                              hd__mpi_parcel *parcel)
{
    const int64_t n = status == HD_OK ? hd_carry_bytes(carry) : 0;
    parcel->bytes = malloc((size_t)n + 1);
    parcel->request = MPI_REQUEST_NULL;
    if (parcel->bytes == NULL)
        status = hd__mpi_fail(m, HD_ERROR_MEMORY, "could not allocate a message");
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_carry_pack(m->ctx, carry, HD_VIEW(parcel->bytes, n)));
    const hd_status sent =
        hd__mpi_begin_send(m, parcel->bytes, status == HD_OK ? n : 0, to, &parcel->request);
    return status != HD_OK ? status : sent;
}

hd_status hd__mpi_end_carry(hd_mpi *m, hd_status status, hd__mpi_parcel *parcel)
{
    const hd_status sent = hd__mpi_wait(m, &parcel->request);
    free(parcel->bytes);
    return status != HD_OK ? status : sent;
}

hd_status hd__mpi_send_carry(hd_mpi *m, hd_status status, const hd_carry *carry, int to)
{
    hd__mpi_parcel parcel;
    status = hd__mpi_begin_carry(m, status, carry, to, &parcel);
    return hd__mpi_end_carry(m, status, &parcel);
}

// A node is at most HD_MAX_ELEMENT bytes, and there are two for each bit of a count, at most.
enum { MOST_BYTES = 64 + 126 * HD_MAX_ELEMENT };

hd_status hd__mpi_receive_carry(hd_mpi *m, hd_status status, hd_carry *carry, hd_carry *also,
                                int from)
{
    static const char none[] = "rank %d had nothing to send, as it failed";
    int64_t n = 0;
    char spare[1]; // what a rank without memory receives into: MPI says that it is too small
    unsigned char *bytes = malloc(MOST_BYTES);
    const hd_status received = hd__mpi_receive(m, bytes != NULL ? (char *)bytes : spare,
                                               bytes != NULL ? MOST_BYTES : 0, from, &n);
    if (bytes == NULL) status = hd__mpi_fail(m, HD_ERROR_MEMORY, "could not allocate a message");
    if (status == HD_OK) status = received;
    if (status == HD_OK && n == 0) {
        status = hd__mpi_fail(m, HD_ERROR_ARGUMENT, none, from);
        m->passed_on = true;
    }
    if (status == HD_OK && carry != NULL)
        status = hd__mpi_failed(m, hd_carry_join(m->ctx, carry, HD_VIEW(bytes, n)));
    if (status == HD_OK && also != NULL)
        status = hd__mpi_failed(m, hd_carry_join(m->ctx, also, HD_VIEW(bytes, n)));
    free(bytes);
    return status;
}
