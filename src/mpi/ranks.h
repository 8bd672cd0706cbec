// SPDX-License-Identifier: Apache-2.0
// What every call over MPI stands on: the ranks, an error that all of them share, scratch, messages
// of any length.
//
// A call works in steps. A step that may fail on one rank gives a status, and goes on sending and
// receiving what the others expect of it; hd__mpi_agree then makes it the status of all.
#ifndef HEDDLE_MPI_RANKS_H
#define HEDDLE_MPI_RANKS_H

#include <heddle_mpi.h>

enum { HD__MPI_TEXT = 512, HD__MPI_ROWS = 96, HD__MPI_STAGES = 24, HD__MPI_LISTED = 16 };

// A view of a device, and its copy on the host (stage.h).
typedef struct hd__mpi_staged {
    hd_view device, host;
    bool is_read, goes_back;
} hd__mpi_staged;

struct hd_mpi {
    hd_context *ctx;
    MPI_Comm comm;
    int rank, ranks;
    int64_t chunk;           // bytes of a message in an exchange, at most: 1 GiB, less in tests
    char text[HD__MPI_TEXT]; // of this rank's error, later of all
    bool passed_on;          // this rank's error is only that of another
    hd_view row[HD__MPI_ROWS];
    int rows;
    hd__mpi_staged stage[HD__MPI_STAGES];
    hd_view listed[HD__MPI_LISTED];
    int stages;
    hd_status staging; // whether all views of a device have their copies
    bool aware;        // the MPI takes addresses of this rank's device (direct.h)
    bool direct;       // and this call makes use of that
    bool there;        // views of it have stayed there
};

// Begins a call: no error, no scratch.
void hd__mpi_begin(hd_mpi *m);

// The error of this rank: keeps the first one. hd__mpi_failed takes the text of the context.
hd_status hd__mpi_fail(hd_mpi *m, hd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
hd_status hd__mpi_failed(hd_mpi *m, hd_status status);
// The status of a call of MPI.
hd_status hd__mpi_status(hd_mpi *m, int code);

// Collective: HD_OK if all ranks are well, else the status and the text of the lowest that is not.
// The second one also brings back to a device what was written, and gives back scratch: the end of
// every call.
hd_status hd__mpi_agree(hd_mpi *m, hd_status status);
hd_status hd__mpi_end(hd_mpi *m, hd_status status);

// Collective: where this rank's n elements begin, and how many there are; and agrees.
hd_status hd__mpi_layout(hd_mpi *m, hd_status status, int64_t n, int64_t *first, int64_t *all);

// Collective: whether all ranks passed the same number, which what names; and agrees.
hd_status hd__mpi_same(hd_mpi *m, hd_status status, const char *call, const char *what,
                       int64_t number);

// A row of n elements of scratch until the end of the call, or until it is dropped.
hd_status hd__mpi_row(hd_mpi *m, hd_type type, int64_t n, hd_view *row);
void hd__mpi_drop(hd_mpi *m, hd_view *row);

// A view that calls here take: one dimension, no gaps, in host memory or that of a device where the
// call takes it.
hd_status hd__mpi_check_row(hd_mpi *m, const char *call, const char *name, const hd_view *v);

// Two rows that share no byte.
hd_status hd__mpi_check_apart(hd_mpi *m, const char *call, const char *name, const hd_view *v,
                              const char *other, const hd_view *w);

// ---- Messages -----------------------------------------------------------------------------------

// Begins to send a short message; *request is waited for by hd__mpi_wait.
hd_status hd__mpi_begin_send(hd_mpi *m, const void *bytes, int64_t n, int to, MPI_Request *request);
hd_status hd__mpi_wait(hd_mpi *m, MPI_Request *request);
// Receives one, of up to room bytes; *n: how many came.
hd_status hd__mpi_receive(hd_mpi *m, void *bytes, int64_t room, int from, int64_t *n);

// Sends give[r] elements, which lie one rank's behind the other's, to each rank r, and receives
// take[r] from each in the same way; collective. size: bytes of an element of `from` and `to`,
// without gaps, in host memory or, in a call that takes it, that of a device. What a rank gives to
// itself is copied, but where it takes 0 of itself; what others get goes in chunks.
hd_status hd__mpi_exchange(hd_mpi *m, size_t size, hd_view from, const int64_t *give, hd_view to,
                           const int64_t *take);
// The same where each rank comes with a status of its own: nobody sends where one has failed.
hd_status hd__mpi_exchange_all(hd_mpi *m, hd_status status, size_t size, hd_view from,
                               const int64_t *give, hd_view to, const int64_t *take);
// theirs[r] = what rank r has for this one in its mine; collective, and agrees.
hd_status hd__mpi_counts(hd_mpi *m, hd_status status, const int64_t *mine, int64_t *theirs);

#endif
