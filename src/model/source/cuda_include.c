// SPDX-License-Identifier: Apache-2.0
//
// Directives of a user's file: #include of the user's own files, which are read; of CUDA's and the
// standard ones, which become ours or nothing; of files outside the user's folders, which become an
// #error; #define, for what it says of functions. The compiler gets what was read here and opens no
// other file of the user's.
#include "cuda_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *hd__model_cuda_read(const char *path, int64_t *length)
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

// folder/name, if it is a file that may be included; the arena's. NULL: no.
static const char *joined(cuda_source *s, const include_roots *own, const char *folder,
                          size_t length, const char *name, bool *outside)
{
    char *path = hd__model_ptx_arena_take(s->arena, length + strlen(name) + 2);
    if (path == NULL) return NULL;
    memcpy(path, folder, length);
    if (length > 0 && folder[length - 1] != '/') path[length++] = '/';
    strcpy(path + length, name);
    const included_file how = hd__model_include_read(own, path, NULL, NULL);
    *outside = *outside || how == INCLUDED_OUTSIDE;
    return how == INCLUDED_READ ? path : NULL;
}

static const char *formatted(cuda_source *s, const char *before, const char *name,
                             const char *after)
{
    char *text =
        hd__model_ptx_arena_take(s->arena, strlen(before) + strlen(name) + strlen(after) + 1);
    if (text == NULL) return NULL;
    strcpy(text, before);
    strcat(text, name);
    return strcat(text, after);
}

// *outside: it is, or would be, outside of the user's folders.
static const char *find_file(cuda_source *s, const char *from, const char *name, bool quoted,
                             bool *outside)
{
    const char *slash = strrchr(from, '/'), *path = NULL;
    const include_roots *own = &s->own;
    if (name[0] == '/') return joined(s, own, "", 0, name, outside);
    if (quoted)
        path = joined(s, own, from, slash != NULL ? (size_t)(slash - from) + 1 : 0, name, outside);
    for (int k = 0; path == NULL && s->folders != NULL && s->folders[k] != NULL; k++)
        path = joined(s, own, s->folders[k], strlen(s->folders[k]), name, outside);
    *outside = *outside || strstr(name, "../") != NULL;
    return path;
}

static bool is_of_the_toolkit(cuda_source *s, const char *name)
{
    include_roots toolkit;
    bool outside = false;
    int k = 0;
    if (s->toolkit == NULL) return false;
    while (of_the_toolkit[k] != NULL &&
           strncmp(name, of_the_toolkit[k], strlen(of_the_toolkit[k])) != 0)
        k++;
    const char *cccl = formatted(s, s->toolkit, "/cccl", "");
    if (of_the_toolkit[k] == NULL || cccl == NULL) return false;
    const char *const more[] = {s->toolkit, cccl, NULL};
    if (!hd__model_include_roots_open(&toolkit, cccl, more)) return false;
    const bool there =
        joined(s, &toolkit, s->toolkit, strlen(s->toolkit), name, &outside) != NULL ||
        joined(s, &toolkit, cccl, strlen(cccl), name, &outside) != NULL;
    hd__model_include_roots_close(&toolkit);
    return there;
}

bool hd__model_cuda_grow(cuda_source *s, void *array, int32_t count, int32_t *room, size_t size)
{
    if (count < *room) return true;
    if (count > INT32_MAX / 4) return false;
    const int32_t larger = *room > 0 ? 2 * *room : 32;
    void *old, *memory = hd__model_ptx_arena_take(s->arena, (size_t)larger * size);
    if (memory == NULL) return false;
    memcpy(&old, array, sizeof old); // the array's pointer, whatever its type
    if (count > 0) memcpy(memory, old, (size_t)count * size);
    memcpy(array, &memory, sizeof memory);
    *room = larger;
    return true;
}

