// SPDX-License-Identifier: Apache-2.0
//
// The machine from inside: a module made ready to run, device memory, and the state of a warp in
// lockstep. One instruction is one call that works on 32 lanes; every operand is an array of 32
// lanes (a predicate is a mask), constants and special registers too, so that no instruction asks
// what its operands are.
#ifndef HEDDLE_MODEL_EXEC_MACHINE_H
#define HEDDLE_MODEL_EXEC_MACHINE_H

#include "memory.h"
#include "model/ptx/ptx.h"

#include <pthread.h>

#define WARP 32

typedef struct machine machine;
typedef struct operation operation;

// Runs one instruction for the lanes of the mask. It may change the mask, the place, or stop.
typedef void run_operation(machine *m, const operation *o);

// An instruction ready to run. Slots are byte offsets into the registers of a frame.
struct operation {
    run_operation *run;
    uint32_t d, a, b, c; // slots; d2: the second result (the predicate of d|p)
    uint32_t d2, e;      // e: a fourth source
    int32_t guard;       // slot of the guard, or -1
    bool guard_negated, negate_a, negate_b, negate_c;
    bool always;             // runs also where no lane passes its guard: a branch
    uint8_t op, type, type2; // ptx_opcode, ptx_type
    uint8_t space;           // ptx_space of an access
    uint8_t vector;          // elements of an access, or operands of a list
    uint8_t bytes;           // of one element of an access
    uint8_t order, scope;    // memory_order_kind, memory_scope
    uint8_t rounding;        // rounding_mode
    uint8_t mode;            // what the operation makes of it: comparison, atomic, shuffle...
    bool flush, saturate;
    int64_t offset;       // of an address
    int32_t target, join; // of a branch: where to, and where its lanes reconverge
    uint32_t list;        // first of `vector` slots in the program's list, or UINT32_MAX
    int32_t count;        // of a list of targets
    int32_t variable;     // of an access: 1 more than the number of the variable it is of, or 0
    bool combines;        // an atomic whose lanes all have one address, as the compiler sees
    bool gathers;         // the lanes of a mask (slot e) must all be here
    bool optimistic_load; // an optimistic load: a compare-and-swap checks its value
    bool copy_only;       // its value is only stored
    bool taken;           // a load whose value a shuffle or a vote takes
    bool compared;        // a load whose value is only compared: a flag
    bool reconverges;     // a reconvergence point: paths of a branch end here
    int32_t straight;     // how many from here on run one after another, whatever the lanes hold
    int32_t site;         // number within the module, from 0: what counts are kept by
    const ptx_instruction *text;
    const struct program *callee;
    const operation *also; // of a bulk copy: what its mbarrier receives
};

typedef enum rounding_mode { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP } rounding_mode;
typedef enum access_order {
    ORDER_WEAK,
    ORDER_VOLATILE,
    ORDER_RELAXED,
    ORDER_ACQUIRE,
    ORDER_RELEASE,
    ORDER_ACQ_REL,
    ORDER_SC
} access_order;
typedef enum access_scope {
    SCOPE_NONE,
    SCOPE_CTA,
    SCOPE_CLUSTER,
    SCOPE_GPU,
    SCOPE_SYS
} access_scope;

// A slot that is filled when a frame begins: with a special register, or with the address of a
// local variable, which depends on the frames below.
typedef struct special_slot {
    uint32_t slot;
    int32_t special; // ptx_special, or -1: local + offset
    int64_t offset;
} special_slot;

// A function ready to run.
typedef struct program {
    const ptx_function *text;
    const ptx_module *module;
    operation *code; // one more than the text's: the last ends the function
    int32_t length;
    uint8_t *initial; // registers as a frame begins: constants, else zeros
    uint32_t register_bytes;
    uint32_t variable_bytes; // of them, in front: what a frame begins with as zeros
    uint32_t *list;          // slots of vectors
    int32_t list_count;
    special_slot *specials;
    int32_t special_count;
    int64_t local_bytes, frame_bytes; // a thread's, of this function
    int64_t stack_bytes;              // local memory of it and what it may call
    int64_t shared_bytes;             // static, of the entry and everything the module declares
} program;

