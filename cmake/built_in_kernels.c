// SPDX-License-Identifier: Apache-2.0
//
// Run by the build: makes the calls of cli/common_calls.c on a device that only writes down the texts of
// their kernels, has them compiled to PTX as the model machine does (NVRTC, else clang), and writes them as
// a table for src/gpu/built_in.c. Without a compiler the table is empty.
//
//     built_in_kernels OUT.c [FOLDER]
//
// FOLDER keeps the PTX of texts for the next time.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cli/common_calls.h"
#include "gpu/built_in.h"
#include "gpu/gpu.h"
#include "heddle_model.h"

enum { MOST = 512, ARCH = 75 };

typedef struct entry {
    hd__text text;
    hd__digest digest;
    char *ptx;
} entry;

static entry entries[MOST];
static int32_t entry_count;
static const char *folder;

// ---- A device that only writes down -------------------------------------------------------------

static hd_status compile(hd_context *ctx, hd__device *device, const char *text, void **image,
                         size_t *bytes)
{
    entry e = {.text = {0}};
    (void)device;
    hd__say_all(&e.text, text);
    if (e.text.lost || entry_count == MOST) return hd__fail(ctx, HD_ERROR_MEMORY, "too many texts");
    e.digest = hd__digest_of("", e.text.at, e.text.length);
    bool known = false;
    for (int32_t k = 0; k < entry_count; k++)
        known |= hd__digest_same(&entries[k].digest, &e.digest);
    if (known)
        hd__text_drop(&e.text);
    else
        entries[entry_count++] = e;
    *image = calloc(1, *bytes = 1);
    return *image != NULL ? HD_OK : HD_ERROR_MEMORY;
}

static hd_status load(hd_context *ctx, hd__device *device, const void *image, size_t bytes,
                      const char *name, hd__kernel **kernel)
{
    static char some;
    (void)ctx, (void)device, (void)image, (void)bytes, (void)name;
    *kernel = (hd__kernel *)(void *)&some;
    return HD_OK;
}

static void unload(hd__device *device, hd__kernel *kernel)
{
    (void)device, (void)kernel;
}

static bool compiles(const hd__device *device, const char **why)
{
    (void)device;
    *why = "";
    return true;
}

static hd_status launch(hd_context *ctx, hd__device *device, const hd__kernel *kernel,
                        const hd__launch *how)
{
    (void)ctx, (void)device, (void)kernel, (void)how;
    return HD_OK;
}

extern const hd__backend hd__model_backend;

static bool gather_texts(void)
{
    hd__maker maker = hd__model_maker;
    hd_context *ctx;
    hd__gpu *gpu;
    const char *name;
    setenv("HEDDLE_TUNE", "scan_small_rows=8", 1); // without a compiler there are no others
    maker.compile = compile, maker.load = load, maker.unload = unload;
    maker.launch = launch, maker.compiles = compiles;
    if (hd_open(&ctx, &(hd_context_options){.backend = HD_SERIAL, .threads = 1}) != HD_OK)
        return false;
    ctx->backend = HD_MODEL; // which is here, with a compiler or without
    ctx->first = &hd__model_backend;
    bool done = hd__gpu_of(ctx, &gpu) == HD_OK;
    if (done) gpu->maker = &maker;
    for (int32_t k = 0; done && k < common_calls(); k++) done = common_call(ctx, k, &name) == HD_OK;
    if (!done) fprintf(stderr, "built_in_kernels: %s\n", hd_error(ctx));
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

static void file_of(const entry *e, const char *by, char *path, size_t room)
{
    snprintf(path, room, "%s/%s-%016llx%016llx.ptx", folder, by,
             (unsigned long long)e->digest.half[0], (unsigned long long)e->digest.half[1]);
}

static char *kept(const entry *e, const char *by)
{
    char path[4096];
    if (folder == NULL) return NULL;
    file_of(e, by, path, sizeof path);
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    char *text = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);
        rewind(file);
        text = size > 0 ? calloc(1, (size_t)size + 1) : NULL;
        if (text != NULL && fread(text, 1, (size_t)size, file) != (size_t)size) {
            free(text);
            text = NULL;
        }
    }
    fclose(file);
    return text;
}

static void keep(const entry *e, const char *by)
{
    char path[4096];
    if (folder == NULL) return;
    file_of(e, by, path, sizeof path);
    FILE *file = fopen(path, "wb");
    if (file == NULL) return;
    fputs(e->ptx, file);
    if (fclose(file) != 0) remove(path);
}

