// SPDX-License-Identifier: Apache-2.0
// What the passes of the GPU backend share: the device of a context, its kernels, memory that is
// kept between calls, and host views on their way in and out.
#ifndef HEDDLE_GPU_GPU_H
#define HEDDLE_GPU_GPU_H

#include "core/backend.h"
#include "core/system/tuning.h"
#include "device_driver.h"
#include "gpu/codegen/source_text.h"

// Memory of the device that is kept between calls. It is all zero when it is new, and grows; what
// it held is then lost, but the old block stays until the context closes, for recorded launches.
typedef enum hd__gpu_workspace_id {
    HD__GPU_COUNTERS,      // every launch leaves them zero
    HD__GPU_NODES,         // nodes of the tree
    HD__GPU_NODE_WORDS,    // nodes tagged by the epoch (words.cuh)
    HD__GPU_EPOCH,         // ticket, blocks done, epoch counter: of a fixed size
    HD__GPU_FAULT,         // what a kernel found wrong, for hd_sync: of a fixed size
    HD__GPU_SEGMENT_TILES, // what each tile of segments has
    HD__GPU_FIRST_RUNS,    // the first run of keys in each tile
    HD__GPU_TILE_COUNTS,   // elements selected in each tile
    HD__GPU_RUN_STARTS,    // where runs of keys begin
    HD__GPU_LOOKBACK,      // control words and status words of hd__gpu_state_of
    HD__GPU_DIGITS,   // histogram of digits, which calls leave zero, and offsets: of a fixed size
    HD__GPU_LOCALITY, // what locality_probe found, tickets, the epoch of HD__GPU_LAST_WRITER
    HD__GPU_LAST_WRITER, // the last source of each destination, tagged by the epoch of a call
    HD__GPU_SORT,        // hk_sort_control, and words that tiles publish, tagged by an epoch
    HD__GPU_SORT_SPARE,  // keys and values between two passes
    HD__GPU_TOP,         // all of a selection but its inputs and outputs
    HD__GPU_SORT_COUNTS, // of keys of 16 bits, which calls leave zero, and where they begin
    HD__GPU_BINS,        // a number, and counts of a histogram, which calls leave zero
    HD__GPU_WORKSPACES
} hd__gpu_workspace_id;

struct hd__gpu_kernel_cache;
typedef struct hd__gpu_stage hd__gpu_stage; // below

typedef struct hd__gpu_tuning {
#define TUNE(name, value, least, most) int32_t name;
#include "gpu/tuning.def"
#undef TUNE
} hd__gpu_tuning;

hd__gpu_tuning hd__gpu_tuning_here(void);
extern const hd__tuning_table hd__gpu_tuning_table;

// Rows of a tile of `row` bytes each, a power of two: the least so that `bytes` are at most two
// tiles for every multiprocessor, at most `most`. Without a compiler there is only one kernel:
// `most`.
struct hd__gpu;
int32_t hd__gpu_rows_for(const struct hd__gpu *gpu, int64_t bytes, size_t row, int32_t least,
                         int32_t most);

// A block of device memory; 0: none.
typedef struct hd__gpu_block {
    hd__gpu_address at;
    size_t bytes;
} hd__gpu_block;

enum { HD__GPU_RETIRED_MAX = 64 };

typedef struct hd__gpu {
    const hd__gpu_driver *driver;
    hd__gpu_device *device;
    hd__gpu_tuning tuning;
    int32_t number;                // of the device
    hd_device_allocator allocator; // of the caller's; empty: the driver's
    hd__gpu_block workspace[HD__GPU_WORKSPACES], retired[HD__GPU_RETIRED_MAX];
    int32_t retired_count;
    bool may_fault;                       // a kernel was begun that may leave a fault
    struct hd__gpu_kernel_cache *kernels; // kernel_cache.c
    struct hd__gpu_pinned_ring *ring;     // pinned_buffers.c; NULL: not yet
    size_t staged;                        // bytes of host views so far, until there is a ring
    bool no_ring;                         // there is no memory for it
} hd__gpu;

extern const hd__backend hd__gpu_cuda_backend;
extern const hd__backend hd__gpu_model_backend;

// The device of a context, opened by its first use.
hd_status hd__gpu_of(hd_context *ctx, hd__gpu **gpu);
hd_status hd__gpu_faults(hd_context *ctx, hd__gpu *gpu, const char *prefix); // waits

enum { HD__GPU_BAD_INDEX = 5 }; // the fault of an indexed view

hd_status hd__gpu_workspace(hd_context *ctx, hd__gpu *gpu, hd__gpu_workspace_id which, size_t bytes,
                            hd__gpu_address *at);

// Device memory, 256-byte aligned, of the caller's allocator or the driver's: in the order of the
// stream, so that what is released may still be in use by work begun before. device_memory.c.
hd_status hd__gpu_allocate(hd_context *ctx, const hd__gpu *gpu, size_t bytes, hd__gpu_address *at);
void hd__gpu_release(const hd__gpu *gpu, hd__gpu_address at, size_t bytes);

// Scratch: workspaces and the ring of pinned buffers. Counts what there is into the context; and
// gives back all but so many bytes, unless a graph may need them.
void hd__gpu_count_scratch(hd_context *ctx, const hd__gpu *gpu);
void hd__gpu_trim(hd_context *ctx, hd__gpu *gpu, size_t keep);
void hd__gpu_release_block(const hd__gpu *gpu, hd__gpu_block *block);

// What kernels with lookback.cuh share: its hk_state.
typedef struct hd__gpu_state {
    hd__gpu_address control, word;
    int64_t half; // words
} hd__gpu_state;

// Where results lie in the control words, in bytes.
enum { HD__GPU_CONTROL_TOTAL = 24, HD__GPU_CONTROL_BAD = 40, HD__GPU_CONTROL_BYTES = 128 };