// ---- A warp -------------------------------------------------------------------------------------

// A call: its registers, and a thread's local memory and parameters. Chunks of a warp that went
// different ways inside it share it.
typedef struct frame {
    const program *program;
    uint8_t *registers;
    int64_t locals;  // where its variables begin in each thread's local memory
    uint8_t *params; // of lane l: params + l * frame_bytes; the kernel's own are the grid's
    int32_t back;    // where the caller goes on
    const operation *call;
    struct frame *caller;
    struct frame *next, *made; // of unused ones; of all the pool has
} frame;

// Where the lanes of a branch, or of a call, reconverge. A reconvergence point holds all lanes of
// its frame that have not gone on; it is over when those that are expected have arrived.
typedef struct reconvergence {
    int32_t at;
    uint32_t expected, arrived;
    frame *frame;
    bool returns; // of a call: at the function's end
    struct reconvergence *outer, *made;
} reconvergence;

// Lanes of a warp that go the same way.
typedef struct warp_split {
    uint32_t mask;
    int32_t at;
    frame *frame;
    reconvergence *reconvergence; // or NULL
    int32_t waiting;              // at a barrier: its number; WAITS_FOR_NOTHING, WAITS_FOR_LANES
    struct warp_split *next, *made;
} warp_split;

#define WAITS_FOR_NOTHING (-1)
#define WAITS_FOR_LANES   (-2)

typedef struct warp {
    struct block *block;
    int32_t number;
    uint32_t alive; // lanes that have not ended
    warp_split *splits;
    frame *first;   // of the kernel
    uint8_t *local; // of lane l: local + l * local_bytes
    int64_t local_bytes;
    int32_t turns;           // since a divergent path last diverged, reconverged, waited or ended
    int32_t polls;           // atomics and strong accesses since then
    struct copies *copies;   // by cp.async, that have not been waited for; NULL: none yet
    uint32_t cluster_parity; // of each lane: the phase of the cluster's barrier it arrived in
    struct {                 // the last strong access: one that finds the same is a poll
        const operation *site;
        uint32_t mask;
        uint64_t found;
    } strong;
} warp;

#define RESERVED_BYTES 1024 // of shared memory that the system keeps, behind a block's own

#define BARRIERS 16
typedef struct barrier {
    int32_t arrived; // threads
    int32_t named;   // how many the instruction names; 0: all of the block
    int32_t count;   // of bar.red: threads whose predicate holds
} barrier;

// Blocks that run together and reach each other's shared memory. Without clusters each block is one
// by itself.
#define MAX_CLUSTER 16
typedef struct cluster {
    struct block *block[MAX_CLUSTER]; // by rank
    int32_t blocks;
    int32_t held;          // blocks that have not been dropped
    int32_t running;       // blocks that have not ended
    int32_t left, arrived; // threads: that have not ended; at the barrier
    uint32_t phase;        // of the barrier
} cluster;

typedef struct block {
    struct grid *grid;
    int64_t index;
    int32_t at[3]; // %ctaid
    int32_t warps, threads;
    warp *warp;
    int32_t left;   // threads that have not ended
    uint64_t steps; // instructions of its warps so far
    uint8_t *shared;
    int64_t shared_bytes;
    barrier barriers[BARRIERS];
    cluster *cluster; // its own, or one of several
    cluster alone;
    int32_t rank;
    bool ended;
    struct block *next;                                  // of those that are kept for later
    void *races, *valid, *barrier_checks, *pram, *exits; // what detectors keep of it
} block;

