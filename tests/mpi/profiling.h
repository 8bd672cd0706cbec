// SPDX-License-Identifier: Apache-2.0
// Between the library and MPI, by the profiling interface: messages are counted, and on request
// delayed; and a rank dies.
#ifndef HEDDLE_TESTS_MPI_PROFILING_H
#define HEDDLE_TESTS_MPI_PROFILING_H

#include <stdbool.h>
#include <stdint.h>

// What this rank sent and received from one rank to another, and its collective calls, whose bytes
// are those that it gave.
typedef struct traffic {
    int64_t messages, bytes, longest, received;
    int64_t collectives, collective_bytes;
} traffic;
extern traffic sent;

// From now on messages are held back at random, so that those of several ranks come in another
// order; some wait for their receiver, some receives and collective calls begin late, and some
// collective calls let no rank go before all have come. MPI allows all of that. The seed is the
// same on all ranks.
void delay_messages(uint64_t seed);
void stop_delays(void);

// This process is killed as it is about to send its next message from one rank to another.
void die_at_next_message(void);

#endif
