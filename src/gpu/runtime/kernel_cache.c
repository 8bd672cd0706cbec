// SPDX-License-Identifier: Apache-2.0
//
// The kernel cache: kernels by configuration and by their text, those of this context in memory,
// precompiled ones, images on disk (cache_folder.c), and the compiler for the rest.
#define _GNU_SOURCE
#include "precompiled.h"
#include "core/system/environment.h"
#include "core/system/cache_folder.h"
#include "gpu/gpu.h"
#include "kernel_files.h"
#include "kernel_key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct known_kernel {
    hd__digest digest; // of its text
    char name[32];     // a text may have several
    hd__gpu_kernel *kernel;
    uint64_t used;  // when, in uses of kernels
    bool held;      // a graph may hold it
    void *given[2]; // bytes of the state of its function and of its operator; NULL: none yet
} known_kernel;

typedef struct short_key {
    void *key;
    size_t bytes;
    int32_t known; // index of the kernel
} short_key;

struct hd__gpu_kernel_cache {
    known_kernel *known;
    short_key *keys;
    int32_t known_count, known_room, held_count, key_count, key_room;
    uint64_t uses;  // so far
    double loading; // milliseconds, of the kernel that is made
};

static struct hd__gpu_kernel_cache *kernels_of(hd__gpu *gpu)
{
    if (gpu->kernels == NULL) gpu->kernels = calloc(1, sizeof *gpu->kernels);
    return gpu->kernels;
}

// Room for one more; false: no memory.
static bool grow(void **list, int32_t *room, int32_t count, size_t size)
{
    if (count < *room) return true;
    const int32_t wish = *room > 0 ? 2 * *room : 32;
    void *larger = realloc(*list, (size_t)wish * size);
    if (larger == NULL) return false;
    *list = larger;
    *room = wish;
    return true;
}

// ---- Those of the context -----------------------------------------------------------------------

// A kernel is about to be launched.
static hd__gpu_kernel *use(const hd__gpu *gpu, int32_t which)
{
    struct hd__gpu_kernel_cache *k = gpu->kernels;
    known_kernel *kernel = &k->known[which];
    kernel->used = ++k->uses;
    if (!kernel->held && gpu->driver->recording(gpu->device)) {
        kernel->held = true;
        k->held_count++;
    }
    return kernel->kernel;
}

bool hd__gpu_kernels_captured(const hd__gpu *gpu)
{
    return gpu->kernels != NULL && gpu->kernels->held_count > 0;
}

static void forget_keys(struct hd__gpu_kernel_cache *k, int32_t which)
{
    for (int32_t j = k->key_count - 1; j >= 0; j--)
        if (k->keys[j].known == which) {
            free(k->keys[j].key);
            k->keys[j] = k->keys[--k->key_count];
        }
}

// Swap-remove: the last kernel takes the slot of the one that goes.
static void forget(struct hd__gpu_kernel_cache *k, int32_t which)
{
    const int32_t last = --k->known_count;
    forget_keys(k, which);
    for (int32_t v = 0; v < 2; v++) free(k->known[which].given[v]);
    for (int32_t j = 0; j < k->key_count; j++)
        if (k->keys[j].known == last) k->keys[j].known = which;
    k->known[which] = k->known[last];
}

static bool is_full(const struct hd__gpu_kernel_cache *k)
{
    return k->known_count - k->held_count >= HD__GPU_KERNELS_MAX;
}

static void drop_oldest(hd_context *ctx, hd__gpu *gpu)
{
    struct hd__gpu_kernel_cache *k = gpu->kernels;
    int32_t oldest = -1;
    for (int32_t j = 0; j < k->known_count; j++)
        if (!k->known[j].held && (oldest < 0 || k->known[j].used < k->known[oldest].used))
            oldest = j;
    if (hd__is_traced(ctx))
        hd__trace_line(ctx, "kernel %s is dropped: %d others were used since",
                       k->known[oldest].name, (int)HD__GPU_KERNELS_MAX - 1);
    gpu->driver->unload(gpu->device, k->known[oldest].kernel);
    forget(k, oldest);
}

// Room for one more of those that are kept. What goes may still run: that is waited for, which a
// stream that records does not allow; a wait that fails leaves its fault to hd_sync.
static void make_room(hd_context *ctx, hd__gpu *gpu)
{
    if (!is_full(gpu->kernels) || gpu->driver->recording(gpu->device)) return;
    if (gpu->driver->wait(ctx, gpu->device) != HD_OK) {
        ctx->error[0] = 0;
        return;
    }
    while (is_full(gpu->kernels)) drop_oldest(ctx, gpu);
}

