// SPDX-License-Identifier: Apache-2.0
//
// Directives of a user's file: #include of the user's own files, which are read; of CUDA's and the
// standard ones, which become ours or nothing; #define, for what it says of functions.
#include "model/cuda_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_FILES 512

char *hd__cuda_read(const char *path, int64_t *length)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0, used = 0;
    if (f == NULL) return NULL;
    for (;;) {
        if (used == room) {
            room = room > 0 ? 2 * room : 1 << 16;
            char *larger = realloc(text, room + 1);
            if (larger == NULL) {
                used = room; // as one that is too long
                break;
            }
            text = larger;
        }
        const size_t got = fread(text + used, 1, room - used, f);
        used += got;
        if (got == 0) break;
    }
    const bool failed = ferror(f) != 0 || used == room;
    fclose(f);
    if (failed) {
        free(text);
        return NULL;
    }
    text[used] = 0;
    *length = (int64_t)used;
    return text;
}

#define MOST_SOURCE ((int64_t)64 << 20)

// Names of files come out of texts: only plain files of a sensible size are opened.
static bool is_source(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode) && (int64_t)s.st_size <= MOST_SOURCE;
}

char *hd__cuda_read_source(const char *path, int64_t *length)
{
    return is_source(path) ? hd__cuda_read(path, length) : NULL;
}

// ---- Where an include is ------------------------------------------------------------------------

// Headers of the standard libraries and of CUDA that device code does not need: ours has what it
// needs of them. Others are nothing too, but a compiler's error then names them.
static const char *const known[] = {"algorithm",
                                    "array",
                                    "assert.h",
                                    "atomic",
                                    "bitset",
                                    "cassert",
                                    "cctype",
                                    "cerrno",
                                    "cfloat",
                                    "chrono",
                                    "climits",
                                    "cmath",
                                    "complex",
                                    "complex.h",
                                    "cstddef",
                                    "cstdint",
                                    "cstdio",
                                    "cstdlib",
                                    "cstring",
                                    "ctime",
                                    "ctype.h",
                                    "deque",
                                    "errno.h",
                                    "exception",
                                    "fcntl.h",
                                    "filesystem",
                                    "float.h",
                                    "fstream",
                                    "functional",
                                    "future",
                                    "initializer_list",
                                    "inttypes.h",
                                    "cinttypes",
                                    "iomanip",
                                    "ios",
                                    "iostream",
                                    "istream",
                                    "iterator",
                                    "limits",
                                    "limits.h",
                                    "list",
                                    "locale",
                                    "map",
                                    "math.h",
                                    "memory",
                                    "memory.h",
                                    "mutex",
                                    "new",
                                    "numeric",
                                    "omp.h",
                                    "optional",
                                    "ostream",
                                    "pthread.h",
                                    "queue",
                                    "random",
                                    "ratio",
                                    "set",
                                    "signal.h",
                                    "sstream",
                                    "stack",
                                    "stdarg.h",
                                    "stdbool.h",
                                    "stddef.h",
                                    "stdexcept",
                                    "stdint.h",
                                    "stdio.h",
                                    "stdlib.h",
                                    "string",
                                    "string.h",
                                    "string_view",
                                    "strings.h",
                                    "sys/stat.h",
                                    "sys/time.h",
                                    "sys/types.h",
                                    "thread",
                                    "time.h",
                                    "tuple",
                                    "type_traits",
                                    "typeinfo",
                                    "unistd.h",
                                    "unordered_map",
                                    "unordered_set",
                                    "utility",
                                    "valarray",
                                    "variant",
                                    "vector",
                                    "cuda.h",
                                    "cuda_runtime.h",
                                    "cuda_runtime_api.h",
                                    "device_launch_parameters.h",
                                    "device_functions.h",
                                    "device_atomic_functions.h",
                                    "math_constants.h",
                                    "math_functions.h",
                                    "vector_types.h",
                                    "vector_functions.h",
                                    "sm_20_atomic_functions.h",
                                    "driver_types.h",
                                    "host_defines.h",
                                    "builtin_types.h",
                                    "cuda_profiler_api.h",
                                    "curand.h",
                                    "cusparse.h",
                                    "cufft.h",
                                    "cusolverDn.h",
                                    "nvrtc.h",
                                    "helper_cuda.h",
                                    "helper_functions.h",
                                    "helper_timer.h",
                                    "helper_string.h",
                                    "crt/host_defines.h",
                                    NULL};