static void make_ptx(entry *e, const char *by)
{
    hd_model *model = NULL;
    hd_model_module *module;
    const hd_model_options options = {.arch = ARCH, .compiler = by};
    e->ptx = kept(e, by);
    if (e->ptx != NULL) return;
    if (hd_model_open(&model, &options) == HD_OK &&
        hd_model_load_text(model, e->text.at, (int64_t)e->text.length, NULL, &module) == HD_OK)
        e->ptx = stripped(hd_model_ptx(module));
    else
        fprintf(stderr, "built_in_kernels: %s\n", hd_model_error(model));
    hd_model_close(model);
    if (e->ptx != NULL) keep(e, by);
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

// ---- Packing, as built_in.h says ----------------------------------------------------------------

enum {
    LITERALS = 128,
    LEAST = 4,
    LONGEST = LEAST + 127,
    FAR = 65535,
    TABLE = 1 << 14,
    TRIES = 256
};

static uint32_t hash_of(const unsigned char *p)
{
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return x * 2654435761u >> 18; // 14 bits
}

static size_t put_plain(const unsigned char *from, size_t count, unsigned char *to, size_t at)
{
    while (count > 0) {
        const size_t now = count < LITERALS ? count : LITERALS;
        to[at++] = (unsigned char)(now - 1);
        memcpy(to + at, from, now);
        at += now, from += now, count -= now;
    }
    return at;
}

// The longest piece before k that is the same; *back says how far before.
static size_t longest(const unsigned char *from, size_t bytes, size_t k, const uint32_t *before,
                      uint32_t candidate, size_t *back)
{
    size_t best = 0;
    for (int tries = 0; candidate > 0 && k - (candidate - 1) <= FAR && tries < TRIES; tries++) {
        const size_t at = candidate - 1;
        size_t same = 0;
        while (same < LONGEST && k + same < bytes && from[at + same] == from[k + same]) same++;
        if (same > best) best = same, *back = k - at;
        candidate = before[at];
    }
    return best;
}

// `to` has room for bytes + bytes / 64 + 64; `before` for `bytes` numbers.
static size_t pack(const unsigned char *from, size_t bytes, unsigned char *to, uint32_t *before)
{
    uint32_t last[TABLE] = {0}; // the place of each four bytes, and one more
    size_t at = 0, plain = 0;
    for (size_t k = 0; k < bytes;) {
        size_t back = 0, same = 0;
        if (k + LEAST <= bytes)
            same = longest(from, bytes, k, before, last[hash_of(from + k)], &back);
        const size_t step = same >= LEAST ? same : 1;
        if (same >= LEAST) {
            at = put_plain(from + plain, k - plain, to, at);
            to[at++] = (unsigned char)(LITERALS + same - LEAST);
            to[at++] = (unsigned char)back;
            to[at++] = (unsigned char)(back >> 8);
            plain = k + same;
        }
        for (size_t j = k; j < k + step && j + LEAST <= bytes; j++) {
            uint32_t *seen = &last[hash_of(from + j)];
            before[j] = *seen;
            *seen = (uint32_t)j + 1;
        }
        k += step;
    }
    return put_plain(from + plain, bytes - plain, to, at);
}

// ---- The table ----------------------------------------------------------------------------------

static size_t write_bytes(FILE *out, int32_t number, const char *ptx)
{
    const size_t bytes = strlen(ptx), room = bytes + bytes / 64 + 64;
    unsigned char *packed = malloc(room);
    uint32_t *before = malloc(bytes * sizeof *before);
    if (packed == NULL || before == NULL) exit(1);
    const size_t made = pack((const unsigned char *)ptx, bytes, packed, before);
    fprintf(out, "static const unsigned char packed_%d[] = {", (int)number);
    for (size_t k = 0; k < made; k++) fprintf(out, "%s%d,", k % 32 == 0 ? "\n" : "", packed[k]);
    fputs("};\n", out);
    free(packed);
    free(before);
    return made;
}

// Whether two files hold the same.
static bool same_files(const char *a, const char *b)
{
    FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
    int c = 0, d = 0;
    while (x != NULL && y != NULL && c == d && c != EOF) c = getc(x), d = getc(y);
    const bool same = x != NULL && y != NULL && c == d;
    if (x != NULL) fclose(x);
    if (y != NULL) fclose(y);
    return same;
}

// A table that is as it was keeps its file, so that nothing after it is built again.
static bool replace(const char *path, const char *fresh)
{
    if (same_files(path, fresh)) return remove(fresh) == 0;
    return rename(fresh, path) == 0;
}

static bool write_table(const char *path, const char *by)
{
    char fresh[4096];
    snprintf(fresh, sizeof fresh, "%s.new", path);
    FILE *out = fopen(fresh, "w");
    size_t all = 0, plain = 0, made[MOST];
    int32_t count = 0;
    if (out == NULL) return false;
    fputs("// Made by cmake/built_in_kernels.c.\n#include \"gpu/built_in.h\"\n\n", out);
    for (int32_t k = 0; k < entry_count; k++) {
        if (entries[k].ptx == NULL) continue;
        all += made[k] = write_bytes(out, k, entries[k].ptx);
        plain += strlen(entries[k].ptx);
    }
    fputs("\nconst hd__built_in hd__built_in_kernels[] = {\n", out);
    for (int32_t k = 0; k < entry_count; k++) {
        const entry *e = &entries[k];
        if (e->ptx == NULL) continue;
        fprintf(out, "    {{{0x%llxu, 0x%llxu}}, packed_%d, %zu, %zu},\n",
                (unsigned long long)e->digest.half[0], (unsigned long long)e->digest.half[1],
                (int)k, made[k], strlen(e->ptx));
        count++;
    }
    fprintf(out,
            "    {{{0, 0}}, 0, 0, 0},\n};\nconst int32_t hd__built_in_count = %d;\n"
            "const char hd__built_in_by[] = \"%s\";\n",
            (int)count, by);
    printf("%d kernels built in, by %s: %zu bytes of PTX in %zu\n", (int)count,
           by[0] != 0 ? by : "no compiler", plain, all);
    return fclose(out) == 0 && replace(path, fresh);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    folder = argc > 2 ? argv[2] : NULL;
    setenv("HEDDLE_PTXAS", "none", 1);
    unsetenv("HEDDLE_TUNE");
    const char *by = compiler_here();
    if (by[0] != 0 && !gather_texts()) return 1;
#pragma omp parallel for schedule(dynamic)
    for (int32_t k = 0; k < entry_count; k++) make_ptx(&entries[k], by);
    return write_table(argv[1], by) ? 0 : 1;
}