int32_t hd__model_cuda_add_file(cuda_source *s, const char *path, const char *text, int64_t length)
{
    if (length > INT32_MAX / 4) return -1;
    if (!hd__model_cuda_grow(s, &s->files, s->file_count, &s->file_room, sizeof *s->files))
        return -1;
    cuda_file f = {.path = path, .length = (int32_t)length};
    f.text = hd__model_ptx_arena_take(s->arena, (size_t)length + 4); // zeros end it
    char *name = hd__model_ptx_arena_take(s->arena, 32);
    if (f.text == NULL || name == NULL) return -1;
    if (length > 0) memcpy(f.text, text, (size_t)length);
    snprintf(name, 32, "heddle-%d.h", (int)s->file_count);
    if (s->file_count > 0) f.included = name;
    if (!hd__model_cuda_tokens(s, &f)) return -1;
    f.edits = hd__model_ptx_arena_take(s->arena, ((size_t)f.token_count + 1) * sizeof *f.edits);
    f.holes = hd__model_ptx_arena_take(s->arena, (size_t)f.token_count + 1);
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
    if (!hd__model_cuda_grow(s, &s->missing, s->missing_count, &s->missing_room,
                             sizeof *s->missing))
        return false;
    s->missing[s->missing_count++] = name;
    return true;
}

// An #error, which counts only where the #include would have.
static const char *refusal(cuda_source *s, const char *name)
{
    char folders[2048];
    hd__model_include_roots_text(&s->own, folders, sizeof folders);
    const size_t room = 2 * (strlen(name) + strlen(folders)) + 160;
    char *text = hd__model_ptx_arena_take(s->arena, room), *to = text;
    const char *const parts[] = {"#error \"include of ", name,
                                 " is refused: files may be included from ", folders, "\""};
    for (size_t k = 0; text != NULL && k < sizeof parts / sizeof *parts; k++)
        for (const char *at = parts[k]; *at != 0; at++) {
            if (k % 2 == 1 && (*at == '"' || *at == '\\')) *to++ = '\\';
            *to++ = *at;
        }
    if (text != NULL) *to = 0;
    return text;
}

typedef enum found { FOUND, REFUSED, NOWHERE } found;

static const char *of_a_file(cuda_source *s, const char *path)
{
    int32_t number = number_of_file(s, path);
    if (number < 0) {
        int64_t length = 0;
        char *text = NULL;
        if (hd__model_include_read(&s->own, path, &text, &length) == INCLUDED_READ)
            number = hd__model_cuda_add_file(s, path, text, length);
        free(text);
    }
    if (number < 0) return NULL;
    return number == 0 ? "" : formatted(s, "#include \"", s->files[number].included, "\"");
}

// What stands in the place of #include name. NULL: no memory.
static const char *instead(cuda_source *s, const char *from, const char *name, bool quoted,
                           found *how)
{
    bool outside = false;
    const char *path = find_file(s, from, name, quoted, &outside);
    *how = FOUND;
    if (path == NULL && strcmp(name, "heddle/math.h") == 0) name = "heddle_math.h";
    // Host libraries whose headers bring the types of 16 bits.
    if (path == NULL && (strncmp(name, "cublas", 6) == 0 || strncmp(name, "cudnn", 5) == 0))
        name = "cuda_bf16.h";
    if (path != NULL && s->file_count < CUDA_MAX_FILES) return of_a_file(s, path);
    if (outside) {
        *how = REFUSED;
        return refusal(s, name);
    }
    if (is_of_the_toolkit(s, name)) {
        s->uses_toolkit = true;
        return formatted(s, "#include <", name, ">");
    }
    const hd__embedded *ours = hd__model_cuda_header(name);
    if (ours != NULL) return formatted(s, "#include <heddle/", ours->name, ">");
    if (!is_known(name)) *how = NOWHERE;
    return "";
}

// "name" or <name> at the beginning of a text; its length with the quotes, 0: neither.
static size_t quoted_name(cuda_source *s, const char *at, const char *end, char **name)
{
    *name = NULL;
    if (at >= end || (*at != '"' && *at != '<')) return 0;
    const char *close = memchr(at + 1, *at == '"' ? '"' : '>', (size_t)(end - at) - 1);
    if (close == NULL) return 0;
    *name = hd__model_ptx_arena_take(s->arena, (size_t)(close - at));
    if (*name != NULL) memcpy(*name, at + 1, (size_t)(close - at) - 1);
    return (size_t)(close - at) + 1;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    return at;
}