// What detectors are set to; the names are those of hd_model_options.
typedef struct machine_settings {
    int32_t arch, sector_bytes, line_bytes, banks, bank_bytes, warp_lanes;
    int32_t rule; // of a PRAM: 1 more than the one that must hold, or 0
} machine_settings;

// What all blocks of a launch share, read only while it runs.
typedef struct grid {
    const program *program;
    device_memory *memory;
    int32_t size[3], block_size[3];
    int64_t blocks;
    const uint8_t *params; // of the kernel
    int64_t param_bytes;
    int64_t shared_bytes, dynamic_bytes;     // of a block: all; of them, what the launch asked for
    int64_t reserved_at;                     // of shared memory that the system keeps
    const struct observer *const *observers; // NULL at the end
    const struct machine_settings *settings;
    int32_t sites;   // of the module
    int32_t threads; // of the host, that run it
    const program *programs;
    int32_t program_count;
    int64_t trace; // accesses that the trace keeps
    int32_t cluster[3];
    void (*print)(void *user, const char *text); // what kernels print; may be NULL
    void *print_user;
    struct caches *caches;       // what is written down for them; may be NULL
    pthread_mutex_t *print_lock; // print is called by one host thread at a time
} grid;

// Events that observers subscribe to: accesses by space and kind, then those of observer.h.
enum {
    EVENT_INSTRUCTION = 3 * (PTX_PARAM + 1),
    EVENT_BRANCH,
    EVENT_BARRIER,
    EVENT_RELEASE,
    EVENT_FENCE,
    EVENT_WARP_SYNC,
    EVENT_EXCHANGE,
    EVENT_STRONG_VALUE,
    EVENT_STUCK,
    EVENT_INACTIVE,
    EVENT_REUSE,
    EVENTS
};
#define EVENT_ACCESS(space, kind) (3 * (int)(space) + (int)(kind))

// One host thread's machine: the warp it runs now, spread out for the instructions.
struct machine {
    uint8_t *registers; // of the current frame
    uint32_t mask;      // lanes that run this instruction
    // The mask as lanes: all bits or none
    _Alignas(64) uint32_t lane32[WARP];
    _Alignas(64) uint64_t lane64[WARP];
    uint32_t spread; // the mask that lane32 and lane64 show
    warp_split *now;
    warp *warp;
    block *block;
    grid *grid;
    frame *frame;
    uint64_t clock; // instructions this host thread has run
    int32_t next;   // where the divergent path goes on; an operation may change it
    bool moved;     // the divergent path is no longer what it was: reconvergence.c has changed it
    bool polled;    // a strong access found what it had found before: the block may be waiting
    bool failed;
    char error[512];
    allocation *recent;                     // that held the last global access
    void **states;                          // one for each observer
    struct subscriber *subscribers[EVENTS]; // observers of each event; NULL ends a list
    // How often each instruction ran, as differences: a run of instructions adds one where it
    // begins and takes it away behind its end. [site][0] of warps, [1] of threads.
    int64_t (*ran)[2];
    int64_t *happened; // by site: divergences of a branch, arrivals at a barrier
    struct pool *pool;
};

#define SLOT(m, slot) ((void *)((m)->registers + (slot)))

// Stops the launch: the first error stays. It names the instruction's line by itself.
void hd__model_machine_fail(machine *m, const operation *o, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// So many instructions from o on ran once, by so many lanes each.
static inline void machine_ran(machine *m, const operation *o, int32_t count, int lanes)
{
    int64_t(*first)[2] = m->ran + o->site;
    first[0][0]++, first[0][1] += lanes;
    first[count][0]--, first[count][1] -= lanes;
}

static inline void machine_spread(machine *m)
{
    if (m->spread == m->mask) return;
    for (int l = 0; l < WARP; l++) {
        m->lane32[l] = 0u - (m->mask >> l & 1u);
        m->lane64[l] = (uint64_t)0 - (m->mask >> l & 1u);
    }
    m->spread = m->mask;
}

#endif
