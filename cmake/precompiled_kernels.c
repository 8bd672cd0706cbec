// SPDX-License-Identifier: Apache-2.0
//
// Run by the build: makes the calls of src/gpu/runtime/precompiled_calls.c on a device that only
// writes down the texts of their kernels, has them compiled to PTX as the model machine does
// (NVRTC, else clang), and to machine code of some architectures (NVRTC), and writes them into a
// file for src/gpu/runtime/precompiled.c. Without a compiler the file has no rows.
//
//     precompiled_kernels OUT FOLDER [ARCH...]
//
// FOLDER keeps what texts became for the next time.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/runtime/precompiled_calls.h"
#include "precompiled_table.h"
#include "gpu/cuda/driver.h"
#include "gpu/gpu.h"
#include "gpu/model/model_device.h"
#include "heddle_model.h"

enum { MAX = 512, MAX_ARCHS = 8, ARCH = 75, MAX_ROWS = 8 };

typedef struct entry {
    hd__gpu_text text;
    hd__digest digest;
    bool ptx, code; // what it is to become
} entry;

static entry entries[MAX];
static int32_t entry_count;
static entry wanted; // of the texts of the call that is made
static const char *folder;

// ---- A device that only writes down -------------------------------------------------------------

static hd_status compile(hd_context *ctx, hd__gpu_device *device, const char *text, void **image,
                         size_t *bytes)
{
    entry e = wanted;
    (void)device;
    hd__gpu_emit_verbatim(&e.text, text);
    if (e.text.lost || entry_count == MAX) return hd__fail(ctx, HD_ERROR_MEMORY, "too many texts");
    e.digest = hd__digest_of("", e.text.at, e.text.length);
    bool known = false;
    for (int32_t k = 0; k < entry_count; k++) {
        if (!hd__digest_same(&entries[k].digest, &e.digest)) continue;
        known = true;
        entries[k].ptx |= e.ptx;
        entries[k].code |= e.code;
    }
    if (known)
        hd__gpu_text_drop(&e.text);
    else
        entries[entry_count++] = e;
    *image = calloc(1, *bytes = 1);
    return *image != NULL ? HD_OK : HD_ERROR_MEMORY;
}

static hd_status load(hd_context *ctx, hd__gpu_device *device, const void *image, size_t bytes,
                      const char *name, hd__gpu_kernel **kernel)
{
    static char some;
    (void)ctx, (void)device, (void)image, (void)bytes, (void)name;
    *kernel = (hd__gpu_kernel *)(void *)&some;
    return HD_OK;
}

static void unload(hd__gpu_device *device, hd__gpu_kernel *kernel)
{
    (void)device, (void)kernel;
}

static bool compiles(const hd__gpu_device *device, const char **why)
{
    (void)device;
    *why = "";
    return true;
}

static hd_status launch(hd_context *ctx, hd__gpu_device *device, const hd__gpu_kernel *kernel,
                        const hd__gpu_launch *how)
{
    (void)ctx, (void)device, (void)kernel, (void)how;
    return HD_OK;
}

static bool sums; // machine code of sums of few types alone, in their largest and smallest tiles