// Of the toolkit's, what NVRTC takes and device code calls.
static const char *const of_the_toolkit[] = {"cooperative_groups", "cuda_fp16.h",    "cuda_bf16.h",
                                             "cuda_fp8.h",         "cuda_fp6.h",     "cuda_fp4.h",
                                             "curand_kernel.h",    "curand_",        "mma.h",
                                             "cuda_pipeline",      "cuda/",          "cub/block/",
                                             "cub/warp/",          "cuda_awbarrier", NULL};

static bool is_known(const char *name)
{
    for (int k = 0; known[k] != NULL; k++)
        if (strcmp(name, known[k]) == 0) return true;
    return false;
}

// folder/name, if it can be read; the arena's. NULL: no.
static const char *joined(cuda_source *s, const char *folder, size_t length, const char *name)
{
    char *path = hd__ptx_arena_take(s->arena, length + strlen(name) + 2);
    if (path == NULL) return NULL;
    memcpy(path, folder, length);
    if (length > 0 && folder[length - 1] != '/') path[length++] = '/';
    strcpy(path + length, name);
    return is_source(path) ? path : NULL;
}

static const char *formatted(cuda_source *s, const char *before, const char *name,
                             const char *after)
{
    char *text = hd__ptx_arena_take(s->arena, strlen(before) + strlen(name) + strlen(after) + 1);
    if (text == NULL) return NULL;
    strcpy(text, before);
    strcat(text, name);
    return strcat(text, after);
}

static const char *find_file(cuda_source *s, const char *from, const char *name, bool quoted)
{
    const char *slash = strrchr(from, '/'), *path = NULL;
    if (name[0] == '/') return joined(s, "", 0, name);
    if (quoted) path = joined(s, from, slash != NULL ? (size_t)(slash - from) + 1 : 0, name);
    for (int k = 0; path == NULL && s->folders != NULL && s->folders[k] != NULL; k++)
        path = joined(s, s->folders[k], strlen(s->folders[k]), name);
    return path;
}

static bool is_of_the_toolkit(cuda_source *s, const char *name)
{
    if (s->toolkit == NULL) return false;
    for (int k = 0; of_the_toolkit[k] != NULL; k++)
        if (strncmp(name, of_the_toolkit[k], strlen(of_the_toolkit[k])) == 0)
            break;
        else if (of_the_toolkit[k + 1] == NULL)
            return false;
    const char *cccl = formatted(s, s->toolkit, "/cccl", "");
    return joined(s, s->toolkit, strlen(s->toolkit), name) != NULL ||
           (cccl != NULL && joined(s, cccl, strlen(cccl), name) != NULL);
}

bool hd__cuda_grow(cuda_source *s, void *array, int32_t count, int32_t *room, size_t size)
{
    if (count < *room) return true;
    if (count > INT32_MAX / 4) return false;
    const int32_t larger = *room > 0 ? 2 * *room : 32;
    void *old, *memory = hd__ptx_arena_take(s->arena, (size_t)larger * size);
    if (memory == NULL) return false;
    memcpy(&old, array, sizeof old); // the array's pointer, whatever its type
    if (count > 0) memcpy(memory, old, (size_t)count * size);
    memcpy(array, &memory, sizeof memory);
    *room = larger;
    return true;
}

int32_t hd__cuda_add_file(cuda_source *s, const char *path, const char *text, int64_t length)
{
    if (length > INT32_MAX / 4) return -1;
    if (!hd__cuda_grow(s, &s->files, s->file_count, &s->file_room, sizeof *s->files)) return -1;
    cuda_file f = {.path = path, .length = (int32_t)length};
    f.text = hd__ptx_arena_take(s->arena, (size_t)length + 4); // zeros end it
    char *name = hd__ptx_arena_take(s->arena, 32);
    if (f.text == NULL || name == NULL) return -1;
    if (length > 0) memcpy(f.text, text, (size_t)length);
    snprintf(name, 32, "heddle-%d.h", (int)s->file_count);
    if (s->file_count > 0) f.included = name;
    if (!hd__cuda_tokens(s, &f)) return -1;
    f.edits = hd__ptx_arena_take(s->arena, ((size_t)f.token_count + 1) * sizeof *f.edits);
    f.holes = hd__ptx_arena_take(s->arena, (size_t)f.token_count + 1);
    if (f.edits == NULL || f.holes == NULL) return -1;
    s->files[s->file_count] = f;
    return s->file_count++;
}

