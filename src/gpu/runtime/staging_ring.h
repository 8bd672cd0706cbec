// SPDX-License-Identifier: Apache-2.0
// Slots: a few blocks of host memory between views of the host and the device, pinned where that
// can be had, so that copies run beside kernels and at the link's speed. Made once a context; and a
// belt of them, on which pieces of views go in, are worked on and come out, each while the others
// do something else.
#ifndef HEDDLE_GPU_RUNTIME_STAGING_RING_H
#define HEDDLE_GPU_RUNTIME_STAGING_RING_H

#include "gpu/gpu.h"

enum {
    HD__SLOTS = 4,
    HD__SPARE = 4096, // bytes of a slot beside its views: a node, and two elements
    HD__MOST_LOADED = HD_MAX_INPUTS + 2
};

typedef struct hd__slots {
    char *memory;
    size_t bytes;         // of a slot, without its spare ones
    bool pinned;          // else it is the context's
    bool busy[HD__SLOTS]; // the last copy of it was not awaited
} hd__slots;

// The context's slots; NULL where so few bytes have gone through the context that they are not
// worth making.
hd__slots *hd__slots_for(hd_context *ctx, hd__gpu *gpu, size_t bytes);
void hd__slots_close(hd_context *ctx, hd__gpu *gpu);

// n elements of a host view from number `at` on, one after another into memory, and back; by the
// context's threads.
void hd__pack_elements(const hd_context *ctx, const hd_view *v, int64_t at, int64_t n, void *to);
void hd__unpack_elements(const hd_context *ctx, const hd_view *v, int64_t at, int64_t n,
                         const void *from);

// The first n elements of a host view through the slots, to the device and back; `bring` waits.
hd_status hd__slots_send(hd_context *ctx, hd__gpu *gpu, const hd_view *v, int64_t n,
                         hd__address to);
hd_status hd__slots_bring(hd_context *ctx, hd__gpu *gpu, const hd_view *v, int64_t n,
                          hd__address from);

// ---- A belt -------------------------------------------------------------------------------------

// What views of the host take on the device.
typedef struct hd__load {
    int32_t count;
    size_t size[HD__MOST_LOADED]; // of an element of each
} hd__load;

void hd__load_view(hd__load *load, const hd_view *v); // if it is the host's
size_t hd__load_bytes(const hd__load *load, int64_t n);

typedef struct hd__slot {
    char *host;
    hd__address device;
    size_t used;
    int32_t number;
    bool busy; // a piece is on its way
    int64_t n;
    int32_t level; // of the piece's node, or -1: there is none to come
    int32_t outs;
    struct {
        hd_view view; // the host's
        size_t at;    // in the slot
    } out[2];
} hd__slot;

typedef struct hd__belt {
    hd_context *ctx;
    hd__gpu *gpu;
    hd__address memory;
    size_t bytes; // of a slot
    void *own;    // host memory where there are no slots
    int32_t turn;
    int64_t done, all; // elements
    hd__slot slot[HD__SLOTS];
} hd__belt;

// A belt for n elements. Where memory of the device is short its slots are smaller; `bytes` says
// how large.
hd_status hd__belt_open(hd__belt *b, hd_context *ctx, hd__gpu *gpu, const hd__load *load,
                        int64_t n);

// Waits for everything, whatever the status, and hands it on.
hd_status hd__belt_close(hd__belt *b, hd_status status);

// The slot whose turn it is: the piece that it has must be settled before it takes n elements.
hd__slot *hd__belt_next(hd__belt *b);
void hd__belt_take(hd__belt *b, hd__slot *s, int64_t n);

// Puts a view of the slot in the place of one of the host, whose elements are copied in, or come
// back when it is settled; others stay.
hd_status hd__belt_in(hd__belt *b, hd__slot *s, hd_view *v);
void hd__belt_out(hd__slot *s, hd_view *v);

// All inputs are on their way; the work that is begun next comes after them; it is all begun, and
// outputs follow.
hd_status hd__belt_loaded(hd__belt *b, const hd__slot *s);
hd_status hd__belt_work(hd__belt *b, const hd__slot *s);
hd_status hd__belt_worked(hd__belt *b, hd__slot *s);

// A few bytes of the work's, into the spare ones: awaited by hd__belt_await_node. And back.
hd_status hd__belt_node(hd__belt *b, const hd__slot *s, size_t bytes);
hd_status hd__belt_await_node(hd__belt *b, const hd__slot *s);
hd__address hd__belt_node_address(const hd__belt *b, const hd__slot *s);
char *hd__belt_spare(const hd__belt *b, const hd__slot *s); // HD__SPARE bytes: the node lies first

// Waits until a slot's piece is out, if it has one, and tells the context's owner how far things
// are.
hd_status hd__belt_settle(hd__belt *b, hd__slot *s);

#endif