hd_status hd__gpu_state_of(hd_context *ctx, hd__gpu *gpu, int64_t words, hd__gpu_state *state);

// A result in the control words: waits.
hd_status hd__gpu_control_number(hd_context *ctx, hd__gpu *gpu, const hd__gpu_state *state,
                                 int32_t which, int64_t *number);

// The number that a pass counted, HD__GPU_CONTROL_TOTAL: to a view of the device, and to the host
// where it is wanted (count) or host views are staged, of which no more than it says comes back:
// waits then.
hd_status hd__gpu_total(hd__gpu_stage *s, const hd__gpu_state *state, const hd_view *count_to,
                        int64_t *count, int64_t *total);

// The total of nothing.
hd_status hd__gpu_no_total(hd_context *ctx, hd__gpu *gpu, const hd_view *count_to, int64_t *count);

// The first bad index that a kernel left there, or -1: waits.
hd_status hd__gpu_bad(hd_context *ctx, hd__gpu *gpu, const hd__gpu_state *state, int64_t *bad);

// The same into a number on the device, in the order of the stream. And any number.
hd_status hd__gpu_bad_to(hd_context *ctx, hd__gpu *gpu, const hd__gpu_state *state,
                         const hd_view *to);
hd_status hd__gpu_put_number(hd_context *ctx, const hd_view *to, int64_t number);

// What find_tiles left there: ~i, or i + 1 where the last one was looked for. To the host where
// position is not NULL, which waits, else to a number on the device.
hd_status hd__gpu_found(hd_context *ctx, hd__gpu *gpu, const hd__gpu_state *state, bool last,
                        int64_t *position, const hd_view *to);

// n elements at an address, one after another.
hd_view hd__gpu_array(hd_type type, hd__gpu_address at, int64_t n);

// ---- Kernels ------------------------------------------------------------------------------------

// A context keeps so many kernels; beyond them the one that was not used for longest is unloaded,
// and made again when it is wanted. A call holds on to fewer than it keeps by far. Kernels that a
// graph of the caller's may hold do not count and stay.
enum { HD__GPU_KERNELS_MAX = 256 };

// The kernel for a configuration, which names it: found by its key, else its text is generated.
// fold and map may be NULL.
struct hd__gpu_kernel_config;
hd_status hd__gpu_kernel_for(hd_context *ctx, hd__gpu *gpu,
                             const struct hd__gpu_kernel_config *config, const hd__fold *fold,
                             const hd_function *map, hd__gpu_kernel **kernel);

// The kernel `name` of a text: found in memory, on disk or compiled.
hd_status hd__gpu_kernel_of_text(hd_context *ctx, hd__gpu *gpu, const hd__gpu_text *text,
                                 const char *name, hd__gpu_kernel **kernel);

// The same by a short key of bytes that stands for a text, where one was found or made before.
hd__gpu_kernel *hd__gpu_kernel_of_key(const hd__gpu *gpu, const void *key, size_t bytes);
void hd__gpu_kernel_remember(hd__gpu *gpu, const void *key, size_t bytes, hd__gpu_kernel *kernel);

void hd__gpu_kernel_cache_close(hd__gpu *gpu);

// Whether a graph of the caller's holds kernels, and with them workspaces.
bool hd__gpu_kernels_captured(const hd__gpu *gpu);

// ---- Host views ---------------------------------------------------------------------------------

enum { HD__GPU_STAGED_MAX = 2 * HD_MAX_INPUTS + 8 };

struct hd__gpu_stage {
    hd_context *ctx;
    hd__gpu *gpu;
    int32_t count;
    bool host; // some view was one of the host's
    struct {
        hd__gpu_address at;
        void *packed; // what is on its way, where the host's view has gaps
        size_t bytes;
        int64_t back; // elements that come back
        hd_view view; // the host's
        bool out;
    } item[HD__GPU_STAGED_MAX];
};

// Puts a view of the device in the place of one of the host; others stay. An output's elements come
// back with hd__gpu_stage_end, which is called in any case, waits if a host view was staged, and
// hands on the status of the work.
hd_status hd__gpu_stage_in(hd__gpu_stage *s, hd_view *v);
hd_status hd__gpu_stage_out(hd__gpu_stage *s, hd_view *v);
hd_status hd__gpu_stage_end(hd__gpu_stage *s, hd_status status);

// Whether the call failed for want of memory with views of the host staged: out of core it may fit.
// The error is forgotten then.
bool hd__gpu_too_large(hd__gpu_stage *s, hd_status status);

// The same of an output that keeps what is not written.
hd_status hd__gpu_stage_both(hd__gpu_stage *s, hd_view *v);

// Of the output that was staged as *v, only the first n elements come back.
void hd__gpu_stage_first(hd__gpu_stage *s, const hd_view *v, int64_t n);

// Elements of one view to those of another, by the kernel of a map without a function: any types of
// the same size, any shapes of as many elements, in row-major order.
hd_status hd__gpu_copy(hd_context *ctx, hd_view from, hd_view to, const char **why);

// ---- Passes -------------------------------------------------------------------------------------

hd_status hd__gpu_compact(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_blur(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_convolve(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_stencil(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_difference(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_expand(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_find(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_forest(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_gather(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_histogram(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_is_sorted(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_list(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_map(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_map_many(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_maximum(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_merge(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_mismatch(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_nth(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_partition(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_random(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_reduce(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_reverse(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_run_lengths(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_scan(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_scatter(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_sort(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_search(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_set(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_shuffle(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_top_k(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_slide(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_transpose(hd_context *ctx, const void *job, const char **why);
hd_status hd__gpu_zip(hd_context *ctx, const void *job, const char **why);

#endif