static int32_t number_of_file(const cuda_source *s, const char *path)
{
    for (int32_t k = 0; k < s->file_count; k++)
        if (strcmp(s->files[k].path, path) == 0) return k;
    return -1;
}

// ---- #include -----------------------------------------------------------------------------------

static bool note_missing(cuda_source *s, const char *name)
{
    for (int32_t k = 0; k < s->missing_count; k++)
        if (strcmp(s->missing[k], name) == 0) return true;
    if (!hd__cuda_grow(s, &s->missing, s->missing_count, &s->missing_room, sizeof *s->missing))
        return false;
    s->missing[s->missing_count++] = name;
    return true;
}

// What stands in the place of #include name. NULL: no memory.
static const char *instead(cuda_source *s, const char *from, const char *name, bool quoted)
{
    const char *path = find_file(s, from, name, quoted);
    // Host libraries whose headers bring the types of 16 bits.
    if (path == NULL && (strncmp(name, "cublas", 6) == 0 || strncmp(name, "cudnn", 5) == 0))
        name = "cuda_bf16.h";
    if (path != NULL && s->file_count < MOST_FILES) {
        int32_t number = number_of_file(s, path);
        if (number < 0) {
            int64_t length = 0;
            char *text = hd__cuda_read_source(path, &length);
            number = text != NULL ? hd__cuda_add_file(s, path, text, length) : -1;
            free(text);
        }
        if (number < 0) return NULL;
        if (number == 0) return "";
        return formatted(s, "#include \"", s->files[number].included, "\"");
    }
    if (is_of_the_toolkit(s, name)) {
        s->uses_toolkit = true;
        return formatted(s, "#include <", name, ">");
    }
    const hd__embedded *ours = hd__cuda_header(name);
    if (ours != NULL) return formatted(s, "#include <heddle/", ours->name, ">");
    if (!is_known(name) && !note_missing(s, name)) return NULL;
    return "";
}

static bool follow_include(cuda_source *s, int32_t file, int32_t token, const char *at,
                           const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    if (at >= end || (*at != '"' && *at != '<')) return true; // a macro: the compiler's
    const bool quoted = *at == '"';
    const char *close = memchr(at + 1, quoted ? '"' : '>', (size_t)(end - at) - 1);
    if (close == NULL) return true;
    char *name = hd__ptx_arena_take(s->arena, (size_t)(close - at));
    if (name == NULL) return false;
    memcpy(name, at + 1, (size_t)(close - at) - 1);
    const char *text = instead(s, s->files[file].path, name, quoted);
    s->files[file].edits[token] = text;
    return text != NULL;
}

// ---- #define ------------------------------------------------------------------------------------

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool add_macro(cuda_source *s, const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    cuda_macro m = {.name = at, .end = end};
    while (at < end && is_name(*at)) at++;
    m.length = (int32_t)(at - m.name);
    m.body = at;
    if (m.length == 0) return true;
    if (!hd__cuda_grow(s, &s->macros, s->macro_count, &s->macro_room, sizeof m)) return false;
    s->macros[s->macro_count++] = m;
    return true;
}

bool hd__cuda_directives(cuda_source *s, int32_t file)
{
    for (int32_t k = 0; k < s->files[file].token_count; k++) {
        const cuda_token t = s->files[file].tokens[k];
        if (t.kind != CUDA_DIRECTIVE) continue;
        const char *at = s->files[file].text + t.begin + 1, *end = s->files[file].text + t.end;
        while (at < end && (*at == ' ' || *at == '\t')) at++;
        if (strncmp(at, "include", 7) == 0 && !follow_include(s, file, k, at + 7, end))
            return false;
        if (strncmp(at, "define", 6) == 0 && !add_macro(s, at + 6, end)) return false;
    }
    return true;
}