// The texts of calls whose tiles have so many rows, or are many; or of those of the host's large
// arrays. Without a compiler they have the most rows and are never many (hd__gpu_rows_for).
// Scatters are of few places, or as those of many (scatter_words).
// No rows: sorts alone.
static bool gather_texts(int rows, bool many, bool large)
{
    hd__gpu_driver driver = *hd__gpu_driver_model();
    hd_context *ctx;
    hd__gpu *gpu;
    const char *name;
    char tune[200];
    snprintf(tune, sizeof tune, "scan_small_rows=%d select_small_rows=%d%s%s", rows > 0 ? rows : 1,
             rows > 0 ? rows : 1, hd__gpu_precompiled_sorts(rows),
             large             ? " stage_bytes=1024 stage_slot=4096"
             : many            ? " scan_many=0"
             : rows < MAX_ROWS ? " scatter_words=0"
                               : "");
    setenv("HEDDLE_TUNE", tune, 1);
    driver.compile = compile, driver.load = load, driver.unload = unload;
    driver.launch = launch, driver.compiles = compiles;
    if (hd_open(&ctx, &(hd_context_options){.backend = HD_SERIAL, .threads = 1}) != HD_OK)
        return false;
    hd__set_backend(ctx, HD_MODEL); // which is here, with a compiler or without
    bool done = hd__gpu_of(ctx, &gpu) == HD_OK;
    if (done) gpu->driver = &driver;
    for (int32_t k = 0; done && k < hd__gpu_precompiled_calls(); k++) {
        const hd__gpu_precompiled_form form = hd__gpu_precompiled_call_form(k);
        if (hd__gpu_precompiled_call_is_large(k) != large) continue;
        if (rows == 0 && !hd__gpu_precompiled_call_is_sort(k)) continue;
        wanted = (entry){.ptx = rows == MAX_ROWS && !many && form != HD__GPU_PRECOMPILED_CODE,
                         .code = form != HD__GPU_PRECOMPILED_PTX &&
                                 (sums ? hd__gpu_precompiled_call_is_sum(k) : true) &&
                                 (many ? hd__gpu_precompiled_call_is_scan(k) &&
                                             hd__gpu_precompiled_call_is_sum(k)
                                       : true)};
        if (wanted.ptx || wanted.code) done = hd__gpu_precompiled_call(ctx, k, &name) == HD_OK;
    }
    if (!done) fprintf(stderr, "precompiled_kernels: %s\n", hd_error(ctx));
    hd_close(ctx);
    return done;
}

// ---- PTX ----------------------------------------------------------------------------------------

static bool is_needed(const char *line, size_t length)
{
    const size_t indent = strspn(line, " \t");
    if (indent >= length) return false;
    line += indent;
    return strncmp(line, "//", 2) != 0 && strncmp(line, ".loc\t", 5) != 0 &&
           strncmp(line, ".loc ", 5) != 0 && strncmp(line, ".file", 5) != 0;
}

// Without empty lines, comments, numbers of lines, and the sections of debuggers, which come last.
static char *stripped(const char *ptx)
{
    char *copy = malloc(strlen(ptx) + 1), *to = copy;
    if (copy == NULL) return NULL;
    for (const char *line = ptx; *line != 0;) {
        const size_t length = strcspn(line, "\n");
        const size_t indent = strspn(line, " \t");
        if (strncmp(line + indent, ".section", 8) == 0) break;
        if (is_needed(line, length)) {
            memcpy(to, line + indent, length - indent);
            to += length - indent;
            *to++ = '\n';
        }
        line += length + (line[length] != 0);
    }
    *to = 0;
    return copy;
}

// ---- Files of the folder ------------------------------------------------------------------------

// `by` says all that the bytes depend on beside the text.
static void file_of(const entry *e, const char *by, const char *ending, char *path, size_t room)
{
    const hd__digest d = hd__digest_of(by, e->text.at, e->text.length);
    snprintf(path, room, "%s/%016llx%016llx.%s", folder, (unsigned long long)d.half[0],
             (unsigned long long)d.half[1], ending);
}

static bool take_kept(const char *path, made_image *image)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    const long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    rewind(file);
    image->bytes = size > 0 ? malloc((size_t)size) : NULL;
    image->count = (size_t)size;
    const bool whole =
        image->bytes != NULL && fread(image->bytes, 1, image->count, file) == image->count;
    fclose(file);
    if (whole) return true;
    free(image->bytes);
    image->bytes = NULL;
    return false;
}

static void keep(const char *path, const made_image *image)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) return;
    const bool whole = fwrite(image->bytes, 1, image->count, file) == image->count;
    if (fclose(file) != 0 || !whole) remove(path);
}

// ---- Compiling ----------------------------------------------------------------------------------