hd__gpu_kernel *hd__gpu_kernel_of_key(const hd__gpu *gpu, const void *key, size_t bytes)
{
    const struct hd__gpu_kernel_cache *k = gpu->kernels;
    for (int32_t j = 0; k != NULL && j < k->key_count; j++)
        if (k->keys[j].bytes == bytes && memcmp(k->keys[j].key, key, bytes) == 0) {
            const short_key found = k->keys[j];
            if (j > 0) { // the next call will likely ask for it again
                k->keys[j] = k->keys[j - 1];
                k->keys[j - 1] = found;
            }
            return use(gpu, found.known);
        }
    return NULL;
}

void hd__gpu_kernel_remember(hd__gpu *gpu, const void *key, size_t bytes, hd__gpu_kernel *kernel)
{
    struct hd__gpu_kernel_cache *k = kernels_of(gpu);
    int32_t known = k != NULL ? k->known_count - 1 : -1;
    while (known >= 0 && k->known[known].kernel != kernel) known--;
    void *copy = malloc(bytes);
    void *list = k != NULL ? k->keys : NULL;
    if (known < 0 || copy == NULL ||
        !grow(&list, &k->key_room, k->key_count, sizeof *k->keys)) { // found by its text again
        free(copy);
        return;
    }
    k->keys = list;
    memcpy(copy, key, bytes);
    k->keys[k->key_count++] = (short_key){copy, bytes, known};
}

// ---- Where a kernel comes from ------------------------------------------------------------------

static double milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static hd_status load(hd_context *ctx, hd__gpu *gpu, const void *image, size_t bytes,
                      const char *name, hd__gpu_kernel **kernel)
{
    const double begin = milliseconds();
    const hd_status status = gpu->driver->load(ctx, gpu->device, image, bytes, name, kernel);
    gpu->kernels->loading += milliseconds() - begin;
    return status;
}

// One that does not load is no error yet: there are other ways to the kernel.
static bool loads(hd_context *ctx, hd__gpu *gpu, const void *image, size_t bytes, const char *name,
                  hd__gpu_kernel **kernel)
{
    if (load(ctx, gpu, image, bytes, name, kernel) == HD_OK) return true;
    ctx->error[0] = 0;
    return false;
}

// Machine code that the library brings along. HEDDLE_PRECOMPILED=none: as if it had none.
static bool load_code(hd_context *ctx, hd__gpu *gpu, const hd__gpu_text *text, const char *name,
                      hd__gpu_kernel **kernel)
{
    const int32_t arch = gpu->driver->properties(gpu->device)->runs;
    const char *wish = getenv("HEDDLE_PRECOMPILED");
    size_t bytes = 0;
    if (arch == 0 || (wish != NULL && strcmp(wish, "none") == 0)) return false;
    char *image = hd__gpu_precompiled_image(text, arch, &bytes);
    const bool done = image != NULL && loads(ctx, gpu, image, bytes, name, kernel);
    free(image);
    return done;
}

static bool load_kept(hd_context *ctx, hd__gpu *gpu, const char *name, const hd__digest *digest,
                      hd__gpu_kernel **kernel)
{
    void *image = NULL;
    size_t bytes = 0;
    const bool done =
        hd__kept_image(digest, &image, &bytes) && loads(ctx, gpu, image, bytes, name, kernel);
    free(image);
    return done;
}

// There is no compiler: PTX of common calls is beside the library.
static hd_status load_ptx(hd_context *ctx, hd__gpu *gpu, const hd__gpu_text *text, const char *name,
                          const char *why, hd__gpu_kernel **kernel)
{
    size_t bytes = 0;
    char *image = hd__gpu_precompiled_image(text, 0, &bytes);
    if (image == NULL)
        return hd__fail(ctx, HD_ERROR_BACKEND,
                        "%s: %s; %s for these types, operator and layout is not among the %d "
                        "precompiled kernels",
                        hd_backend_name(ctx->backend), why, name,
                        (int)hd__gpu_precompiled_kernels()->head->ptx);
    const hd_status status = load(ctx, gpu, image, bytes + 1, name, kernel);
    free(image);
    return status;
}

static hd_status compile_and_keep(hd_context *ctx, hd__gpu *gpu, const hd__gpu_text *text,
                                  const char *name, const hd__digest *digest, bool keep,
                                  hd__gpu_kernel **kernel)
{
    void *image = NULL;
    size_t bytes = 0;
    HD_TRY(gpu->driver->compile(ctx, gpu->device, text->at, &image, &bytes));
    const hd_status status = load(ctx, gpu, image, bytes, name, kernel);
    if (status == HD_OK && keep) {
        const char *trouble = hd__keep_image(digest, image, bytes);
        if (trouble[0] != 0 && hd__is_traced(ctx))
            hd__trace_line(ctx, "kernel %s is not kept on disk: %s", name, trouble);
    }
    free(image);
    return status;
}

