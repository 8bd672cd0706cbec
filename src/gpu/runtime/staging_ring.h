// SPDX-License-Identifier: Apache-2.0
// The pinned ring buffer: a few slots of host memory between views of the host and the device,
// pinned where that can be had, so that copies overlap kernels and run at the link's speed; made
// once a context. And a pipeline over its slots: chunks of views are copied in, worked on and
// copied out, each while the others are at another stage.
#ifndef HEDDLE_GPU_RUNTIME_STAGING_RING_H
#define HEDDLE_GPU_RUNTIME_STAGING_RING_H

#include "gpu/gpu.h"

enum {
    HD__GPU_SLOTS = 4,
    HD__GPU_SLOT_SPARE = 4096, // bytes of a slot beside its views: a node, and two elements
    HD__GPU_CHUNK_VIEWS_MAX = HD_MAX_INPUTS + 2
};

typedef struct hd__gpu_pinned_ring {
    char *memory;
    size_t bytes;             // of a slot, without its spare ones
    bool pinned;              // else it is the context's
    bool busy[HD__GPU_SLOTS]; // the last copy of it was not awaited
} hd__gpu_pinned_ring;

// The context's ring; NULL where so few bytes have gone through the context that it is not worth
// making.
hd__gpu_pinned_ring *hd__gpu_pinned_ring_for(hd_context *ctx, hd__gpu *gpu, size_t bytes);
void hd__gpu_pinned_ring_close(hd_context *ctx, hd__gpu *gpu);
size_t hd__gpu_pinned_ring_bytes(const hd__gpu *gpu);

// n elements of a host view from number `at` on, one after another into memory, and back; by the
// context's threads.
void hd__gpu_pack_elements(const hd_context *ctx, const hd_view *v, int64_t at, int64_t n,
                           void *to);
void hd__gpu_unpack_elements(const hd_context *ctx, const hd_view *v, int64_t at, int64_t n,
                             const void *from);

// The first n elements of a host view through the slots, to the device and back; `bring` waits.
hd_status hd__gpu_pinned_ring_send(hd_context *ctx, hd__gpu *gpu, const hd_view *v, int64_t n,
                                   hd__gpu_address to);
hd_status hd__gpu_pinned_ring_receive(hd_context *ctx, hd__gpu *gpu, const hd_view *v, int64_t n,
                                      hd__gpu_address from);

// ---- The pipeline -------------------------------------------------------------------------------

// What views of the host take on the device.
typedef struct hd__gpu_chunk_views {
    int32_t count;
    size_t size[HD__GPU_CHUNK_VIEWS_MAX]; // of an element of each
} hd__gpu_chunk_views;

void hd__gpu_chunk_add_view(hd__gpu_chunk_views *views, const hd_view *v); // if it is the host's
size_t hd__gpu_chunk_bytes(const hd__gpu_chunk_views *views, int64_t n);

typedef struct hd__gpu_slot {
    char *host;
    hd__gpu_address device;
    size_t used;
    int32_t number;
    bool busy; // a chunk is under way
    int64_t n;
    int32_t level; // of the chunk's node, or -1: there is none to come
    int32_t outs;
    struct {
        hd_view view; // the host's
        size_t at;    // in the slot
    } out[2];
} hd__gpu_slot;

typedef struct hd__gpu_pipeline {
    hd_context *ctx;
    hd__gpu *gpu;
    hd__gpu_address memory;
    size_t bytes; // of a slot
    void *own;    // host memory where there is no ring
    int32_t next;
    int64_t done, all; // elements
    hd__gpu_slot slot[HD__GPU_SLOTS];
} hd__gpu_pipeline;

// A pipeline for n elements. Where memory of the device is short its slots are smaller; `bytes`
// says how large.
hd_status hd__gpu_pipeline_open(hd__gpu_pipeline *pipe, hd_context *ctx, hd__gpu *gpu,
                                const hd__gpu_chunk_views *views, int64_t n);

// Waits for everything, whatever the status, and hands it on.
hd_status hd__gpu_pipeline_close(hd__gpu_pipeline *pipe, hd_status status);

// The next slot: its chunk must be settled before it takes n elements.
hd__gpu_slot *hd__gpu_pipeline_next(hd__gpu_pipeline *pipe);
void hd__gpu_pipeline_take(hd__gpu_pipeline *pipe, hd__gpu_slot *s, int64_t n);

// Puts a view of the slot in the place of one of the host, whose elements are copied in, or come
// back when it is settled; others stay.
hd_status hd__gpu_pipeline_in(hd__gpu_pipeline *pipe, hd__gpu_slot *s, hd_view *v);
void hd__gpu_pipeline_out(hd__gpu_slot *s, hd_view *v);

// All inputs are on their way; the work that is begun next comes after them; it is all begun, and
// outputs follow.
hd_status hd__gpu_pipeline_loaded(hd__gpu_pipeline *pipe, const hd__gpu_slot *s);
hd_status hd__gpu_pipeline_work(hd__gpu_pipeline *pipe, const hd__gpu_slot *s);
hd_status hd__gpu_pipeline_worked(hd__gpu_pipeline *pipe, hd__gpu_slot *s);

// A few bytes of the work's, into the spare ones: awaited by hd__gpu_pipeline_await_node. And back.
hd_status hd__gpu_pipeline_node(hd__gpu_pipeline *pipe, const hd__gpu_slot *s, size_t bytes);
hd_status hd__gpu_pipeline_await_node(hd__gpu_pipeline *pipe, const hd__gpu_slot *s);
hd__gpu_address hd__gpu_pipeline_node_address(const hd__gpu_pipeline *pipe, const hd__gpu_slot *s);
char *
hd__gpu_pipeline_spare(const hd__gpu_pipeline *pipe,
                       const hd__gpu_slot *s); // HD__GPU_SLOT_SPARE bytes: the node lies first

// Waits until a slot's chunk is out, if it has one, and tells the context's owner how far things
// are.
hd_status hd__gpu_pipeline_settle(hd__gpu_pipeline *pipe, hd__gpu_slot *s);

#endif
