// SPDX-License-Identifier: Apache-2.0
//
// What users know a module by: names of kernels and variables as they wrote them, files as they
// named them, and the text of their lines. All of it is in the memory of the module's PTX.
#include "module.h"
#include "model/source/cuda_source.h"
#include "model/source/kernel_names.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- Names --------------------------------------------------------------------------------------

static const char *name_as_written(ptx_arena *arena, const char *name)
{
    char text[512];
    if (!hd__model_demangle(name, text, sizeof text)) return name;
    char *copy = hd__model_ptx_arena_take(arena, strlen(text) + 1);
    return copy != NULL ? strcpy(copy, text) : NULL;
}

static bool name_all(hd_model_module *m)
{
    m->names = hd__model_ptx_arena_take(
        m->text.arena, (size_t)m->text.function_count * sizeof *m->names + sizeof *m->names);
    if (m->names == NULL) return false;
    for (int32_t k = 0; k < m->text.function_count; k++) {
        m->names[k] = name_as_written(m->text.arena, m->text.functions[k].name);
        if (m->names[k] == NULL) return false;
    }
    return true;
}

// Variables that a user may know: not those of the compiler ("$str") or of its headers.
static bool is_known(const ptx_variable *v, const char *written)
{
    return v->owner == -1 && (v->space == PTX_GLOBAL || v->space == PTX_CONST) &&
           written[0] != '$' && strncmp(written, "__", 2) != 0 &&
           strncmp(written, "std::", 5) != 0 && strncmp(written, "_ZNSt", 5) != 0;
}

static bool name_variables(hd_model_module *m)
{
    const size_t room = (size_t)m->text.variable_count + 1;
    m->variables = hd__model_ptx_arena_take(m->text.arena, room * sizeof *m->variables);
    if (m->variables == NULL) return false;
    int32_t count = 0;
    for (int32_t k = 0; k < m->text.variable_count; k++) {
        const ptx_variable *v = &m->text.variables[k];
        if (v->owner != -1) continue;
        const char *written = name_as_written(m->text.arena, v->name);
        if (written == NULL) return false;
        if (is_known(v, written)) m->variables[count++] = written;
    }
    return true;
}

int32_t hd__model_module_find_kernel(const hd_model_module *m, const char *name)
{
    const int32_t exact = hd__model_ptx_find_function(&m->text, name);
    if (exact >= 0) return exact;
    for (int32_t k = 0; k < m->text.function_count; k++)
        if (m->text.functions[k].entry && m->text.functions[k].defined &&
            hd__model_name_matches(m->names[k], name))
            return k;
    return -1;
}

int32_t hd__model_module_find_variable(const hd_model_module *m, const char *name)
{
    char text[512];
    const int32_t exact = hd__model_ptx_find_variable(&m->text, name);
    if (exact >= 0) return exact;
    for (int32_t k = 0; k < m->text.variable_count; k++) {
        const ptx_variable *v = &m->text.variables[k];
        const bool lasts = v->owner == -1 && (v->space == PTX_GLOBAL || v->space == PTX_CONST);
        if (lasts && hd__model_demangle(v->name, text, sizeof text) &&
            hd__model_name_matches(text, name))
            return k;
    }
    return -1;
}

// ---- Files --------------------------------------------------------------------------------------

// Compilers put the folder they run in before names that have none. Ours are heddle/hd_math.cuh,
// wherever they were.
static const char *file_as_named(const char *file, const char *folder)
{
    const char *ours = strstr(file, "/heddle/");
    const size_t n = strlen(folder);
    if (ours != NULL && hd__model_cuda_header(ours + 8) != NULL) return ours + 1;
    if (strncmp(file, "./", 2) == 0) return file + 2;
    if (n > 0 && strncmp(file, folder, n) == 0 && file[n] == '/') return file + n + 1;
    return file;
}