static void make_ptx(const entry *e, const char *by, made_image *image)
{
    hd_model *model = NULL;
    hd_model_module *module;
    const hd_model_options options = {.arch = ARCH, .compiler = by};
    if (hd_model_open(&model, &options) == HD_OK &&
        hd_model_load_text(model, e->text.at, (int64_t)e->text.length, NULL, &module) == HD_OK)
        image->bytes = stripped(hd_model_ptx(module));
    else
        fprintf(stderr, "precompiled_kernels: %s\n", hd_model_error(model));
    image->count = image->bytes != NULL ? strlen(image->bytes) : 0;
    hd_model_close(model);
}

static void make_code(const entry *e, made_image *image)
{
    hd_context *ctx;
    void *bytes;
    if (hd_open(&ctx, &(hd_context_options){.backend = HD_SERIAL, .threads = 1}) != HD_OK) return;
    if (hd__gpu_nvrtc_compile(ctx, image->arch, e->text.at, &bytes, &image->count) == HD_OK)
        image->bytes = bytes;
    else
        fprintf(stderr, "precompiled_kernels: %s\n", hd_error(ctx));
    hd_close(ctx);
}

static void make(const entry *e, const char *by, made_image *image)
{
    char path[4096], name[160];
    image->text = e->digest;
    if (image->arch == 0 ? !e->ptx
                         : !e->code || !hd__gpu_nvrtc_name(image->arch, name, sizeof name))
        return;
    if (image->arch == 0) snprintf(name, sizeof name, "%s", by);
    file_of(e, name, image->arch == 0 ? "ptx" : "cubin", path, sizeof path);
    if (take_kept(path, image)) return;
    if (image->arch == 0)
        make_ptx(e, by, image);
    else
        make_code(e, image);
    if (image->bytes != NULL) keep(path, image);
}

// The compiler that is here: "nvrtc", "clang", or ""; HEDDLE_MODEL_COMPILER names one, or none.
static const char *compiler_here(void)
{
    static const char text[] = "extern \"C\" __global__ void nothing(void) {}\n";
    static const char *const names[] = {"nvrtc", "clang"};
    const char *found = "", *wish = getenv("HEDDLE_MODEL_COMPILER");
    for (int k = 0; k < 2 && found[0] == 0; k++) {
        hd_model *model = NULL;
        hd_model_module *module;
        if (wish != NULL && wish[0] != 0 && strcmp(wish, names[k]) != 0) continue;
        if (hd_model_open(&model, &(hd_model_options){.arch = ARCH, .compiler = names[k]}) ==
                HD_OK &&
            hd_model_load_text(model, text, sizeof text - 1, NULL, &module) == HD_OK)
            found = names[k];
        hd_model_close(model);
    }
    return found;
}

int main(int argc, char **argv)
{
    static made_image images[MAX * (1 + MAX_ARCHS)];
    if (argc > 3 && strcmp(argv[argc - 1], "sums") == 0) argc--, sums = true;
    if (argc < 3 || argc > 3 + MAX_ARCHS) return 2;
    folder = argv[2];
    setenv("HEDDLE_PTXAS", "none", 1);
    setenv("HEDDLE_KERNELS", "none", 1);
    const char *by = compiler_here();
    const int32_t ways = strcmp(by, "nvrtc") == 0 ? argc - 2 : 1; // PTX, and architectures
    for (int rows = MAX_ROWS; by[0] != 0 && rows >= 2; rows /= sums ? MAX_ROWS / 2 : 2)
        if (!gather_texts(rows, false, false) || !gather_texts(rows, false, true)) return 1;
    if (by[0] != 0 && !sums &&
        (!gather_texts(MAX_ROWS, true, false) || !gather_texts(0, false, false)))
        return 1;
    unsetenv("HEDDLE_TUNE");
    const int32_t count = entry_count * ways;
#pragma omp parallel for schedule(dynamic)
    for (int32_t k = 0; k < count; k++) {
        const int32_t way = k / entry_count;
        images[k].arch = way == 0 ? 0 : atoi(argv[2 + way]);
        make(&entries[k % entry_count], by, &images[k]);
    }
    return write_table(argv[1], by, images, count) ? 0 : 1;
}
