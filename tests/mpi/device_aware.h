// SPDX-License-Identifier: Apache-2.0
// An MPI that takes addresses of a device, made of one that does not: messages from and into the
// model machine's memory go through a copy. What touches such memory in any other way crashes.
#ifndef HEDDLE_TESTS_MPI_DEVICE_AWARE_H
#define HEDDLE_TESTS_MPI_DEVICE_AWARE_H

#include <mpi.h>

#include "mpi_test.h"

// Addresses of this context's device are known from now on; NULL: none.
void know_device(hd_context *ctx);

bool is_device_address(const void *bytes);

// The bytes of a message from there, on the host until end_message.
const void *begin_message(const void *bytes, int64_t n);
// Room for one that goes there.
void *begin_receipt(void *bytes, int64_t n);
// Ties what was begun last to the request.
void tie_to_request(const MPI_Request *request);
// The request has ended: what came goes to the device.
void end_message(const MPI_Request *request);

// Bytes of messages from and to the device.
extern int64_t device_bytes_sent, device_bytes_received;

#endif