static bool follow_include(cuda_source *s, int32_t file, int32_t token, const char *at,
                           const char *end)
{
    char *name;
    found how;
    at = skip_blanks(at, end);
    const bool quoted = at < end && *at == '"';
    if (quoted_name(s, at, end, &name) == 0) return true; // a macro: the compiler's
    if (name == NULL) return false;
    const char *text = instead(s, s->files[file].path, name, quoted, &how);
    if (how == NOWHERE && !note_missing(s, name)) return false;
    s->files[file].edits[token] = text;
    return text != NULL;
}

// ---- Names that only the compiler sees as such --------------------------------------------------

// By #include of a macro, or __has_include: a header of that name that includes the file.
static bool add_alias(cuda_source *s, const char *from, const char *name, bool quoted)
{
    found how;
    if (name[0] == '/' || name[0] == 0 || strncmp(name, "heddle", 6) == 0 ||
        strstr(name, "..") != NULL || s->alias_count == CUDA_MAX_FILES)
        return true;
    for (int32_t k = 0; k < s->alias_count; k++)
        if (strcmp(s->aliases[k].name, name) == 0) return true;
    const char *text = instead(s, from, name, quoted, &how);
    if (text == NULL) return false;
    // The toolkit's are found under their own names.
    if (how != FOUND ||
        (strncmp(text, "#include <", 10) == 0 && strncmp(text + 10, "heddle/", 7) != 0))
        return true;
    const char *line = formatted(s, text, "\n", "");
    if (line == NULL ||
        !hd__model_cuda_grow(s, &s->aliases, s->alias_count, &s->alias_room, sizeof *s->aliases))
        return false;
    s->aliases[s->alias_count++] = (cuda_alias){name, line};
    return true;
}

// A text that is "name" or <name> and nothing else.
bool hd__model_cuda_alias(cuda_source *s, const char *from, const char *at, const char *end)
{
    char *name;
    at = skip_blanks(at, end);
    const bool quoted = at < end && *at == '"';
    const size_t n = quoted_name(s, at, end, &name);
    if (n == 0) return true;
    at = skip_blanks(at + n, end);
    if (at < end && *at != '\r' && *at != '\n' && *at != '/') return true;
    return name != NULL && add_alias(s, from, name, quoted);
}

static bool alias_asked(cuda_source *s, int32_t file, const char *at, const char *end)
{
    static const char word[] = "__has_include";
    for (; at + sizeof word < end; at++) {
        char *name;
        if (strncmp(at, word, sizeof word - 1) != 0) continue;
        const char *open = skip_blanks(at + sizeof word - 1, end);
        if (open >= end || *open != '(') continue;
        open = skip_blanks(open + 1, end);
        if (quoted_name(s, open, end, &name) == 0) continue;
        if (name == NULL || !add_alias(s, s->files[file].path, name, *open == '"')) return false;
    }
    return true;
}

// ---- #define ------------------------------------------------------------------------------------

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool add_macro(cuda_source *s, int32_t file, const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    cuda_macro m = {.name = at, .end = end};
    while (at < end && is_name(*at)) at++;
    m.length = (int32_t)(at - m.name);
    m.body = at;
    if (m.length == 0) return true;
    if (!hd__model_cuda_grow(s, &s->macros, s->macro_count, &s->macro_room, sizeof m)) return false;
    s->macros[s->macro_count++] = m;
    return hd__model_cuda_alias(s, s->files[file].path, at, end);
}

bool hd__model_cuda_directives(cuda_source *s, int32_t file)
{
    for (int32_t k = 0; k < s->files[file].token_count; k++) {
        const cuda_token t = s->files[file].tokens[k];
        if (t.kind != CUDA_DIRECTIVE) continue;
        const char *at = s->files[file].text + t.begin + 1, *end = s->files[file].text + t.end;
        while (at < end && (*at == ' ' || *at == '\t')) at++;
        if (strncmp(at, "include", 7) == 0 && !follow_include(s, file, k, at + 7, end))
            return false;
        if (strncmp(at, "define", 6) == 0 && !add_macro(s, file, at + 6, end)) return false;
        if ((strncmp(at, "if", 2) == 0 || strncmp(at, "elif", 4) == 0) &&
            !alias_asked(s, file, at, end))
            return false;
    }
    return true;
}
