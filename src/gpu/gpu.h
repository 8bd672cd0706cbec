// SPDX-License-Identifier: Apache-2.0
// What the passes of the GPU backend share: the device of a context, its kernels, memory that is
// kept between calls, and host views on their way in and out.
#ifndef HEDDLE_GPU_GPU_H
#define HEDDLE_GPU_GPU_H

#include "core/backend.h"
#include "core/system/tuning.h"
#include "device.h"
#include "gpu/codegen/source_text.h"

// Memory of the device that is kept between calls. It is all zero when it is new, and grows; what
// it held is then lost, but the old block stays until the context closes, for recorded launches.
typedef enum hd__area_id {
    HD__COUNTERS, // every launch leaves them zero
    HD__NODES,
    HD__WORDS,   // nodes under the number of a launch
    HD__CLOCK,   // ticket, blocks done, launches done: of a fixed size
    HD__FAULT,   // what a kernel found wrong, for hd_sync: of a fixed size
    HD__PARTS,   // what each tile of segments has
    HD__FIRSTS,  // of each the first run of keys
    HD__TALLIES, // of tiles
    HD__STARTS,  // where runs of keys begin
    HD__STATE,   // the clock and words of hd__gpu_state_of
    HD__DIGITS,  // counts of digits, which calls leave zero, and where they begin: of a fixed size
    HD__CHOICE,  // what locality_probe said, tickets; then the clock of HD__PLACES: of a fixed size
    HD__PLACES,  // the last source of each place, under the number of a call
    HD__AREAS
} hd__area_id;

struct hd__kernels;
typedef struct hd__gpu_stage hd__gpu_stage; // below

typedef struct hd__tuning {
#define TUNE(name, value, least, most) int32_t name;
#include "gpu/runtime/tuning.def"
#undef TUNE
} hd__tuning;

hd__tuning hd__tuning_here(void);
extern const hd__tuning_table hd__gpu_tuning_table;

// Rows of a tile of `row` bytes each, a power of two: the least so that `bytes` are at most two
// tiles for every multiprocessor, at most `most`. Without a compiler there is only one kernel:
// `most`.
struct hd__gpu;
int32_t hd__rows_for(const struct hd__gpu *gpu, int64_t bytes, size_t row, int32_t least,
                     int32_t most);

typedef struct hd__gpu {
    const hd__gpu_driver *driver;
    hd__device *device;
    hd__tuning tuning;
    struct {
        hd__address at;
        size_t bytes;
    } area[HD__AREAS];
    hd__address retired[64];
    int32_t retired_count;
    bool may_fault;              // a kernel was begun that may leave a fault
    struct hd__kernels *kernels; // kernel_cache.c
    struct hd__slots *slots;     // pinned_buffers.c; NULL: not yet
    size_t staged;               // bytes of host views so far, until there are slots
    bool no_slots;               // there is no memory for them
} hd__gpu;

extern const hd__backend hd__cuda_backend;
extern const hd__backend hd__model_backend;

// The device of a context, opened by its first use.
hd_status hd__gpu_of(hd_context *ctx, hd__gpu **gpu);
hd_status hd__gpu_faults(hd_context *ctx, hd__gpu *gpu, const char *prefix); // waits

hd_status hd__gpu_area(hd_context *ctx, hd__gpu *gpu, hd__area_id which, size_t bytes,
                       hd__address *at);

// What kernels with lookback.cuh share: its hd_state.
typedef struct hd__gpu_state {
    hd__address clock, word;
    int64_t half; // words
} hd__gpu_state;

// Where numbers of the clock lie, in bytes.
enum { HD__CLOCK_TOTAL = 24, HD__CLOCK_BAD = 40, HD__CLOCK_BYTES = 128 };

hd_status hd__gpu_state_of(hd_context *ctx, hd__gpu *gpu, int64_t words, hd__gpu_state *state);

// A number of the clock: waits.
hd_status hd__gpu_number(hd_context *ctx, hd__gpu *gpu, const hd__gpu_state *state, int32_t which,
                         int64_t *number);

// The number that a pass counted, HD__CLOCK_TOTAL: to a view of the device, and to the host where
// it is wanted (count) or host views are staged, of which no more than it says comes back: waits
// then.
hd_status hd__gpu_total(hd__gpu_stage *s, const hd__gpu_state *state, const hd_view *count_to,
                        int64_t *count, int64_t *total);

// The total of nothing.
hd_status hd__gpu_no_total(hd_context *ctx, hd__gpu *gpu, const hd_view *count_to, int64_t *count);

// The first bad index that a kernel left there, or -1: waits.
hd_status hd__gpu_bad(hd_context *ctx, hd__gpu *gpu, const hd__gpu_state *state, int64_t *bad);

// n elements at an address, one after another.
hd_view hd__gpu_array(hd_type type, hd__address at, int64_t n);

// ---- Kernels ------------------------------------------------------------------------------------

// A context keeps so many kernels; beyond them the one that was not used for longest is unloaded,
// and made again when it is wanted. A call holds on to fewer than it keeps by far. Kernels that a
// graph of the caller's may hold do not count and stay.
enum { HD__MOST_KERNELS = 256 };

// The kernel `name` of a text: found in memory, on disk or compiled.
hd_status hd__kernel_of(hd_context *ctx, hd__gpu *gpu, const hd__text *text, const char *name,
                        hd__kernel **kernel);

// The same by a short key of bytes that stands for a text, where one was found or made before.
hd__kernel *hd__kernel_known(const hd__gpu *gpu, const void *key, size_t bytes);
void hd__kernel_remember(hd__gpu *gpu, const void *key, size_t bytes, hd__kernel *kernel);

void hd__kernels_close(hd__gpu *gpu);

// ---- Host views ---------------------------------------------------------------------------------

enum { HD__MOST_STAGED = HD_MAX_INPUTS + 8 };

struct hd__gpu_stage {
    hd_context *ctx;
    hd__gpu *gpu;
    int32_t count;
    bool host; // some view was one of the host's
    struct {
        hd__address at;
        void *packed; // what is on its way, where the host's view has gaps
        size_t bytes;
        int64_t back; // elements that come back
        hd_view view; // the host's
        bool out;
    } item[HD__MOST_STAGED];
};

// Puts a view of the device in the place of one of the host; others stay. An output's elements come
// back with hd__gpu_stage_end, which is called in any case, waits if a host view was staged, and
// hands on the status of the work.
hd_status hd__gpu_stage_in(hd__gpu_stage *s, hd_view *v);
hd_status hd__gpu_stage_out(hd__gpu_stage *s, hd_view *v);
hd_status hd__gpu_stage_end(hd__gpu_stage *s, hd_status status);

// Whether the call failed for want of memory with views of the host staged: in pieces it may go.
// The error is forgotten then.
bool hd__gpu_too_large(hd__gpu_stage *s, hd_status status);

// The same of an output that keeps what is not written.
hd_status hd__gpu_stage_both(hd__gpu_stage *s, hd_view *v);

// Of the output that was staged as *v, only the first n elements come back.
void hd__gpu_stage_first(hd__gpu_stage *s, const hd_view *v, int64_t n);

// ---- Passes -------------------------------------------------------------------------------------

hd_status hd__gpu_compact(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_expand(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_gather(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_map(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_partition(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_reduce(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_run_lengths(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_scan(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_scatter(hd_context *ctx, const void *job, const char **why);

#endif