static hd_status make(hd_context *ctx, hd__gpu *gpu, const hd__gpu_text *text, const char *name,
                      const hd__digest *digest, hd__gpu_kernel **kernel)
{
    const double begin = milliseconds();
    const bool keep = gpu->driver->compiler(gpu->device)[0] != 0;
    const char *why, *how = "compiled";
    hd_status status = HD_OK;
    gpu->kernels->loading = 0;
    if (load_code(ctx, gpu, text, name, kernel)) {
        how = "precompiled";
    } else if (keep && load_kept(ctx, gpu, name, digest, kernel)) {
        how = "kept on disk";
    } else if (gpu->driver->compiles(gpu->device, &why)) {
        status = compile_and_keep(ctx, gpu, text, name, digest, keep, kernel);
    } else {
        how = "precompiled PTX";
        status = load_ptx(ctx, gpu, text, name, why, kernel);
    }
    if (status == HD_OK && hd__is_traced(ctx))
        hd__trace_line(ctx, "kernel %s is %s (%.1f ms, loading %.1f)", name, how,
                       milliseconds() - begin, gpu->kernels->loading);
    return status;
}

static hd_status find_or_compile(hd_context *ctx, hd__gpu *gpu, const hd__gpu_text *text,
                                 const char *name, hd__gpu_kernel **kernel)
{
    struct hd__gpu_kernel_cache *k = gpu->kernels;
    const hd__digest digest =
        hd__digest_of(gpu->driver->compiler(gpu->device), text->at, text->length);
    for (int32_t j = 0; j < k->known_count; j++)
        if (hd__digest_same(&k->known[j].digest, &digest) && strcmp(k->known[j].name, name) == 0) {
            *kernel = use(gpu, j);
            return HD_OK;
        }
    make_room(ctx, gpu);
    void *list = k->known;
    if (!grow(&list, &k->known_room, k->known_count, sizeof *k->known))
        return hd__fail(ctx, HD_ERROR_MEMORY, "no memory for a kernel");
    k->known = list;
    HD_TRY(hd__gpu_dump_kernel(ctx, text, name));
    HD_TRY(make(ctx, gpu, text, name, &digest, kernel));
    known_kernel *made = &k->known[k->known_count++];
    *made = (known_kernel){.digest = digest, .kernel = *kernel};
    snprintf(made->name, sizeof made->name, "%s", name);
    use(gpu, k->known_count - 1);
    return HD_OK;
}

hd_status hd__gpu_kernel_of_text(hd_context *ctx, hd__gpu *gpu, const hd__gpu_text *text,
                                 const char *name, hd__gpu_kernel **kernel)
{
    if (kernels_of(gpu) == NULL) return hd__fail(ctx, HD_ERROR_MEMORY, "no memory for a kernel");
    if (hd__trusted_env("HEDDLE_LOAD_KERNEL") == NULL)
        return find_or_compile(ctx, gpu, text, name, kernel);
    hd__gpu_text own = {0};
    hd__gpu_emit_verbatim(&own, text->at);
    hd_status status = own.lost ? hd__fail(ctx, HD_ERROR_MEMORY, "no memory for a kernel")
                                : hd__gpu_load_kernel(ctx, &own, name);
    if (status == HD_OK) status = find_or_compile(ctx, gpu, &own, name, kernel);
    hd__gpu_text_drop(&own);
    return status;
}

// ---- By configuration ---------------------------------------------------------------------------

static hd_status check_texts(hd_context *ctx, const hd__fold *fold, const hd_function *map)
{
    if (map != NULL &&
        (map->body_text == NULL || map->inputs_text == NULL || map->result_text == NULL ||
         (map->state.size > 0 && map->state.text == NULL)))
        return hd__fail(ctx, HD_ERROR_OPERATOR,
                        "function %s has no text for the GPU's compiler; HD_FUNCTION keeps it",
                        map->name);
    if (fold != NULL && (fold->node->body_text == NULL || fold->node->type_text == NULL ||
                         (fold->node->state.size > 0 && fold->node->state.text == NULL)))
        return hd__fail(ctx, HD_ERROR_OPERATOR,
                        "operator %s has no text for the GPU's compiler; HD_OPERATOR keeps it",
                        fold->asked->name);
    return HD_OK;
}

