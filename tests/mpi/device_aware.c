// SPDX-License-Identifier: Apache-2.0
#include "device_aware.h"

#include <stdlib.h>

int64_t device_bytes_sent, device_bytes_received;

// A message on its way: its bytes on the host, and where they go on the device, or NULL.
typedef struct parcel {
    struct parcel *next;
    MPI_Request request;
    void *host, *device;
    int64_t n;
} parcel;

static hd_context *known;
static parcel *parcels;

void know_device(hd_context *ctx)
{
    known = ctx;
}

// The model machine's addresses begin at 2^33; those of a process on Linux lie above or below.
bool is_device_address(const void *bytes)
{
    const uintptr_t at = (uintptr_t)bytes;
    return at >= (uintptr_t)1 << 33 && at < (uintptr_t)1 << 41;
}

static void copy(const void *from, bool from_device, void *to, bool to_device, int64_t n)
{
    hd_view a = hd_view_of(HD_U8, from, n), b = hd_view_of(HD_U8, to, n);
    if (from_device) a = hd_on_device(a, 0);
    if (to_device) b = hd_on_device(b, 0);
    if (n > 0) CHECK_OK(known, hd_map(known, a, NULL, b, NULL));
}

static parcel *begin(void *device, int64_t n)
{
    parcel *p = check_memory(sizeof *p);
    CHECK(known != NULL, "an address of a device, and MPI knows none");
    *p = (parcel){parcels, MPI_REQUEST_NULL, check_memory((size_t)n + 1), device, n};
    return parcels = p;
}

const void *begin_message(const void *bytes, int64_t n)
{
    if (!is_device_address(bytes)) return bytes;
    parcel *p = begin(NULL, n);
    copy(bytes, true, p->host, false, n);
    device_bytes_sent += n;
    return p->host;
}

void *begin_receipt(void *bytes, int64_t n)
{
    if (!is_device_address(bytes)) return bytes;
    device_bytes_received += n;
    return begin(bytes, n)->host;
}

void tie_to_request(const MPI_Request *request)
{
    if (parcels != NULL && parcels->request == MPI_REQUEST_NULL) parcels->request = *request;
}

void end_message(const MPI_Request *request)
{
    if (*request == MPI_REQUEST_NULL) return;
    for (parcel **at = &parcels; *at != NULL; at = &(*at)->next) {
        parcel *p = *at;
        if (p->request != *request) continue;
        *at = p->next;
        if (p->device != NULL) copy(p->host, false, p->device, true, p->n);
        free(p->host), free(p);
        return;
    }
}