static void name_files(hd_model_module *m, const char *name)
{
    char folder[4096] = "";
    if (name[0] != '/' && getcwd(folder, sizeof folder) == NULL) folder[0] = 0;
    for (int32_t k = 0; k < m->text.file_count; k++)
        if (m->text.files[k] != NULL) m->text.files[k] = file_as_named(m->text.files[k], folder);
}

// ---- Lines --------------------------------------------------------------------------------------

// Lines from `copy`, which is cut up: ends become zeros, blanks around a line go.
static bool cut(ptx_arena *arena, char *copy, source_lines *s)
{
    int32_t count = 1;
    for (const char *at = copy; *at != 0; at++) count += *at == '\n';
    s->line = hd__model_ptx_arena_take(arena, (size_t)count * sizeof *s->line);
    if (s->line == NULL) return false;
    for (char *at = copy; s->count < count; s->count++) {
        char *end = strchr(at, '\n'), *next = end != NULL ? end + 1 : at + strlen(at);
        if (end == NULL) end = next;
        while (end > at && strchr(" \t\r", end[-1]) != NULL) end--;
        *end = 0;
        s->line[s->count] = at + strspn(at, " \t");
        at = next;
    }
    return true;
}

// The text of a file that instructions came from: the one compiled, one of ours, or one of the
// user's folders, by its name or beside the module. PTX may name any file, so no others are read.
// NULL: none; to be freed by the caller.
static char *text_of_file(const char *file, const module_source *from, const include_roots *own)
{
    char path[4096], *copy = NULL;
    const char *slash = strrchr(from->name, '/');
    int64_t read;
    if (strcmp(file, from->name) == 0 && from->text != NULL) {
        copy = malloc((size_t)from->length + 1);
        if (copy == NULL) return NULL;
        memcpy(copy, from->text, (size_t)from->length);
        copy[from->length] = 0;
        return copy;
    }
    const hd__embedded *ours =
        strncmp(file, "heddle/", 7) == 0 ? hd__model_cuda_header(file + 7) : NULL;
    if (ours != NULL) return strdup(ours->text);
    if (hd__model_include_read(own, file, &copy, &read) == INCLUDED_READ) return copy;
    if (slash == NULL || file[0] == '/') return NULL;
    const size_t folder = (size_t)(slash - from->name) + 1;
    if (folder + strlen(file) >= sizeof path) return NULL;
    memcpy(path, from->name, folder);
    strcpy(path + folder, file);
    return hd__model_include_read(own, path, &copy, &read) == INCLUDED_READ ? copy : NULL;
}

static bool read_lines(hd_model_module *m, const module_source *from, const include_roots *own)
{
    ptx_arena *arena = m->text.arena;
    m->lines = hd__model_ptx_arena_take(arena, ((size_t)m->text.file_count + 1) * sizeof *m->lines);
    if (m->lines == NULL) return false;
    for (int32_t k = 0; k < m->text.file_count; k++) {
        if (m->text.files[k] == NULL) continue;
        char *found = text_of_file(m->text.files[k], from, own);
        if (found == NULL) continue;
        if (!hd__model_mark_initialised(m, found)) {
            free(found);
            return false;
        }
        char *copy = hd__model_ptx_arena_take(arena, strlen(found) + 1);
        if (copy != NULL) strcpy(copy, found);
        free(found);
        if (copy == NULL || !cut(arena, copy, &m->lines[k])) return false;
    }
    return true;
}

bool hd__model_module_describe(hd_model_module *m, const module_source *from)
{
    include_roots own;
    name_files(m, from->name);
    if (!hd__model_include_roots_open(&own, from->name, from->folders)) return false;
    const bool done = name_all(m) && name_variables(m) && read_lines(m, from, &own);
    hd__model_include_roots_close(&own);
    return done;
}

const char *hd__model_module_line(const hd_model_module *m, int32_t source)
{
    if (source < 0) return NULL;
    const ptx_source *s = &m->text.sources[source];
    if (s->file < 0 || s->file >= m->text.file_count) return NULL;
    const source_lines *lines = &m->lines[s->file];
    return s->line >= 1 && s->line <= lines->count ? lines->line[s->line - 1] : NULL;
}