static hd_status find_kernel(hd_context *ctx, hd__gpu *gpu, const hd__gpu_kernel_config *config,
                             const hd__fold *fold, const hd_function *map, hd__gpu_kernel **kernel)
{
    hd__gpu_kernel_key key;
    hd__gpu_kernel_key_of(&key, config, fold, map);
    *kernel = key.bytes > 0 ? hd__gpu_kernel_of_key(gpu, key.at, key.bytes) : NULL;
    if (*kernel != NULL) return HD_OK;
    HD_TRY(check_texts(ctx, fold, map));
    hd__gpu_text t = {0};
    hd__gpu_emit_kernel(&t, config, fold, map);
    const hd_status status =
        t.lost ? hd__fail(ctx, HD_ERROR_MEMORY, "no memory for the text of a kernel")
               : hd__gpu_kernel_of_text(ctx, gpu, &t, config->kernel, kernel);
    hd__gpu_text_drop(&t);
    if (status == HD_OK && key.bytes > 0) hd__gpu_kernel_remember(gpu, key.at, key.bytes, *kernel);
    return status;
}

typedef enum variable { FUNCTION_STATE, OPERATOR_STATE } variable;

static void **given_to(const hd__gpu *gpu, const hd__gpu_kernel *kernel, variable which)
{
    struct hd__gpu_kernel_cache *k = gpu->kernels;
    for (int32_t j = 0; k != NULL && j < k->known_count; j++)
        if (k->known[j].kernel == kernel) return &k->known[j].given[which];
    return NULL;
}

// Fills the variable of a state, in the order of the stream: launches begun before have the state
// of their call. The bytes go through memory that is not pinned, so the driver has read them when
// it returns. Bytes that the variable has already are not sent again. A graph would play with
// whatever state comes last.
static hd_status give_state(hd_context *ctx, hd__gpu *gpu, const hd__gpu_kernel *kernel,
                            variable which, const hd_state *state)
{
    static const char *const names[] = {HD__GPU_FUNCTION_STATE, HD__GPU_OPERATOR_STATE};
    unsigned char bytes[HD_MAX_STATE];
    hd__gpu_address at;
    if (gpu->driver->recording(gpu->device))
        return hd__fail(ctx, HD_ERROR_BACKEND,
                        "%s: the stream records a graph, which cannot hold the state of an "
                        "operator or a function",
                        hd_backend_name(ctx->backend));
    memcpy(bytes, state->data, state->size);
    void **given = given_to(gpu, kernel, which);
    if (given != NULL && *given != NULL && memcmp(*given, bytes, state->size) == 0) return HD_OK;
    void *copy = given == NULL ? NULL : *given != NULL ? *given : malloc(state->size);
    if (given != NULL) *given = NULL; // not known until it is there
    hd_status status = gpu->driver->variable(ctx, gpu->device, kernel, names[which], &at);
    if (status == HD_OK) status = gpu->driver->upload(ctx, gpu->device, at, bytes, state->size);
    if (status != HD_OK || copy == NULL) {
        free(copy);
        return status;
    }
    *given = memcpy(copy, bytes, state->size);
    return HD_OK;
}

hd_status hd__gpu_kernel_for(hd_context *ctx, hd__gpu *gpu, const hd__gpu_kernel_config *config,
                             const hd__fold *fold, const hd_function *map, hd__gpu_kernel **kernel)
{
    HD_TRY(hd__poll(ctx, ctx->done, ctx->all)); // before each launch
    HD_TRY(find_kernel(ctx, gpu, config, fold, map, kernel));
    if (map != NULL && map->state.size > 0 && hd__gpu_emits_function(config))
        HD_TRY(give_state(ctx, gpu, *kernel, FUNCTION_STATE, &map->state));
    if (fold != NULL && fold->node->state.size > 0 && hd__gpu_emits_operator(config))
        HD_TRY(give_state(ctx, gpu, *kernel, OPERATOR_STATE, &fold->node->state));
    return HD_OK;
}

// ---- Closing ------------------------------------------------------------------------------------

void hd__gpu_kernel_cache_close(hd__gpu *gpu)
{
    struct hd__gpu_kernel_cache *k = gpu->kernels;
    if (k == NULL) return;
    for (int32_t j = 0; j < k->known_count; j++) {
        gpu->driver->unload(gpu->device, k->known[j].kernel);
        for (int32_t v = 0; v < 2; v++) free(k->known[j].given[v]);
    }
    for (int32_t j = 0; j < k->key_count; j++) free(k->keys[j].key);
    free(k->known);
    free(k->keys);
    free(k);
    gpu->kernels = NULL;
}
